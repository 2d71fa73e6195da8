import type { IncomingMessage, ServerResponse } from 'node:http';

type Start = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * Starts the requests of one turn of the event loop together, after the last of them is read. A store that looks up
 * its head once per turn then serves each of them from a head read after its arrival (DECISIONS.md).
 */
export class TurnQueue {
  readonly #start: Start;
  #waiting: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse }[] = [];

  constructor(start: Start) {
    this.#start = start;
  }

  add(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (this.#waiting.push({ incoming, outgoing }) === 1) setImmediate(() => this.#startAll());
  }

  #startAll(): void {
    const requests = this.#waiting;
    this.#waiting = [];
    for (const { incoming, outgoing } of requests) {
      // An ended socket has its last answer: the parser refused what followed the head of the request.
      if (!incoming.socket.writableEnded) this.#start(incoming, outgoing);
    }
  }
}
