/** The client at the end of a connection. */
export interface Peer {
  readonly remoteAddress?: string | undefined;
  /** Sets how long the answer may be silent before the connection is cut, in place of the usual time-out. */
  allowSilence?(seconds: number): void;
  /** Cuts the connection when the client ends its side, because the answer has no end of its own. */
  followClient?(): void;
  /** Cuts the connection without an end that a client could mistake for the end of the answer. */
  cut?(): void;
}
