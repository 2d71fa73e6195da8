/** The other end of a connection. */
export interface Peer {
  readonly remoteAddress?: string | undefined;
  /**
  /** Lets the answer be silent for so long before the connection is cut, whatever the time-outs of other answers are. */
  allowSilence?(seconds: number): void;
  /** Cuts the connection when the client ends its side, because the answer has no end of its own. */
  followClient?(): void;
  /** Cuts the connection without an end that a client could take for that of the answer. */
  cut?(): void;
}
