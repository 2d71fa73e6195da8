/**
 * A placeholder for the API key in crafted bytes, of the same length as a key, so that content lengths stay correct.
 */
export const KEY_PLACEHOLDER = `psk_live_${'K'.repeat(38)}`;

/** Updated by no request that is judged; only bytes that were a body could do it. */
export const SMUGGLED_PET = 666n;
/** Updated by the crafted requests themselves. */
export const TARGET_PET = 1n;

/** How the bytes after a request are judged. */
export type Continuation = 'answered' | 'closed' | 'either';

/** Bytes for a socket, and the permitted responses. */
export interface EdgeRequest {
  readonly title: string;
  readonly bytes: string;
  /** The statuses of the answers, in order; where several are right, all of them. */
  readonly answers: readonly (readonly number[])[];
  /** The number of required answers; the connection may end before the rest. */
  readonly atLeast: number;
  /** Whether the next request on the socket is answered (as itself), or finds it closed. */
  readonly next: Continuation;
  readonly isHead: boolean;
}

interface EdgeOptions {
  readonly next?: Continuation;
  readonly atLeast?: number;
  readonly isHead?: boolean;
}

/** A row of a table: `answers` holds a status, or the statuses that are all right, for each answer. */
export function edge(
  title: string,
  bytes: string,
  answers: readonly (number | readonly number[])[],
  { next = 'answered', atLeast = answers.length, isHead = false }: EdgeOptions = {},
): EdgeRequest {
  const allowed = answers.map((status) => (typeof status === 'number' ? [status] : status));
  return { title, bytes, answers: allowed, atLeast, next, isHead };
}

/** A row that must be refused as no request at all, which ends the connection. */
export function refused(title: string, bytes: string, statuses: readonly number[] = [400]): EdgeRequest {
  return edge(title, bytes, [statuses], { next: 'closed' });
}

export const HOST = 'Host: localhost\r\n';
export const AUTHORIZATION = `Authorization: Bearer ${KEY_PLACEHOLDER}\r\n`;
export const JSON_TYPE = 'Content-Type: application/json\r\n';

/** `listInventory`, with further header lines. */
export function get(headers = '', target = '/v1/inventory'): string {
  return `GET ${target} HTTP/1.1\r\n${HOST}${AUTHORIZATION}${headers}\r\n`;
}

/** `updateInventory` with exactly these header lines and this body. */
export function rawPatch(headers: string, body: string, pet = TARGET_PET): string {
  return `PATCH /v1/inventory/${pet} HTTP/1.1\r\n${HOST}${AUTHORIZATION}${JSON_TYPE}${headers}\r\n${body}`;
}

/** A well-formed `updateInventory`. */
export function patch(body = '{"quantity":5}', headers = '', pet = TARGET_PET): string {
  return rawPatch(`Content-Length: ${Buffer.byteLength(body, 'latin1')}\r\n${headers}`, body, pet);
}

/** A complete request that is only sent inside a body. */
export const SMUGGLED = patch('{"quantity":666}', '', SMUGGLED_PET);

/** The same as one chunk, with the last chunk after it. */
export function chunked(body: string): string {
  return `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
}
