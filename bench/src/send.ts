import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** From the start of the connection to the body's last byte. */
  readonly durationMs: number;
}

/** A list of a million pets for a slow reader takes minutes on a busy machine. */
const TIMEOUT_MS = 300_000;

interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Pause after each piece of the body, as a slow reader makes. */
  readonly onPiece?: (piece: Buffer) => Promise<void> | void;
}

/**
 * Sends one request on its own connection, and reads the complete answer. With `onPiece` the body is passed on in
 * pieces, with back-pressure, instead of being stored.
 * @throws Error when the status is not a 2xx.
 */
export async function send(
  url: URL,
  { method = 'GET', headers = {}, body, onPiece }: Question = {},
): Promise<Answer> {
  const startedAtMs = performance.now();
  const outgoing = request(url, { method, headers, agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) });
  outgoing.end(body);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  const pieces: Buffer[] = [];
  for await (const piece of incoming as AsyncIterable<Buffer>) {
    if (onPiece) await onPiece(piece);
    else pieces.push(piece);
  }
  const durationMs = performance.now() - startedAtMs;
  const status = incoming.statusCode ?? 0;
  const received = Buffer.concat(pieces);
  if (status < 200 || status > 299) throw new Error(`${method} ${url} was answered ${status}: ${received}`);
  return { status, headers: pairs(incoming.rawHeaders), body: received, durationMs };
}

function pairs(rawHeaders: readonly string[]): [string, string][] {
  const named: [string, string][] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    named.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '']);
  }
  return named;
}

const WRITTEN_BY_THE_SERVER_ITSELF = new Set([
  'connection',
  'keep-alive',
  'date',
  'transfer-encoding',
  'server',
]);

/** The headers that the application gave an answer; a baseline sends the same names and values. */
export function applicationHeaders(answer: Answer): Record<string, string> {
  return Object.fromEntries(
    answer.headers.filter(([name]) => !WRITTEN_BY_THE_SERVER_ITSELF.has(name.toLowerCase())),
  );
}

/** The value of a header, for any case of its name. */
export function header(answer: Answer, name: string): string {
  const value = answer.headers.find(([candidate]) => candidate.toLowerCase() === name)?.[1];
  if (value === undefined) throw new Error(`the service sent no ${name}`);
  return value;
}
