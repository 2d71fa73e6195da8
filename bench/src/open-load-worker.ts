import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { quantile } from './compare.ts';
import type { OpenLoadPlan, OpenLoadResult, Waits } from './open-load.ts';

/** How long the last answers may take after the load has ended. */
const DRAIN_MS = 30_000;
/** New connections per 10 ms, before the load. */
const OPENED_TOGETHER = 20;
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;
const RETRY_AFTER = /\r\nretry-after: *[1-9]\d*\r\n/i;

const plan = workerData as OpenLoadPlan;
const requests = plan.requests.map((text) => Buffer.from(text));
const acceptedMs: number[] = [];
const refusedMs: number[] = [];
const idle: Connection[] = [];
let due = 0;
let sent = 0;
let answered = 0;
let inTime = 0;

/** One keep-alive connection with at most one pending request. */
class Connection {
  readonly #socket: Socket;
  #head = '';
  /** The bytes of the body that have not arrived; `undefined` before its head has. */
  #left: number | undefined;
  #sentAtMs = 0;

  constructor() {
    this.#socket = connect({ host: plan.host, port: plan.port, noDelay: true });
    this.#socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    this.#socket.on('close', () => {
      throw new Error('the server closed a connection');
    });
  }

  send(): void {
    this.#sentAtMs = performance.now();
    this.#socket.write(requests[sent++ % requests.length] as Buffer);
  }

  close(): void {
    this.#socket.removeAllListeners('close').destroy();
  }

  #receive(bytes: Buffer): void {
    if (this.#left !== undefined) return this.#receiveBody(this.#left - bytes.length);
    this.#head += bytes.toString('latin1');
    const end = this.#head.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#head.slice(0, end + 2);
    const length = Number(CONTENT_LENGTH.exec(head)?.[1]);
    const bodyLength = this.#head.length - end - 4;
    this.#head = '';
    this.#note(head);
    this.#receiveBody(length - bodyLength);
  }

  #note(head: string): void {
    const nowMs = performance.now();
    const status = head.slice(9, 12);
    answered += 1;
    if (status === '200') {
      acceptedMs.push(nowMs - this.#sentAtMs);
      if (nowMs < endsAtMs) inTime += 1;
    } else if (status === '503' && RETRY_AFTER.test(head)) {
      refusedMs.push(nowMs - this.#sentAtMs);
    } else throw new Error(`expected 200, or 503 with Retry-After, got: ${head}`);
  }

  #receiveBody(left: number): void {
    this.#left = left > 0 ? left : undefined;
    if (left > 0) return;
    idle.push(this);
    sendDue();
  }
}

function sendDue(): void {
  while (sent < due) {
    const connection = idle.pop();
    if (!connection) return;
    connection.send();
  }
}

function waits(values: readonly number[]): Waits {
  return { count: values.length, p50Ms: quantile(values, 0.5), p99Ms: quantile(values, 0.99) };
}

const connections: Connection[] = [];
for (let count = 0; count < plan.maxConnections; count++) {
  connections.push(new Connection());
  if (count % OPENED_TOGETHER === 0) await sleep(10);
}
idle.push(...connections);
const startedAtMs = performance.now();
const endsAtMs = startedAtMs + plan.seconds * 1_000;
for (let nowMs = startedAtMs; nowMs < endsAtMs; nowMs = performance.now()) {
  due = plan.perSecond === Infinity ? Infinity : Math.floor(((nowMs - startedAtMs) / 1_000) * plan.perSecond);
  sendDue();
  await sleep(1);
}
const total = due;
const unsent = due - sent;
due = sent;
const drainedByMs = performance.now() + DRAIN_MS;
while (answered < sent) {
  if (performance.now() > drainedByMs) throw new Error(`${sent - answered} requests have no answer`);
  await sleep(10);
}
for (const connection of connections) connection.close();
const result: OpenLoadResult = {
  due: total,
  unsent,
  goodput: inTime / plan.seconds,
  accepted: waits(acceptedMs),
  refused: waits(refusedMs),
};
parentPort?.postMessage(result);
