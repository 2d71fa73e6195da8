import assert from 'node:assert/strict';
import { errorOf } from '../../blackbox/api-request.ts';
import { type RawResponse, RawSocket } from '../../blackbox/raw-socket.ts';
import type { StockLoad } from './stock-load.ts';

export const PETS_PER_WRITER = 3;
/** Adjacent integers that are equal as doubles. */
export const FIRST_PET = 2n ** 53n + 1n;
/** Far longer than any answer may take; a longer wait means that the instance hangs. */
const RESPONSE_TIMEOUT_MS = 60_000;
const UNCONFIRMED = 'The change could not be confirmed; read it back.';

/** The outcome of a change as its writer received it: done, not done, or unknown. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown';

/** The response to a request; none if the connection broke. */
interface Exchange {
  readonly answer: RawResponse | undefined;
  readonly port: number;
}

/** A client with a persistent connection to each instance. */
class StockClient {
  readonly #load: StockLoad;
  readonly #sockets = new Map<number, RawSocket>();

  constructor(load: StockLoad) {
    this.#load = load;
  }

  /** Sends a request to an instance. Returns nothing when the instance took no connection, and so no request. */
  async trySend(head: string, body = '', port = this.#load.anyPort()): Promise<Exchange | undefined> {
    const socket = await this.#connection(port);
    if (!socket) return undefined;
    const sentAt = performance.now();
    socket.send(`${head}\r\nHost: localhost\r\nAuthorization: Bearer ${this.#load.key}\r\n\r\n${body}`);
    const answer = await socket.next({ deadlineMs: RESPONSE_TIMEOUT_MS }).catch((error: Error) => {
      if (error.message.startsWith('The connection ended')) return undefined;
      throw error;
    });
    this.#load.note(port, answer, performance.now() - sentAt);
    if (!answer || answer.headers.get('connection') === 'close') this.#drop(port);
    return { answer, port };
  }

  close(): void {
    for (const socket of this.#sockets.values()) socket.destroy();
    this.#sockets.clear();
  }

  #drop(port: number): void {
    // One that the other side has ended is still open on this side.
    this.#sockets.get(port)?.destroy();
    this.#sockets.delete(port);
  }

  async #connection(port: number): Promise<RawSocket | undefined> {
    const kept = this.#sockets.get(port);
    if (kept && !kept.isClosed) return kept;
    this.#drop(port);
    const opened = await RawSocket.open(port).catch(() => undefined);
    if (opened) this.#sockets.set(port, opened);
    else assert.ok(this.#load.mayBreak.has(port), `port ${port} takes no connection`);
    return opened;
  }
}

/** Sets the pets that are its own to values that only grow, one change after the other. */
export class WriteExecutor {
  readonly petIds: readonly bigint[];
  /** The outcome of each change, by its value. */
  readonly outcomes = new Map<number, Outcome>();
  readonly #load: StockLoad;
  readonly #client: StockClient;

  constructor(load: StockLoad, number: number) {
    this.#load = load;
    this.#client = new StockClient(load);
    this.petIds = Array.from(
      { length: PETS_PER_WRITER },
      (_, i) => FIRST_PET + BigInt(number * PETS_PER_WRITER + i),
    );
  }

  get lastSent(): number {
    return this.outcomes.size;
  }

  petOf(value: number): bigint {
    return this.petIds[value % PETS_PER_WRITER] as bigint;
  }

  async writeUntilStopped(): Promise<void> {
    while (this.#load.isRunning) {
      await this.write();
      await this.#load.pause();
    }
    this.#client.close();
  }

  /** Makes one change; returns whether it was acknowledged. */
  async write(port?: number): Promise<boolean> {
    const value = this.lastSent + 1;
    const petId = this.petOf(value);
    // From here on the change may be in the ledger, with or without an answer.
    this.outcomes.set(value, 'unknown');
    const body = `{"quantity":${value}}`;
    const head = `PATCH /v1/inventory/${petId} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    const exchange = await this.#client.trySend(head, body, port);
    const outcome = outcomeOf(exchange);
    this.outcomes.set(value, outcome);
    if (outcome === 'acknowledged') this.#load.acknowledge(petId, value);
    return outcome === 'acknowledged';
  }

  close(): void {
    this.#client.close();
  }
}

function outcomeOf(exchange: Exchange | undefined): Outcome {
  if (!exchange) return 'refused';
  const { answer } = exchange;
  if (!answer) return 'unknown';
  if (answer.status === 200) return 'acknowledged';
  return errorOf(answer).message === UNCONFIRMED ? 'unknown' : 'refused';
}

/** Requests the list in every form, and compares it with the changes that were acknowledged before the request. */
export class StockReader {
  readonly #load: StockLoad;
  readonly #client: StockClient;
  #cached: { tag: string; text: string } | undefined;

  constructor(load: StockLoad) {
    this.#load = load;
    this.#client = new StockClient(load);
  }

  async readUntilStopped(): Promise<void> {
    while (this.#load.isRunning) {
      await this.read();
      await this.#load.pause();
    }
    this.#client.close();
  }

  /** Returns whether there was a list. */
  async read(port?: number): Promise<boolean> {
    const floor = new Map(this.#load.floor);
    const cached = this.#cached;
    const [target, condition] = this.#load.random.pick([
      ['', ''],
      ['', cached ? `\r\nIf-None-Match: ${cached.tag}` : ''],
      ['?limit=1000', ''],
    ]) as [string, string];
    const exchange = await this.#client.trySend(`GET /v1/inventory${target} HTTP/1.1${condition}`, '', port);
    const { status, headers, body } = exchange?.answer ?? {};
    if (status !== 200 && status !== 304) return false;
    // 304 confirms the cached list, which must then be new enough.
    const text = status === 304 ? cached?.text : body?.toString();
    assert.ok(text !== undefined, 'a 304 answers a condition');
    this.#load.assertFresh(text, floor, `${status} of port ${exchange?.port} to ${target}${condition}`);
    const tag = headers?.get('etag');
    if (tag !== undefined && target === '') this.#cached = { tag, text };
    return true;
  }

  close(): void {
    this.#client.close();
  }
}
