import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import { NO_THRESHOLDS, type Thresholds } from '@petstore-inventory/shared/thresholds';
import fc from 'fast-check';
import { STATUS_POLICIES } from '../../src/domain/inventory.ts';
import { alertOf, thresholdsOf } from '../../src/domain/ledger/alerts.ts';
import type { Movement } from '../../src/domain/ledger/ledger.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { parseOrderEvent } from '../../src/domain/webhooks/order-events.ts';
import { alertFaults, type DecidedMovement } from '../alerts/alert-replay.ts';
import { soldUnits } from '../alerts/naive-sales.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';
import { testEngine } from '../support/test-database.ts';
import { HistoryRun } from './history-run.ts';
import type { MemoryShop } from './memory-shop.ts';
import { type HistoryStep, histories, PET_IDS, resolved, thresholds } from './random-commands.ts';

const PETS = PET_IDS.map((petId, i) => petRow(petId, [20, 9, 0][i]));
const STEPS = Math.max(300, 600 * testEngine().share);
const HOLD_SECONDS = 1;

async function startShop(t: TestContext, statusPolicy: string): Promise<TestApp> {
  const config = { PETSTORE_STATUS_POLICY: statusPolicy, PETSTORE_ORDER_HOLD: String(HOLD_SECONDS) };
  const limits = { PETSTORE_MAX_QUANTITY: '20' };
  return startApp(t, { pets: PETS, config: { ...config, ...limits }, nowMs: 'now' });
}

/** A history of its own each time; a failure names the seed. */
function randomHistory(seed: number): readonly HistoryStep[] {
  const lengths = { minLength: STEPS, maxLength: STEPS };
  return fc.sample(histories(lengths), { seed, numRuns: 1 })[0] ?? [];
}

async function movementsOf({ store }: TestApp, after = 0): Promise<Movement[]> {
  const movements: Movement[] = [];
  for (let next: number | undefined = after; next !== undefined;) {
    const page = await store.ledger.listMovements({ filter: { after: next }, order: 'asc', limit: 500 });
    movements.push(...page.movements);
    next = page.next;
  }
  return movements;
}

for (const statusPolicy of STATUS_POLICIES) {
  const seed = Date.now() % 1_000_000;
  test(`under ${statusPolicy}, a database keeps what the domain decides (seed ${seed})`, async (t) => {
    const app = await startShop(t, statusPolicy);
    const { store, clock } = app;
    const imported = await movementsOf(app);
    const items = await Promise.all(PET_IDS.map(async (petId) => store.findItem(petId, clock.nowMs)));
    const stock = new Map(
      items.map((item) => {
        assert.ok(item);
        const { petId, name: _, category: __, soldUnits: ___, createdAtMs: ____, ...one } = item;
        return [petId, one] as const;
      }),
    );
    const rules = { statusPolicy, maxQuantity: 20, orderHoldMs: HOLD_SECONDS * 1_000 };
    const run = new HistoryRun({ stock, rules, startMs: clock.nowMs, tickMs: 40 });
    run.shop.movements.push(...imported);
    let pending: Promise<void>[] = [];
    for (const step of randomHistory(seed)) {
      const executed = run.take(step);
      if (executed) {
        const { command, author, result } = executed;
        const written = Promise.resolve(store.write({ command, author }));
        pending.push(written.then((answer) => assert.deepEqual(answer, { kind: 'written', result })));
      } else {
        await Promise.all(pending);
        pending = [];
      }
    }
    await Promise.all(pending);
    run.shop.commit();
    await assertSame(app, run);
    assert.deepEqual((await app.admin.verify()).faults, []);
  });
}

async function eventsOf({ database }: TestApp) {
  const rows = await database.rows(
    'SELECT sequence, number, type, account_id, data FROM events ORDER BY sequence, number',
  );
  return rows.map(([sequence, number, type, accountId, data]) => {
    return {
      sequence: Number(sequence),
      number: Number(number),
      type,
      accountId,
      ...parseOrderEvent(String(data)),
    };
  });
}

const EVENT_OF = {
  place: 'order.placed',
  approve: 'order.approved',
  deliver: 'order.delivered',
  cancel: 'order.cancelled',
  return: 'order.returned',
  expire: 'order.expired',
} as const;

/** One per step, in order, numbered among those after the same movement. */
function expectedEvents({ steps }: MemoryShop) {
  return steps.map(({ name, order, sequence, author: { actor, actorName } }, i) => {
    const before = steps.slice(0, i).filter((one) => one.sequence === sequence).length;
    return { sequence, number: 2 + before, type: EVENT_OF[name], accountId: null, actor, actorName, order };
  });
}

/** Everything that the database returns is as in memory. */
async function assertSame(app: TestApp, { shop, nowMs }: HistoryRun): Promise<void> {
  const { store } = app;
  assert.deepEqual(await movementsOf(app), shop.movements);
  const page = await store.orders.listOrders({ filter: {}, order: 'asc', limit: 10_000 });
  assert.deepEqual(page.orders, [...shop.orders.values()]);
  assert.ok(page.orders.length > 0);
  for (const order of page.orders) assert.deepEqual(await store.orders.findOrder(order.orderId), order);
  for (const [petId, stock] of shop.stock) {
    const item = await store.findItem(petId, nowMs);
    assert.ok(item);
    assert.deepEqual({ ...item, ...stock }, item);
    assert.equal(item.soldUnits, soldUnits(shop.movements, petId, nowMs));
  }
  assert.deepEqual(await eventsOf(app), expectedEvents(shop));
  const totals = await store.ledger.stockTotals();
  const reserved = [...shop.stock.values()].reduce((sum, one) => sum + one.reserved, 0);
  assert.equal(totals.reserved, BigInt(reserved));
}

const imports: fc.Arbitrary<PetRow> = fc
  .record({
    petId: fc.constantFrom(...PET_IDS),
    quantity: fc.nat(20),
    own: fc.option(thresholds, { nil: undefined }),
  })
  .map(({ petId, quantity, own }) => ({ ...petRow(petId, quantity), ...(own && { thresholds: own }) }));

/** Steps of all write paths, those of the operator included. */
const operatorSteps = fc.oneof(
  { weight: 12, arbitrary: histories({ minLength: 1, maxLength: 6, hasDefaults: true }) },
  { weight: 1, arbitrary: imports.map((row) => [{ kind: 'import' as const, row }]) },
);

const COMPLETE_SEED = 3;

test('levels and alerts of all write paths are those of a replay of the ledger', async (t) => {
  const app = await startShop(t, 'follow-orders');
  const { store, admin, clock } = app;
  const seed = Date.now() % 1_000_000;
  t.diagnostic(`seed ${seed}`);
  // The first part is the same each time, because few random histories have every kind of alert.
  const parts = [
    [COMPLETE_SEED, 50],
    [seed, STEPS / 12],
  ] as const;
  const steps = parts.flatMap(([each, numRuns]) => fc.sample(operatorSteps, { seed: each, numRuns })).flat();
  const decided: DecidedMovement[] = [];
  let shop: Thresholds = NO_THRESHOLDS;
  /** Notes the movements of a step with the thresholds after it. */
  const note = async () => {
    const last = decided.at(-1)?.movement.sequence ?? 0;
    for (const movement of await movementsOf(app, last)) {
      const item = await store.findItem(movement.petId, clock.nowMs);
      assert.ok(item);
      const alert = alertOf(movement.alertBefore, movement.alertAfter);
      decided.push({ movement, thresholds: thresholdsOf(item, shop), alert });
    }
  };
  await note();
  for (const step of steps) {
    if (step.kind === 'wait') clock.nowMs += step.ms * 40;
    if (step.kind === 'import') await admin.importPets([step.row], 'cli', clock.nowMs);
    if (step.kind === 'default') {
      shop = step.thresholds;
      await admin.setDefaultThresholds(shop, CLI_AUTHOR);
    }
    if (step.kind === 'command') {
      const { orders } = await store.orders.listOrders({ filter: {}, order: 'desc', limit: 1 });
      const { sequence: movements } = await store.ledger.head();
      const made = { orders: orders[0]?.orderId ?? 0, movements, nowMs: clock.nowMs };
      const author = { actor: 'key_1', actorName: 'key_1', requestId: null, atMs: clock.nowMs };
      await store.write({ command: resolved(step.relative, made), author });
    }
    await note();
  }
  assert.deepEqual(alertFaults(decided), []);
  const kinds = new Set((await movementsOf(app)).filter((one) => one.alertAfter).map(({ kind }) => kind));
  for (const kind of ['import', 'set', 'thresholds', 'reserve'] as const) assert.ok(kinds.has(kind), kind);
  assert.deepEqual((await admin.verify()).faults, []);
});
