import { KEPT_AT } from './kept-at.ts';

/** `Date` of a response has whole seconds. */
const PRECISION_MS = 1_000;
let skewMs = 0;

/** Learns how wrong the clock of the browser is: the service made the response between request and answer. */
export function learnTime(headers: Headers, sentAtMs: number, receivedAtMs = Date.now()): void {
  const atMs = Date.parse(headers.get('Date') ?? '');
  // The service worker answers with a list that the service made hours or days before.
  if (Number.isNaN(atMs) || headers.has(KEPT_AT)) return;
  if (atMs + PRECISION_MS < sentAtMs) skewMs = atMs - sentAtMs;
  else skewMs = Math.max(0, atMs - receivedAtMs);
}

/** The time of the service, with which its times are compared. */
export const serviceNow = (): number => Date.now() + skewMs;
