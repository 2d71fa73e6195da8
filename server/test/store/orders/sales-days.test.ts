import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { MAX_QUANTITY } from '@petstore-inventory/shared/limits';
import type { Reason } from '@petstore-inventory/shared/words';
import { type Movement, UNEXPLAINED } from '../../../src/domain/ledger/ledger.ts';
import { daysOfStock, MAX_REVERTS, SALES_DAYS } from '../../../src/domain/ledger/sales.ts';
import type { BatchChange } from '../../../src/domain/write-command.ts';
import { availableOf } from '../../../src/domain/ledger/stock.ts';
import { soldUnits } from '../../alerts/naive-sales.ts';
import { startApp, type TestApp } from '../../support/harness.ts';
import { SeededRandom } from '../../support/limit-clients.ts';
import { petRow } from '../../support/pet-rows.ts';
import { place, step, write } from './shop-orders.ts';

const DAY_MS = 86_400_000;
const DAYS = 75;
const PETS = [1n, 2n, -(2n ** 63n)] as const;

async function adjust(app: TestApp, petId: bigint, delta: number, reason: Reason): Promise<void> {
  const explanation = { ...UNEXPLAINED, reason };
  await write(app, { kind: 'change', change: { kind: 'adjust', petId, delta, explanation } });
}

async function movementsOf({ store }: TestApp): Promise<readonly Movement[]> {
  const page = await store.ledger.listMovements({ filter: {}, order: 'asc', limit: 10_000 });
  assert.equal(page.next, undefined);
  return page.movements;
}

/** The sales of every pet now are those of a scan of the ledger. */
async function assertSales(app: TestApp): Promise<void> {
  const movements = await movementsOf(app);
  for (const petId of PETS) {
    const item = await app.store.findItem(petId, app.clock.nowMs);
    assert.ok(item);
    assert.equal(item.soldUnits, soldUnits(movements, petId, app.clock.nowMs));
    assert.equal(item.createdAtMs, movements.find((movement) => movement.petId === petId)?.recordedAtMs);
  }
}

async function startShop(t: TestContext): Promise<TestApp> {
  return startApp(t, { pets: PETS.map((petId) => petRow(petId, 10_000)) });
}

test('the sales of the last 30 days are those of the ledger, on each of many days', async (t) => {
  const app = await startShop(t);
  const random = new SeededRandom(8);
  for (let day = 0; day < DAYS; day += 1) {
    app.clock.nowMs += random.pick([DAY_MS / 2, DAY_MS, DAY_MS, 3 * DAY_MS]);
    const petId = random.pick(PETS);
    const { orderId } = await place(app, [[petId, 4]]);
    await step(app, orderId, 'approve');
    if (random.chance(0.6)) await step(app, orderId, 'deliver', [{ petId, quantity: random.integer(1, 3) }]);
    if (random.chance(0.2)) await step(app, orderId, 'cancel');
    await adjust(app, petId, -random.integer(1, 3), random.pick(['sold', 'sold', 'damaged', 'received']));
    const sold = (await movementsOf(app)).filter(
      ({ kind, reason }) => (kind === 'adjust' && reason === 'sold') || kind === 'revert',
    );
    if (random.chance(0.6) && sold.length > 0) {
      await write(app, { kind: 'revert', sequence: random.pick(sold.slice(-10)).sequence });
    }
    await assertSales(app);
  }
  const old = await app.database
    .rows(`SELECT sales.pet_id, day FROM sales JOIN (SELECT pet_id, max(day) AS newest FROM sales GROUP BY pet_id) AS newest
ON newest.pet_id = sales.pet_id WHERE day < newest - ${SALES_DAYS}`);
  assert.deepEqual(old, [], 'a sale deletes the days that no rate needs');
  assert.deepEqual((await app.admin.verify()).faults, []);
});

test('a sale counts for 30 UTC days, the day of the sale included', async (t) => {
  const app = await startShop(t);
  app.clock.nowMs = Date.UTC(2026, 7, 1, 23, 59, 59, 999);
  await adjust(app, 1n, -6, 'sold');
  app.clock.nowMs += 1;
  await adjust(app, 1n, -3, 'sold');
  const soldAt = async (atMs: number) => (await app.store.findItem(1n, atMs))?.soldUnits;
  assert.equal(await soldAt(app.clock.nowMs), 9);
  assert.equal(await soldAt(Date.UTC(2026, 7, 30, 23, 59, 59, 999)), 9);
  assert.equal(await soldAt(Date.UTC(2026, 7, 31)), 3);
  assert.equal(await soldAt(Date.UTC(2026, 7, 31, 23, 59, 59, 999)), 3);
  assert.equal(await soldAt(Date.UTC(2026, 8, 1)), 0);
});

test('many sales of one pet in one commit, with reverts, add up', async (t) => {
  const app = await startShop(t);
  const sales = Array.from({ length: 40 }, (_, i) => adjust(app, 1n, -1 - (i % 3), 'sold'));
  await Promise.all(sales);
  const sold = (await movementsOf(app)).filter(({ reason }) => reason === 'sold');
  const reverts = sold
    .filter((_, i) => i % 3 === 0)
    .map(({ sequence }) => ({ kind: 'revert' as const, sequence }));
  await Promise.all([
    ...reverts.map((command) => write(app, command)),
    ...Array.from({ length: 10 }, () => adjust(app, 1n, -5, 'sold')),
  ]);
  await assertSales(app);
});

test('a revert is no sale, and a revert of a revert takes no sale away', async (t) => {
  const app = await startShop(t);
  await adjust(app, 1n, -6, 'sold');
  await adjust(app, 1n, 5, 'received');
  const explanation = { ...UNEXPLAINED, reason: 'sold' } as const;
  const { sequence } = await app.store.ledger.head();
  await write(app, { kind: 'revert', sequence, explanation });
  const soldNow = async () => (await app.store.findItem(1n, app.clock.nowMs))?.soldUnits;
  assert.equal(await soldNow(), 6);
  await write(app, { kind: 'revert', sequence: sequence + 1 });
  assert.equal(await soldNow(), 6);
});

test('reverts are followed to their sale up to a limit, and one beyond it changes no sale', async (t) => {
  const app = await startShop(t);
  await adjust(app, 1n, -6, 'sold');
  const { sequence } = await app.store.ledger.head();
  const sold: (number | undefined)[] = [];
  for (let reverts = 0; reverts < MAX_REVERTS + 3; reverts += 1) {
    await write(app, { kind: 'revert', sequence: sequence + reverts });
    sold.push((await app.store.findItem(1n, app.clock.nowMs))?.soldUnits);
  }
  assert.deepEqual(sold.slice(0, 4), [0, 6, 0, 6]);
  assert.deepEqual(sold.slice(MAX_REVERTS - 2), [0, 6, 0, 0, 0]);
});

test('sales of one day beyond what a number holds stay at the largest number', async (t) => {
  const app = await startShop(t);
  for (let i = 0; i < 3; i += 1) {
    await write(app, { kind: 'change', change: { kind: 'set', petId: 2n, quantity: MAX_QUANTITY } });
    await adjust(app, 2n, -MAX_QUANTITY, 'sold');
  }
  assert.deepEqual(await app.database.rows('SELECT units FROM sales WHERE pet_id = 2'), [[MAX_QUANTITY]]);
  app.clock.nowMs += DAY_MS;
  await write(app, { kind: 'change', change: { kind: 'set', petId: 2n, quantity: MAX_QUANTITY } });
  await adjust(app, 2n, -MAX_QUANTITY, 'sold');
  await write(app, { kind: 'change', change: { kind: 'set', petId: 2n, quantity: MAX_QUANTITY } });
  const item = await app.store.findItem(2n, app.clock.nowMs);
  assert.ok(item);
  assert.equal(item.soldUnits, 2 * MAX_QUANTITY);
  assert.equal(daysOfStock(availableOf(item), item, app.clock.nowMs), 0.5);
});

test('sales of one commit are taken back and added in their order', async (t) => {
  const app = await startShop(t);
  const restock = () =>
    write(app, { kind: 'change', change: { kind: 'set', petId: 2n, quantity: MAX_QUANTITY } });
  const sold = async () => app.database.rows('SELECT units FROM sales WHERE pet_id = 2');
  const sequences: number[] = [];
  for (let i = 0; i < 2; i += 1) {
    await restock();
    await adjust(app, 2n, -MAX_QUANTITY, 'sold');
    sequences.push((await app.store.ledger.head()).sequence);
  }
  const [first = 0, second = 0] = sequences;
  await write(app, { kind: 'revert', sequence: first });
  assert.deepEqual(await sold(), [[0]], 'the day had no more than the largest number');
  await adjust(app, 2n, -MAX_QUANTITY, 'damaged');
  const batch = async (...changes: readonly BatchChange[]) => {
    const command = { kind: 'batch', changes, errorPolicy: 'reject_everything', isDryRun: false } as const;
    const result = await write(app, command);
    assert.equal(result.code, 'done');
    return result.kind === 'batch' ? result.rows.map(({ sequence }) => sequence ?? 0) : [];
  };
  const revert = (sequence: number) => ({ kind: 'revert', petId: 2n, sequence }) as const;
  const sell = (units: number) => {
    const explanation = { ...UNEXPLAINED, reason: 'sold' } as const;
    return { kind: 'adjust', petId: 2n, delta: -units, explanation } as const;
  };
  const [, last = 0] = await batch(revert(second), sell(3));
  assert.deepEqual(await sold(), [[3]]);
  await batch(sell(4), revert(last));
  assert.deepEqual(await sold(), [[4]]);
  const { sequence } = await app.store.ledger.head();
  const restocked = { kind: 'set', petId: 2n, quantity: MAX_QUANTITY } as const;
  await batch(restocked, sell(MAX_QUANTITY), restocked, sell(MAX_QUANTITY), revert(sequence + 4));
  assert.deepEqual(await sold(), [[0]]);
});
