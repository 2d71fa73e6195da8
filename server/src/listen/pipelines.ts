import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Requests that wait on one connection before its socket is paused. A packet may bring more of them. */
const MAX_WAITING = 16;
/** A paused socket is read again when so few wait. */
const RESUMED_AT = 8;
/** Requests that wait on all connections; Node needs up to 7 KB for each, and reads 1,600 of them in one packet. */
const MAX_WAITING_IN_ALL = 10_000;

/** Where a socket keeps its pipeline. A weak map costs more per request. */
const pipeline = Symbol('pipeline');
type PipelinedSocket = Socket & { [pipeline]?: Pipeline };

/**
 * Starts each request after the previous answer on its connection is sent, so that a request behind an unsafe one sees
 * its effect (RFC 9112 section 9.3.2), and a client that does not read its answers holds one of them. A connection
 * without pipelined requests has none of this.
 */
export class Pipelines {
  /** Requests that wait, of all connections. */
  #waiting = 0;

  /** Whether a socket is paused because too many of its requests wait. */
  static isPaused(socket: PipelinedSocket): boolean {
    return socket[pipeline]?.isPaused ?? false;
  }

  /** Calls `start` after the previous answer; never if the connection ends first. */
  startAfter(previous: ServerResponse, incoming: IncomingMessage, start: () => void): void {
    const socket: PipelinedSocket = incoming.socket;
    // The parser continues to the end of the packet.
    if (socket.destroyed) return;
    if (this.#waiting >= MAX_WAITING_IN_ALL) return void socket.destroy();
    socket[pipeline] ??= new Pipeline(socket, (change) => {
      this.#waiting += change;
    });
    const own = socket[pipeline];
    own.enter();
    // In a turn of its own, because other connections have requests too.
    previous.once('close', () => setImmediate(() => own.leave(start)));
  }
}

class Pipeline {
  readonly #socket: Socket;
  readonly #onChange: (change: number) => void;
  #waiting = 0;
  #isPaused = false;

  constructor(socket: Socket, onChange: (change: number) => void) {
    this.#socket = socket;
    this.#onChange = onChange;
    // Node resumes a socket when the body of a request is read and when answers are flushed.
    socket.on('resume', () => this.#isPaused && socket.pause());
    socket.once('close', () => this.#change(-this.#waiting));
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  enter(): void {
    this.#change(1);
    if (this.#isPaused || this.#waiting <= MAX_WAITING) return;
    this.#isPaused = true;
    this.#socket.pause();
  }

  leave(start: () => void): void {
    if (this.#socket.destroyed) return;
    this.#change(-1);
    if (this.#isPaused && this.#waiting <= RESUMED_AT) {
      this.#isPaused = false;
      this.#socket.resume();
    }
    start();
  }

  #change(change: number): void {
    this.#waiting += change;
    this.#onChange(change);
  }
}
