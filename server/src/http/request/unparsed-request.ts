import type { IncomingRequest } from '../../listen/exchange.ts';
import type { Peer } from '../../listen/peer.ts';

/** The request of a client whose bytes are not a request. */
export class UnparsedRequest implements IncomingRequest {
  readonly method = '';
  readonly target = '/';
  readonly remoteAddress: string | undefined;

  constructor({ remoteAddress }: Peer) {
    this.remoteAddress = remoteAddress;
  }

  get signal(): AbortSignal {
    return AbortSignal.abort();
  }

  header(): null {
    return null;
  }

  readBody(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  async *readPieces(): AsyncGenerator<Uint8Array> {}
}
