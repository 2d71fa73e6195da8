import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReportStore } from '../../src/domain/management/reports/reports.ts';
import { stockSequence } from '../../src/domain/management/reports/stock-report.ts';
import { varianceRows } from '../../src/domain/management/reports/variance-report.ts';
import type { Stocktake, StocktakeStore } from '../../src/domain/management/stocktakes.ts';

test('a report of the stock at a moment ends at the newest movement, also where the clock went back since', async () => {
  const store = {
    bounds: async () => ({
      start: { sequence: 3, recordedAtMs: 20 },
      head: { sequence: 9, recordedAtMs: 100 },
      nowMs: 50,
    }),
    sequencesAt: async () => [12],
  } as unknown as ReportStore;
  assert.equal(await stockSequence(store, { atMs: 100 }), 9);
  await assert.rejects(stockSequence(store, { atMs: 101 }), /asOf is in the future/);
  assert.equal(await stockSequence(store, { sequence: 3 }), 3);
  await assert.rejects(stockSequence(store, { sequence: 2 }), { code: 'history_pruned' });
  await assert.rejects(stockSequence(store, { sequence: 10 }), /There is no movement 10/);
  await assert.rejects(stockSequence(store, { atMs: 19 }), { code: 'history_pruned' });
});

/** A stock-take that began at this moment. */
const stocktakeAt = (startedAtMs: number, cancelledAtMs: number | null = null) =>
  ({
    ...{ id: `stk_${startedAtMs}`, name: 'x', startedAtMs, closedAtMs: cancelledAtMs },
    ...{ postedSequence: null, undoneAtMs: cancelledAtMs },
  }) as Stocktake;

/** The petIds of the report of these stock-takes, the newest first, and the pages of lines that it read. */
async function variancesOf(
  stocktakes: readonly Stocktake[],
  query: Omit<Parameters<typeof varianceRows>[1], 'by'>,
): Promise<readonly [found: readonly unknown[], pages: number]> {
  let pages = 0;
  const line = { counted: 2, expected: 1, posted: 0, name: null, category: null };
  const store = {
    find: async (id: string) => stocktakes.find((one) => one.id === id),
    list: async () => stocktakes.filter(({ id }) => id !== query.after?.stocktakeId),
    lines: async (_id: string, { after = 0n }: { after?: bigint }) => {
      pages += 1;
      return { lines: [{ ...line, petId: after + 1n }], ...(after < 3n && { next: after + 1n }) };
    },
  } as unknown as StocktakeStore;
  const found: unknown[] = [];
  for await (const rows of varianceRows(store, { ...query, by: 'pet' }))
    for (const { stocktakeId, petId } of rows) found.push([stocktakeId, petId]);
  return [found, pages];
}

test('a page of variances goes on after a pet, but not in a stock-take that was cancelled meanwhile', async () => {
  const after = { stocktakeId: 'stk_9', petId: 2n };
  assert.deepEqual(await variancesOf([stocktakeAt(9)], { after }), [
    [
      ['stk_9', 3n],
      ['stk_9', 4n],
    ],
    2,
  ]);
  assert.deepEqual(await variancesOf([stocktakeAt(9, 10)], { after }), [[], 0]);
});

test('the variances of one pet are read no further than to it', async () => {
  assert.deepEqual(await variancesOf([stocktakeAt(9)], { petId: 2n }), [[['stk_9', 2n]], 2]);
});

test('a period of variances has its first moment and not its last one', async () => {
  const stocktakes = [stocktakeAt(9), stocktakeAt(8), stocktakeAt(7), stocktakeAt(6)];
  const [found] = await variancesOf(stocktakes, { petId: 1n, fromMs: 7, toMs: 9 });
  assert.deepEqual(found, [
    ['stk_8', 1n],
    ['stk_7', 1n],
  ]);
});
