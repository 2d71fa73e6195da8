import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_THRESHOLDS, type Thresholds } from '@petstore-inventory/shared/thresholds';
import fc from 'fast-check';
import { STATUS_POLICIES } from '../../src/domain/inventory.ts';
import { alertLevel, alertOf, thresholdsOf } from '../../src/domain/ledger/alerts.ts';
import { HistoryRun } from '../orders/history-run.ts';
import { MemoryShop } from '../orders/memory-shop.ts';
import { histories, PET_IDS } from '../orders/random-commands.ts';
import { RULES, stockOf } from '../writes/stock-fixtures.ts';
import { alertFaults, type DecidedMovement } from './alert-replay.ts';

const RUNS = 1_000;
const NEW = { version: 0, lastSequence: 0, updatedAtMs: 0 } as const;
const START = new Map(
  [20, 9, 7].map((quantity, i) => [PET_IDS[i] as bigint, stockOf(quantity, NEW)] as const),
);

function decidedMovements(shop: MemoryShop): DecidedMovement[] {
  return shop.movements.map((movement, i) => ({
    movement,
    thresholds: shop.decidedBy[i] as Thresholds,
    alert: alertOf(movement.alertBefore, movement.alertAfter),
  }));
}

test('levels and alerts are those of a replay of the ledger, and low comes once until back', () => {
  const met = new Set<string>();
  const policies = fc.constantFrom(...STATUS_POLICIES);
  const steps = histories({ minLength: 20, maxLength: 80, hasDefaults: true });
  const property = fc.property(policies, steps, (statusPolicy, history) => {
    const rules = { statusPolicy, maxQuantity: 20, orderHoldMs: 30 };
    const run = new HistoryRun({ stock: START, rules, startMs: 1_000 });
    for (const step of history) run.take(step);
    run.shop.commit();
    const decided = decidedMovements(run.shop);
    assert.deepEqual(alertFaults(decided), []);
    for (const [i, { alert }] of decided.entries()) met.add(`${run.shop.movements[i]?.kind} ${alert}`);
  });
  fc.assert(property, { numRuns: RUNS });
  const kinds = ['set', 'adjust', 'revert', 'thresholds'];
  const expected = [
    ...kinds.flatMap((kind) => ['low', 'back'].map((alert) => `${kind} ${alert}`)),
    ...['reserve low', 'reserve out', 'set oversold', 'adjust oversold', 'release back', 'return back'],
  ];
  assert.deepEqual(
    expected.filter((name) => !met.has(name)),
    [],
  );
});

test('stock that moves around the threshold is low once until it reaches restockAt', () => {
  const shop = new MemoryShop(new Map([[1n, stockOf(20, NEW)]]), RULES);
  const author = { actor: 'cli', actorName: 'cli', requestId: null, atMs: 1 };
  const set = (quantity: number) =>
    shop.run({ kind: 'change', change: { kind: 'set', petId: 1n, quantity } }, author);
  const thresholds = { lowStockAt: 5, restockAt: 10 };
  shop.run({ kind: 'change', change: { kind: 'thresholds', petId: 1n, ...thresholds } }, author);
  for (const quantity of [6, 5, 6, 4, 9, 5, 0, 3, 10, 6, 5]) set(quantity);
  shop.commit();
  assert.deepEqual(
    shop.movements.map(({ alertBefore, alertAfter }) => alertOf(alertBefore, alertAfter)),
    [null, null, 'low', null, null, null, null, 'out', null, 'back', null, 'low'],
  );
});

test('the level follows from units, thresholds, and whether there was one before', () => {
  const at = (lowStockAt: number | null, restockAt: number | null = null) => ({ lowStockAt, restockAt });
  const cases: readonly [...Parameters<typeof alertLevel>, after: ReturnType<typeof alertLevel>][] = [
    [null, 1, NO_THRESHOLDS, null],
    ['out', 1, NO_THRESHOLDS, null],
    [null, 0, NO_THRESHOLDS, 'out'],
    [null, -1, NO_THRESHOLDS, 'oversold'],
    [null, 3, at(3), 'low'],
    [null, 4, at(3), null],
    ['low', 4, at(3), null],
    ['low', 4, at(3, 6), 'low'],
    ['oversold', 5, at(3, 6), 'low'],
    ['low', 6, at(3, 6), null],
    [null, 1, at(0, 4), null],
    ['out', 1, at(0, 4), 'low'],
    ['out', 4, at(0, 4), null],
  ];
  for (const [before, available, thresholds, after] of cases) {
    assert.equal(
      alertLevel(before, available, thresholds),
      after,
      JSON.stringify([before, available, thresholds]),
    );
  }
});

test("a pet's own thresholds replace those of the shop", () => {
  const [own, shop] = [
    { lowStockAt: 2, restockAt: null },
    { lowStockAt: 5, restockAt: 10 },
  ];
  assert.deepEqual(thresholdsOf(own, shop), own);
  assert.deepEqual(thresholdsOf(own, NO_THRESHOLDS), own);
  assert.deepEqual(thresholdsOf(NO_THRESHOLDS, shop), shop);
});

const PLANTED: Readonly<Record<string, (one: DecidedMovement) => DecidedMovement>> = {
  'a level that is missing': (one) => ({ ...one, movement: { ...one.movement, alertAfter: null } }),
  'a level that does not continue': (one) => ({
    ...one,
    movement: { ...one.movement, alertBefore: 'oversold' },
  }),
  'an alert that is missing': (one) => ({ ...one, alert: null }),
};

test('the replay finds planted faults', () => {
  const movement = { sequence: 1, petId: 1n, quantityAfter: 2, reservedAfter: 1 };
  const low = { ...movement, alertBefore: null, alertAfter: 'low' } as const;
  const still = { ...low, sequence: 2, alertBefore: 'low' } as const;
  const thresholds = { lowStockAt: 1, restockAt: 3 };
  const sound: readonly DecidedMovement[] = [
    { movement: low, thresholds, alert: 'low' },
    { movement: still, thresholds, alert: null },
  ];
  assert.deepEqual(alertFaults(sound), []);
  for (const [name, plant] of Object.entries(PLANTED)) {
    assert.notDeepEqual(alertFaults([plant(sound[0]!), sound[1]!]), [], name);
  }
  const again = alertFaults([sound[0]!, { ...sound[1]!, alert: 'low' }]);
  assert.match(again.join(), /reports low again before back/);
});
