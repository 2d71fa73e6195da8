import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { RawResponse } from '../blackbox/raw-socket.ts';
import { SeededRandom } from '../support/limit-clients.ts';
import { Progress } from '../support/progress.ts';
import { requestBatch } from './batch-request.ts';
import { type MovementJson, readLedger } from './checker/movement-pages.ts';
import { Connections, type RaceRequest } from './connections.ts';
import { requestOrder } from './orders/order-requests.ts';
import { readOrders } from './orders/read-orders.ts';
import { isReplay, verdictOf } from './racer.ts';
import { requestChange } from './requests.ts';
import type { Stage } from './stage.ts';

const WORKERS = 100;
const RESPONSE_TIMEOUT_MS = 90_000;
const HANG_UP_SHARE = 0.02;
const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 400;

export interface DuplicateOptions {
  /** A number at its beginning makes the random choices. */
  readonly seed: string;
  readonly keys: number;
  readonly duplicates: number;
  /** The request of a key; none may be refused. */
  readonly requestOf: (key: string, index: number) => PlannedRequest;
  /** The faults, spread over the run. */
  readonly faults: readonly (() => Promise<void>)[];
}

interface PlannedRequest {
  readonly request: RaceRequest;
  /** How many it makes. */
  readonly movements: number;
  readonly orders: number;
}

export interface DuplicateCounts {
  readonly tries: number;
  /** Keys of which the first answer was lost, so that all others were repetitions of it. */
  readonly lostFirsts: number;
}

/** A key with its request, and all answers to it. */
interface KeyedRequest extends PlannedRequest {
  readonly key: string;
  readonly answers: RawResponse[];
}

/**
 * Sends each of many requests many times under its `Idempotency-Key`, concurrently and to all instances, until each is
 * answered. Asserts that all answers to a key have the same bytes, that all but one are marked as replays, and that the
 * ledger records each request once, with one order of each that places one.
 */
export async function onceForEachKey(stage: Stage, options: DuplicateOptions): Promise<DuplicateCounts> {
  const { seed, keys, duplicates, faults } = options;
  const random = new SeededRandom(Number.parseInt(seed, 10));
  const requests = Array.from({ length: keys }, (_, index) => keyed(`${seed}-${index}`, index, options));
  // The duplicates of a key are adjacent, so that different workers send them.
  const pending = requests.flatMap((one) => Array.from({ length: duplicates }, () => one));
  const total = pending.length;
  const progress = new Progress('requests', total);
  let tries = 0;
  let pendingFault = Promise.resolve();
  let startedFaults = 0;
  const work = Array.from({ length: WORKERS }, async () => {
    const connections = new Connections(stage.keys[0]!.key);
    for (let one = pending.shift(); one; one = pending.shift()) {
      const fault = faults[startedFaults];
      if (fault && total - pending.length > (total * (startedFaults + 1)) / (faults.length + 1)) {
        startedFaults += 1;
        pendingFault = pendingFault.then(fault);
      }
      const count = await answerTo(one, connections, stage, random);
      tries += count;
      progress.step();
    }
    connections.close();
  });
  await Promise.all(work);
  await pendingFault;
  const service = { port: stage.ports()[0]!, key: stage.keys[0]!.key };
  const ledger = await readLedger(service);
  const placed = Map.groupBy(await readOrders(service), ({ referenceId }) => referenceId);
  const byMark = Map.groupBy(ledger, ({ referenceId }) => referenceId?.split('/')[0]);
  for (const one of requests) {
    assertOneEffect(one, byMark.get(one.key) ?? [], duplicates);
    assert.equal(placed.get(one.key)?.length ?? 0, one.orders, `key ${one.key}: orders`);
  }
  const lostFirsts = requests.filter(({ answers }) => answers.every(isReplay)).length;
  return { tries, lostFirsts };
}

function keyed(key: string, index: number, { requestOf }: DuplicateOptions): KeyedRequest {
  const { request, ...planned } = requestOf(key, index);
  const headers = { ...request.headers, 'Idempotency-Key': key };
  return { key, request: { ...request, headers }, ...planned, answers: [] };
}

/** Alternates between an adjustment, a batch, and a set to a unique quantity; none takes anything. */
export function changesOf(petIds: readonly bigint[]): DuplicateOptions['requestOf'] {
  return (key, index) => {
    const petId = petIds[index % petIds.length]!;
    const other = petIds[(index + 1) % petIds.length]!;
    const change = { kind: 'adjust', delta: 1 } as const;
    const rows = [petId, other].map((each) => ({ petId: each, change }));
    const [{ request }, movements] = [
      [requestChange(petId, change, key, undefined), 1] as const,
      [requestBatch(rows, 'reject_everything', key), rows.length] as const,
      [requestChange(petId, { kind: 'set', quantity: (index + 1) * 1_000_000 }, key, undefined), 1] as const,
    ][index % 3]!;
    return { request, movements, orders: 0 };
  };
}

/** An order of one unit of each pet. */
export function ordersOf(petIds: readonly bigint[]): DuplicateOptions['requestOf'] {
  const lines = petIds.map((petId) => ({ petId, quantity: 1 }));
  return (key) => {
    const { request } = requestOrder(lines, key, null);
    return { request, movements: lines.length, orders: 1 };
  };
}

/** Sends a request until it is answered; returns how many times. */
async function answerTo(
  { request, answers }: KeyedRequest,
  connections: Connections,
  { ports }: Stage,
  random: SeededRandom,
): Promise<number> {
  const giveUpAtMs = performance.now() + RESPONSE_TIMEOUT_MS;
  for (let tries = 1; ; tries += 1) {
    const port = random.pick(ports());
    const exchange = random.chance(HANG_UP_SHARE)
      ? await connections.sendAndLeave(port, request, random.integer(0, FIRST_PAUSE_MS))
      : await connections.send(port, request);
    if (exchange.kind === 'answered' && verdictOf(exchange) === 'decided') {
      answers.push(exchange.answer);
      return tries;
    }
    assert.ok(performance.now() < giveUpAtMs, `${request.method} ${request.path} is answered in time`);
    // Wait longer after each try, or the waiting retries delay the answer itself.
    await delay(random.integer(1, Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries)));
  }
}

function assertOneEffect(
  { key, request, movements, answers }: KeyedRequest,
  made: readonly MovementJson[],
  duplicates: number,
): void {
  const what = `key ${key}, ${request.method} ${request.path}`;
  const [first] = answers;
  assert.equal(answers.length, duplicates, what);
  assert.ok(first!.status === 200 || first!.status === 201, `${what}: ${first!.status} ${first!.body}`);
  for (const { status, body } of answers)
    assert.deepEqual([status, String(body)], [first!.status, String(first!.body)], what);
  const firsts = answers.filter((answer) => !isReplay(answer));
  assert.ok(firsts.length <= 1, `${what}: ${firsts.length} answers are not marked as replays`);
  assert.equal(made.length, movements, `${what}: movements`);
  const requestIds = new Set(made.map(({ requestId }) => requestId));
  assert.equal(requestIds.size, 1, `${what}: applied in one request`);
  if (firsts[0]) assert.ok(requestIds.has(firsts[0].headers.get('x-request-id') ?? ''), what);
}
