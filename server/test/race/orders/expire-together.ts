import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { SeededRandom } from '../../support/limit-clients.ts';
import { readLedger } from '../checker/movement-pages.ts';
import { Connections } from '../connections.ts';
import { verdictOf } from '../racer.ts';
import { KILL, type Stage } from '../stage.ts';
import { type ExpiryOptions, placeInTime, reservedUnits } from './place-in-time.ts';
import { readOrders } from './read-orders.ts';

const WRITERS = 2;
const RETRY_PAUSE_MS = 20;
/** All orders are expired within this time of their expiry. */
const MAX_LATE_MS = 30_000;
const POLL_INTERVAL_MS = 25;
/** How long no instance is killed, although none has begun. */
const MAX_UNHARMED_MS = 300;

/**
 * Places orders that expire in the same moment, and kills an instance then, while clients write. Asserts that all expire
 * in time and exactly once. Returns how late the last one was, in milliseconds.
 */
export async function expireTogether(stage: Stage, options: ExpiryOptions): Promise<number> {
  const { orders, writtenPetId } = options;
  const { prefix, expiresAtMs } = await placeInTime(stage, options);
  await delay(expiresAtMs - Date.now());
  const lateMs = await whileWriting(stage, writtenPetId, () => untilExpired(stage, expiresAtMs, options));
  const service = { port: stage.ports()[0]!, key: stage.keys[0]!.key };
  const expired = await readOrders(service, `?order=asc&limit=100&referenceId=${prefix}`);
  assert.equal(expired.length, orders);
  for (const { orderId, status, version } of expired)
    assert.deepEqual([status, version], ['expired', 2], `order ${orderId}`);
  const ids = new Set(expired.map(({ orderId }) => orderId));
  const releases = (await readLedger(service)).filter(
    ({ kind, orderId }) => kind === 'release' && ids.has(orderId ?? 0),
  );
  assert.equal(releases.length, orders, 'each order is expired once');
  assert.deepEqual(new Set(releases.map(({ orderId }) => orderId)), ids);
  for (const { actor, recordedAt } of releases) {
    assert.deepEqual(actor, { keyId: null, name: 'service' });
    assert.ok(Date.parse(recordedAt) >= expiresAtMs, 'no order expires before its time');
  }
  return lateMs;
}

/** Kills an instance, and waits until all are expired. Returns how late the last one was. */
async function untilExpired(
  stage: Stage,
  expiresAtMs: number,
  { seed, orders, petId }: ExpiryOptions,
): Promise<number> {
  let kill: Promise<void> | undefined;
  for (let left = await reservedUnits(stage, petId); left !== 0; left = await reservedUnits(stage, petId)) {
    const isTime = Date.now() > expiresAtMs + MAX_UNHARMED_MS;
    // Amid the expiries, if it can be.
    if (isTime || (left !== undefined && left < orders)) kill ??= stage.faults[KILL]!(new SeededRandom(seed));
    assert.ok(Date.now() < expiresAtMs + MAX_LATE_MS, 'all orders expire in time');
    await delay(POLL_INTERVAL_MS);
  }
  const lateMs = Date.now() - expiresAtMs;
  await kill;
  return lateMs;
}

/** Runs work while clients write, whatever fails. */
async function whileWriting<T>(stage: Stage, petId: bigint, work: () => Promise<T>): Promise<T> {
  const writing = { isOver: false };
  const writers = Array.from({ length: WRITERS }, () => write(stage, petId, writing));
  try {
    return await work();
  } finally {
    writing.isOver = true;
    await Promise.all(writers);
  }
}

async function write(stage: Stage, petId: bigint, writing: { readonly isOver: boolean }): Promise<void> {
  const connections = new Connections(stage.keys[0]!.key);
  for (let quantity = 1; !writing.isOver; quantity += 1) {
    const ports = stage.ports();
    const change = { method: 'PATCH', path: `/v1/inventory/${petId}`, body: `{"quantity":${quantity}}` };
    const exchange = await connections.send(ports[quantity % ports.length]!, change);
    if (exchange.kind === 'answered' && verdictOf(exchange) === 'decided')
      assert.equal(exchange.answer.status, 200);
    else await delay(RETRY_PAUSE_MS);
  }
  connections.close();
}
