import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { OrderFilter, OrderQuery } from '../../../src/domain/orders/order-store.ts';
import { PostgresEngine } from '../../postgres/support/postgres-engine.ts';
import { startApp, type TestApp } from '../../support/harness.ts';
import { useEngineInProcess } from '../../support/test-database.ts';
import { COMMON_REFERENCE, FIRST_ORDER_MS, fillOrders, POPULAR_PET } from '../orders/filled-orders.ts';
import { place, step, write } from '../orders/shop-orders.ts';

const FEW = 1_000;
/** Smaller numbers try the test itself out. */
const MANY = Number(process.env.LARGE_DATA_PETS ?? 1_000_000);
const RUNS = 151;
const WRITES = 101;
/** So much more may an operation among many orders cost than among few. */
const MAX_RATIO = 2;
const MAX_EXPIRY_MS = 20_000;

/** A shop with orders of each status, whose stock has enough units for all their steps. */
async function filledShop(t: TestContext, orders: number): Promise<TestApp> {
  const app = await startApp(t);
  await fillOrders(app.database, orders);
  await app.database
    .run(`INSERT INTO pets (pet_id) SELECT DISTINCT pet_id FROM order_lines WHERE true ON CONFLICT DO NOTHING;
INSERT INTO inventory (pet_id, quantity, status, version, last_sequence, updated_at, reserved, created_at)
SELECT pet_id, 0, 'available', 1, 1, 0, 0, 0 FROM pets WHERE true ON CONFLICT DO NOTHING;
UPDATE inventory SET quantity = 100000000, reserved = 10000000; ANALYZE`);
  return app;
}

/** Filters whose page of ten orders is full among few orders too, except for the last one. */
function filtersOf(orders: number): Readonly<Record<string, OrderFilter>> {
  const createdSinceMs = FIRST_ORDER_MS + orders / 2;
  return {
    none: {},
    status: { status: 'delivered' },
    'rare status': { status: 'placed' },
    pet: { petId: POPULAR_PET },
    reference: { referenceId: COMMON_REFERENCE },
    'own reference': { referenceId: `own ${orders / 2 + 1}` },
    createdSince: { createdSinceMs },
    'status and createdSince': { status: 'delivered', createdSinceMs },
    'pet and status': { petId: POPULAR_PET, status: 'delivered' },
    'reference and pet': { referenceId: COMMON_REFERENCE, petId: POPULAR_PET },
    'status, reference, pet and createdSince': {
      status: 'delivered',
      referenceId: COMMON_REFERENCE,
      petId: POPULAR_PET,
      createdSinceMs,
    },
    'pet and rarer status': { petId: POPULAR_PET, status: 'expired' },
    'no orders': { petId: 8n, status: 'placed' },
  };
}

async function millisecondsOf(work: () => unknown): Promise<number> {
  const beganAtMs = performance.now();
  await work();
  return performance.now() - beganAtMs;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number;
}

/** The median duration of a work among many orders, in those of the same among few. Both run in turn. */
async function ratioOf(runs: number, few: () => unknown, many: () => unknown): Promise<number> {
  const durations: [number[], number[]] = [[], []];
  for (let i = 0; i < runs + 20; i += 1) {
    const [ofFew, ofMany] = [await millisecondsOf(few), await millisecondsOf(many)];
    if (i < 20) continue;
    durations[0].push(ofFew);
    durations[1].push(ofMany);
  }
  return median(durations[1]) / median(durations[0]);
}

/** Expires all due orders as the service does, some at a time. */
async function expireAll(app: TestApp): Promise<number> {
  for (let expired = 0; ;) {
    const { orderIds } = await app.store.orders.dueOrders(100);
    if (orderIds.length === 0) return expired;
    const results = await Promise.all(
      orderIds.map((orderId) => write(app, { kind: 'step', step: 'expire', orderId })),
    );
    for (const result of results) assert.ok(result.kind === 'order' && result.code === 'done');
    expired += results.length;
  }
}

async function examine(t: TestContext): Promise<void> {
  const few = await filledShop(t, FEW);
  const many = await filledShop(t, MANY);
  const excesses: string[] = [];
  const judge = (what: string, ratio: number) => {
    t.diagnostic(`${what}: ${ratio.toFixed(2)}`);
    if (ratio > MAX_RATIO) excesses.push(`${what} costs ${ratio.toFixed(2)} times as much`);
  };
  const fewFilters = filtersOf(FEW);
  for (const [name, filter] of Object.entries(filtersOf(MANY))) {
    for (const order of ['asc', 'desc'] as const) {
      const pageOf = (app: TestApp, one: OrderFilter | undefined) => {
        const query: OrderQuery = { filter: one ?? {}, order, limit: 10 };
        return () => app.store.orders.listOrders(query);
      };
      judge(
        `page, ${name}, ${order}`,
        await ratioOf(RUNS, pageOf(few, fewFilters[name]), pageOf(many, filter)),
      );
    }
  }
  judge(
    'an order',
    await ratioOf(
      RUNS,
      () => few.store.orders.findOrder(500),
      () => many.store.orders.findOrder(MANY / 2),
    ),
  );
  const placing = (app: TestApp) => () => place(app, [[POPULAR_PET, 1]]);
  judge('place', await ratioOf(WRITES, placing(few), placing(many)));
  const approving = (app: TestApp, first: number) => {
    let next = first;
    return () => {
      next += 1;
      return step(app, next, 'approve');
    };
  };
  judge('approve', await ratioOf(WRITES, approving(few, FEW), approving(many, MANY)));
  let expired = 0;
  const expiryMs = await millisecondsOf(async () => {
    expired = await expireAll(many);
  });
  t.diagnostic(`${expired} due orders expired in ${(expiryMs / 1_000).toFixed(1)} s`);
  assert.ok(expired >= MANY / 100);
  assert.ok(expiryMs < MAX_EXPIRY_MS, `${expired} due orders expired in ${expiryMs} ms`);
  assert.deepEqual(excesses, []);
}

test(`orders among ${MANY} cost at most ${MAX_RATIO} times as much as among ${FEW}`, examine);

test(`orders among ${MANY} cost at most ${MAX_RATIO} times as much as among ${FEW}, on PostgreSQL`, (t) => {
  useEngineInProcess(new PostgresEngine());
  return examine(t);
});
