import { setTimeout as delay } from 'node:timers/promises';
import { assertContract } from '../blackbox/api-request.ts';
import { type RawResponse, RawSocket } from '../blackbox/raw-socket.ts';

export interface RaceRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: string;
}

/** The result of a request: an answer, a connection that broke after the request was sent, or no connection. */
export type Exchange =
  | { readonly kind: 'answered'; readonly answer: RawResponse }
  | { readonly kind: 'broken' }
  | { readonly kind: 'unsent' };

/** A client that waits longer has found an instance that hangs; to it that is a broken connection. */
const RESPONSE_TIMEOUT_MS = 20_000;

/** The persistent connections of one client, one per port. It sends one request at a time. */
export class Connections {
  readonly #key: string;
  readonly #sockets = new Map<number, RawSocket>();

  constructor(key: string) {
    this.#key = key;
  }

  async send(port: number, request: RaceRequest): Promise<Exchange> {
    const socket = await this.#connection(port);
    if (!socket) return { kind: 'unsent' };
    socket.send(this.#bytesOf(request));
    const answer = await socket.next({ deadlineMs: RESPONSE_TIMEOUT_MS }).catch(() => undefined);
    if (!answer || answer.headers.get('connection') === 'close') this.#drop(port);
    if (!answer) return { kind: 'broken' };
    assertContract(answer);
    return { kind: 'answered', answer };
  }

  /** Sends a request and disconnects after a moment: this client does not learn the outcome. */
  async sendAndLeave(port: number, request: RaceRequest, afterMs: number): Promise<Exchange> {
    const socket = await this.#connection(port);
    if (!socket) return { kind: 'unsent' };
    socket.send(this.#bytesOf(request));
    await delay(afterMs);
    this.#drop(port);
    return { kind: 'broken' };
  }

  close(): void {
    for (const port of this.#sockets.keys()) this.#drop(port);
  }

  #bytesOf({ method, path, headers, body }: RaceRequest): Buffer {
    const lines = Object.entries({
      Host: 'localhost',
      Authorization: `Bearer ${this.#key}`,
      ...(body === undefined
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }),
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`);
  }

  #drop(port: number): void {
    this.#sockets.get(port)?.destroy();
    this.#sockets.delete(port);
  }

  async #connection(port: number): Promise<RawSocket | undefined> {
    const kept = this.#sockets.get(port);
    if (kept && !kept.isClosed) return kept;
    this.#drop(port);
    const opened = await RawSocket.open(port).catch(() => undefined);
    if (opened) this.#sockets.set(port, opened);
    return opened;
  }
}
