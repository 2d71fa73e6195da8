import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Connections beyond the maximum. In an overload as many arrive in one turn of the event loop, before any is read. */
export const RESERVED_CONNECTIONS = 256;
/** Interval in which idle connections are closed in favour of new ones. */
const ROOM_INTERVAL_MS = 1_000;

/**
 * Counts open connections. Those beyond the maximum have a reserve, so that health checks are answered when clients keep
 * all others. A new one closes the oldest of a full reserve, so that clients that send nothing cannot keep it.
 */
export class ConnectionLimit {
  readonly #server: Server;
  readonly #max: number;
  #open = 0;
  readonly #beyond = new Set<Socket>();
  #madeRoomAtMs = Number.NEGATIVE_INFINITY;

  constructor(server: Server, max: number) {
    this.#server = server;
    this.#max = max;
    // Before Node knows it, and finds it idle.
    server.prependListener('connection', (socket: Socket) => this.#add(socket));
  }

  /** Whether a socket is still beyond the maximum. If others have closed since, it takes the place of one. */
  isBeyond(socket: Socket): boolean {
    if (!this.#beyond.has(socket)) return false;
    if (this.#open >= this.#max) return true;
    this.#beyond.delete(socket);
    this.#admit(socket);
    return false;
  }

  #add(socket: Socket): void {
    if (this.#open < this.#max) return this.#admit(socket);
    this.#makeRoom();
    this.#beyond.add(socket);
    socket.once('close', () => this.#beyond.delete(socket));
    const [oldest] = this.#beyond;
    if (!oldest || this.#beyond.size <= RESERVED_CONNECTIONS) return;
    this.#beyond.delete(oldest);
    oldest.destroy();
  }

  #admit(socket: Socket): void {
    this.#open += 1;
    socket.once('close', () => {
      this.#open -= 1;
    });
  }

  /** Closes idle connections. Otherwise those who keep theirs open for another request, or for none, lock all others out. */
  #makeRoom(): void {
    const nowMs = performance.now();
    if (nowMs - this.#madeRoomAtMs < ROOM_INTERVAL_MS) return;
    this.#madeRoomAtMs = nowMs;
    this.#server.closeIdleConnections();
  }
}
