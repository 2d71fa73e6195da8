import type { ErrorCode } from '../domain/errors.ts';
import type { Eventually } from '../domain/eventually.ts';
import type { Peer } from '../domain/peer.ts';

/** What a socket hands its requests to. */
export interface Handler {
  /** Answers a request; never rejects. */
  fetch(request: Request, peer: Peer): Eventually<Response>;
  /** Answers `OPTIONS *`, which is about the server and not a path (RFC 9110 section 9.3.7). */
  describe(peer: Peer): Response;
  /** Answers bytes of which no request could be made. */
  refuseUnparsed(code: ErrorCode, message: string, peer: Peer): Response;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly headersTimeoutSeconds: number;
  readonly requestTimeoutSeconds: number;
  readonly keepAliveTimeoutSeconds: number;
  readonly maxConnections: number;
}

export interface Listener {
  readonly port: number;
  /** Accepts no more connections, lets requests under way finish, and cuts what is left after the deadline. */
  close(deadlineMs: number): Promise<void>;
}
