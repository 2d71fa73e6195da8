import { parseAccept } from 'hono/utils/accept';
import { ApiError } from '../domain/errors.ts';

/** Clients send few different headers; what was worked out for one is remembered, up to this many. */
const REMEMBERED_HEADERS = 1_000;

function remembering(workOut: (header: string) => boolean): (header: string) => boolean {
  const known = new Map<string, boolean>();
  return (header) => {
    let answer = known.get(header);
    if (answer === undefined) {
      answer = workOut(header);
      if (known.size < REMEMBERED_HEADERS) known.set(header, answer);
    }
    return answer;
  };
}

/** The weight of the most specific of these ranges that the header names (RFC 9110 section 12.5). */
function weightOf(header: string, ranges: readonly string[]): number | undefined {
  const accepted = parseAccept(header);
  for (const range of ranges) {
    const found = accepted.find(({ type }) => type.toLowerCase() === range);
    if (found) return found.q;
  }
  return undefined;
}

const admitsJson = remembering(
  (header) => (weightOf(header, ['application/json', 'application/*', '*/*']) ?? 0) > 0,
);
const admitsGzip = remembering((header) => (weightOf(header, ['gzip', 'x-gzip', '*']) ?? 0) > 0);

/** @throws ApiError `not_acceptable` when the client refuses JSON, the one type there is. */
export function requireJsonAccepted(accept: string | null): void {
  if (accept === null || accept === '*/*' || admitsJson(accept)) return;
  throw new ApiError('not_acceptable', 'Answers are application/json; Accept must allow it.');
}

export function isGzipAccepted(acceptEncoding: string | null): boolean {
  return acceptEncoding !== null && admitsGzip(acceptEncoding);
}

/** Whether the client has what bears this entity tag already: weak comparison, or `*` (RFC 9110 section 13.1.2). */
export function isNoneMatchMet(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch === tag || ifNoneMatch.trim() === '*') return true;
  return (ifNoneMatch.match(/"[^"]*"/g) ?? []).some((one) => one === tag);
}
