import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dayOf, daysOfStock, SALES_DAYS } from '../../src/domain/ledger/sales.ts';
import { HistoryRun } from '../orders/history-run.ts';
import { type HistoryStep, histories, PET_IDS } from '../orders/random-commands.ts';
import { RULES, stockOf } from '../writes/stock-fixtures.ts';
import { soldUnits } from './naive-sales.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START_MS = Date.UTC(2026, 6, 1, 12);
const NEW = { version: 0, lastSequence: 0, updatedAtMs: 0 } as const;
const START = new Map(PET_IDS.map((petId) => [petId, stockOf(20, NEW)] as const));

/** Orders that do not expire while days pass. */
function withoutExpiry(step: HistoryStep): HistoryStep {
  if (step.kind !== 'command' || step.relative.kind !== 'place') return step;
  return { ...step, relative: { ...step.relative, expiresAtMs: null } };
}

test('the sales of the last 30 days are those that a scan of the ledger finds', (t) => {
  if (isSkippedDaily(t)) return;
  let met = 0;
  const property = fc.property(histories({ minLength: 30, maxLength: 100 }), (history) => {
    const run = new HistoryRun({ stock: START, rules: RULES, startMs: START_MS, tickMs: 11 * HOUR_MS });
    for (const step of history) {
      run.take(withoutExpiry(step));
      if (step.kind !== 'wait') continue;
      run.shop.commit();
      for (const petId of PET_IDS) {
        const sold = soldUnits(run.shop.movements, petId, run.nowMs);
        assert.equal(run.shop.soldUnits(petId, run.nowMs), sold);
        met += sold > 0 ? 1 : 0;
      }
    }
  });
  fc.assert(property, { numRuns: 300 });
  assert.ok(met > 100, `only ${met} pets with sales`);
});

test('days of stock divide the available units by the rate of the sales', () => {
  const nowMs = START_MS + 100 * DAY_MS;
  const old = { createdAtMs: START_MS };
  const cases: readonly [available: number, soldUnits: number, createdAtMs: number, days: number | null][] = [
    [10, 0, START_MS, null],
    [10, -1, START_MS, null],
    [10, 30, START_MS, 10],
    [10, 60, START_MS, 5],
    [1, 90, START_MS, 0.3],
    [0, 90, START_MS, 0],
    [-5, 90, START_MS, 0],
    // A pet that was added two and a half days ago has had three days to sell.
    [10, 6, nowMs - 2.5 * DAY_MS, 5],
    [10, 6, nowMs - 1, 1.6],
    [10, 6, nowMs + 1, 1.6],
    [10, 6, nowMs - 30 * DAY_MS, 50],
    [10, 6, nowMs - 31 * DAY_MS, 50],
  ];
  assert.equal(daysOfStock(10, { ...old, soldUnits: 30 }, nowMs), 10);
  for (const [available, sold, createdAtMs, days] of cases) {
    assert.equal(daysOfStock(available, { soldUnits: sold, createdAtMs }, nowMs), days);
  }
});

test('a day begins at midnight UTC, before 1970 as well', () => {
  assert.deepEqual([dayOf(DAY_MS - 1), dayOf(DAY_MS), dayOf(-1)], [0, 1, -1]);
  assert.equal(SALES_DAYS, 30);
});
