import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { LoadPlan, LoadResult } from './load.ts';

const HEAD_END = '\r\n\r\n';
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;
/** How long the last answers may take after the load has ended. */
const DRAIN_TIMEOUT_MS = 10_000;

/** One keep-alive connection with at most one pending request; it parses no more of an answer than necessary. */
class Connection {
  readonly #plan: LoadPlan;
  readonly #port: number;
  readonly #socket: Socket;
  readonly opened: Promise<void>;
  #head: Buffer = Buffer.alloc(0);
  #bodyLeft = 0;
  #answered: (() => void) | undefined;
  #reject: ((reason: Error) => void) | undefined;
  /** The error that broke the connection while no request was pending. */
  #failure: Error | undefined;
  #isClosing = false;

  constructor(plan: LoadPlan, port: number) {
    this.#plan = plan;
    this.#port = port;
    const opened = Promise.withResolvers<void>();
    this.opened = opened.promise;
    this.#reject = opened.reject;
    const onread = {
      buffer: Buffer.allocUnsafe(64 * 1024),
      callback: (length: number, buffer: Uint8Array) => {
        this.#receive(Buffer.from(buffer.buffer, buffer.byteOffset, length));
        return true;
      },
    };
    this.#socket = connect({ host: plan.host, port, noDelay: true, onread }, opened.resolve);
    this.#socket.on('error', (error) => this.#fail(error.message));
    this.#socket.on('close', () => {
      if (!this.#isClosing) this.#fail('the server closed the connection');
    });
  }

  send(request: Buffer): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    const answer = Promise.withResolvers<void>();
    this.#answered = answer.resolve;
    this.#reject = answer.reject;
    this.#socket.write(request);
    return answer.promise;
  }

  close(): void {
    this.#isClosing = true;
    this.#socket.destroy();
  }

  #fail(reason: string): void {
    this.#failure ??= new Error(`${reason} (port ${this.#port})`);
    this.#reject?.(this.#failure);
  }

  #receive(bytes: Buffer): void {
    if (this.#answered === undefined) this.#fail('bytes arrived without a pending request');
    else if (this.#bodyLeft > 0) this.#receiveBody(bytes.length);
    else this.#receiveHead(bytes);
  }

  #receiveHead(bytes: Buffer): void {
    const head = this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes]);
    const end = head.indexOf(HEAD_END);
    if (end < 0) {
      // The next read reuses the buffer of the socket, so the rest must be copied.
      this.#head = Buffer.from(head);
      return;
    }
    this.#head = Buffer.alloc(0);
    const text = head.toString('latin1', 0, end);
    const status = Number(text.slice(9, 12));
    // RFC 9110 section 15.4.5: a 304 has no content, for any Content-Length.
    const length = status === 304 ? 0 : Number(CONTENT_LENGTH.exec(text)?.[1]);
    if (status !== this.#plan.expectedStatus || Number.isNaN(length)) {
      const expected = `${this.#plan.expectedStatus} with Content-Length`;
      this.#fail(`expected ${expected}, got: ${head.toString('latin1', 0, end + 400)}`);
      return;
    }
    this.#bodyLeft = length;
    this.#receiveBody(head.length - end - HEAD_END.length);
  }

  #receiveBody(length: number): void {
    this.#bodyLeft -= length;
    if (this.#bodyLeft > 0) return;
    if (this.#bodyLeft < 0) this.#fail('an answer was longer than its Content-Length');
    const answered = this.#answered;
    this.#answered = undefined;
    answered?.();
  }
}

/** Sends requests on every connection until the time is over; returns after the last answer. */
async function run(plan: LoadPlan, connections: readonly Connection[], requests: readonly Buffer[]) {
  const latenciesMs: number[] = [];
  const startedAtMs = performance.now();
  const endsAtMs = startedAtMs + plan.seconds * 1000;
  let next = 0;
  const keepSending = async (connection: Connection) => {
    for (let nowMs = startedAtMs; nowMs < endsAtMs;) {
      const request = requests[next++ % requests.length];
      if (request === undefined) throw new Error('a load needs a request');
      const sentAtMs = performance.now();
      await connection.send(request);
      nowMs = performance.now();
      latenciesMs.push(nowMs - sentAtMs);
      if (plan.pauseMs > 0) await sleep(plan.pauseMs);
    }
  };
  const tooLate = setTimeout(
    () => {
      for (const connection of connections) connection.close();
      throw new Error(`some answers took longer than ${DRAIN_TIMEOUT_MS} ms (port ${plan.ports.join(', ')})`);
    },
    plan.seconds * 1000 + DRAIN_TIMEOUT_MS,
  );
  await Promise.all(connections.map(keepSending));
  clearTimeout(tooLate);
  return summary(latenciesMs, (performance.now() - startedAtMs) / 1000);
}

function summary(latenciesMs: readonly number[], elapsedSeconds: number): LoadResult {
  const sorted = Float64Array.from(latenciesMs).sort();
  const quantile = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  return { requests: sorted.length, elapsedSeconds, p50Ms: quantile(0.5), p99Ms: quantile(0.99) };
}

const plan = workerData as LoadPlan;
const requests = plan.requests.map((text) => Buffer.from(text));
const connections = Array.from({ length: plan.connections }, (_, index) => {
  const port = plan.ports[index % plan.ports.length];
  if (port === undefined) throw new Error('a load needs a server');
  return new Connection(plan, port);
});
await Promise.all(connections.map((connection) => connection.opened));
if (parentPort === null) throw new Error('this file is the worker of load.ts');
const go = once(parentPort, 'message');
parentPort.postMessage('ready');
await go;
const result = await run(plan, connections, requests);
for (const connection of connections) connection.close();
parentPort.postMessage(result);
