import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { EventStream, type StreamEvent } from '../support/event-stream.ts';

/** A reader of the stream on its own connection. It keeps the events of all its connections. */
export class StreamClient {
  /** Movements, in the order in which they came. */
  readonly movements: StreamEvent[] = [];
  /** The reasons of the end events, if any. */
  readonly errors: { code: string; message: string; status: number }[] = [];
  comments = 0;
  headers: IncomingMessage['headers'] = {};
  lastEventId: string | undefined;
  readonly #key: string;
  #request: ClientRequest | undefined;
  #response: IncomingMessage | undefined;
  #wake: () => void = () => {};

  constructor(key: string, lastEventId?: string) {
    this.#key = key;
    this.lastEventId = lastEventId;
  }

  /**
   * Connects and resumes after the last event. Resolves with the status when an answer begins; later events are
   * recorded as they arrive. Rejects without an answer.
   */
  async connect(port: number): Promise<number> {
    const headers = {
      Authorization: `Bearer ${this.#key}`,
      Accept: 'text/event-stream',
      ...(this.lastEventId !== undefined && { 'Last-Event-ID': this.lastEventId }),
    };
    const outgoing = request({
      port,
      host: '127.0.0.1',
      path: '/v1/movements/stream',
      headers,
      agent: false,
    });
    this.#request = outgoing;
    outgoing.end();
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    outgoing.on('error', () => {});
    this.#response = response;
    this.headers = response.headers;
    const parser = new EventStream();
    response.on('data', (bytes: Buffer) => {
      for (const event of parser.push(bytes)) this.#note(event);
      if (parser.lastEventId !== '') this.lastEventId = parser.lastEventId;
      this.comments += parser.comments;
      parser.comments = 0;
      this.#wake();
    });
    response.on('error', () => {});
    response.on('close', () => this.#wake());
    return response.statusCode ?? 0;
  }

  get isConnected(): boolean {
    return this.#response !== undefined && !this.#response.closed;
  }

  /** Stops reading; the connection stays open. */
  pause(): void {
    this.#response?.pause();
  }

  resume(): void {
    this.#response?.resume();
  }

  /** Breaks the connection. Data that has not arrived is lost. */
  drop(): void {
    this.#request?.destroy();
  }

  /** Waits until a condition holds; it is checked after each received piece. */
  async until(what: string, holds: () => boolean, timeoutMs = 20_000): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while (!holds()) {
      const leftMs = deadline - Date.now();
      assert.ok(leftMs > 0, `${what}; last event ${this.lastEventId}, errors ${JSON.stringify(this.errors)}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, leftMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  #note(event: StreamEvent): void {
    if (event.type === 'movement') this.movements.push(event);
    else this.errors.push(JSON.parse(event.data) as (typeof this.errors)[0]);
  }
}
