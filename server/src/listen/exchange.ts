import type { Peer } from './peer.ts';

/** One request and its answer, as a listener and the service exchange them on every runtime. */

/** A request that a listener has parsed. */
export interface IncomingRequest extends Peer {
  readonly method: string;
  /** The request target in origin form (RFC 9112 section 3.2.1): a path and perhaps a query, as the client sent it. */
  readonly target: string;
  /** Aborted when the client disconnects before it has the whole answer. */
  readonly signal: AbortSignal;
  /** The value of a header by its lower-case name; several values are joined with commas. */
  header(name: string): string | null;
  /**
   * Reads the whole body. Must be called once only.
   * @returns `undefined` as soon as the body has more than `maxBytes`; the rest of it is not read.
   * @throws LateBody when it takes longer than a request may (Bun; Node answers itself). Error when the body ends before its
   * declared length.
   */
  readBody(maxBytes: number): Promise<Uint8Array | undefined>;
  /**
   * The body in pieces, for one that is too large for the memory. A piece is read when the one before it was used. Must be
   * called once only, and not with `readBody`. The body may take longer than the time limit of a request.
   * @throws LateBody when no piece comes for some time. Error when the body ends before its declared length.
   */
  readPieces(silenceSeconds: number): AsyncIterable<Uint8Array>;
}

/** The grammar of a Host header: one host and perhaps a port (RFC 9110 section 7.2). */
export const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])?(?::\d{1,5})?$/i;

/** A stream is for content too large for one piece, or not complete yet. A read error aborts the connection. */
export type AnswerBody = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;

/** A response before it is written. The listener that writes it owns `headers`. */
export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: AnswerBody;
}
