import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../src/api/api-error.ts';
import type { MovementReportRow } from '../src/api/schemas.ts';
import { calendarDay } from '../src/components/day-start.ts';
import { changeShare, readTrade, totalOf, tradeDays } from '../src/pages/overview/trade.ts';

type Row = Pick<MovementReportRow, 'day' | 'kind' | 'reason' | 'revertedReason' | 'unitsIn' | 'unitsOut'>;

const rowOf = (row: Row): MovementReportRow => ({
  ...{ month: '2026-07', petId: null, name: null, category: null, movements: 1, change: 0 },
  ...row,
});

test('units sold, received and lost are those of their reasons, per day, and exact', () => {
  const rows = (
    [
      ['2026-07-01', 'deliver', null, 0, 5],
      ['2026-07-01', 'adjust', 'sold', 1, 3],
      ['2026-07-01', 'import', 'restock', '9007199254740993', 0],
      ['2026-07-01', 'set', 'received', 2, 1],
      ['2026-07-02', 'adjust', 'received', 0, 8],
      ['2026-07-03', 'adjust', 'damaged', 0, 4],
      ['2026-07-03', 'set', 'shrinkage', 0, 2],
      ['2026-07-03', 'set', 'correction', 7, 7],
      ['2026-07-03', 'return', 'returned', 6, 0],
      ['2026-06-30', 'deliver', null, 0, 100],
      ['2026-07-02', 'revert', null, 3, 1, 'sold'],
      ['2026-07-01', 'revert', 'correction', 0, 2, 'restock'],
      ['2026-07-03', 'revert', null, 1, 0, 'damaged'],
      ['2026-07-03', 'revert', 'sold', 0, 9, 'correction'],
      ['2026-07-03', 'revert', null, 0, 9, null],
    ] as const
  ).map(([day, kind, reason, unitsIn, unitsOut, revertedReason = null]) =>
    rowOf({ day, kind, reason, revertedReason, unitsIn, unitsOut } as Row),
  );
  const days = tradeDays(rows, ['2026-07-01', '2026-07-02', '2026-07-03']);
  assert.deepEqual(days, [
    { day: '2026-07-01', units: { sold: 7n, received: 9_007_199_254_740_992n, lost: 0n } },
    { day: '2026-07-02', units: { sold: -2n, received: -8n, lost: 0n } },
    { day: '2026-07-03', units: { sold: 0n, received: 0n, lost: 5n } },
  ]);
  assert.deepEqual([totalOf(days, 'sold'), totalOf(days, 'lost')], [5n, 5n]);
});

test('an undo leaves nothing of a change that gave some pets units and took them from others', () => {
  const rows = (['sold', 'received', 'restock', 'damaged', 'shrinkage'] as const).flatMap((reason) => [
    rowOf({ day: '2026-07-01', kind: 'set', reason, revertedReason: null, unitsIn: 5, unitsOut: 3 }),
    rowOf({
      day: '2026-07-01',
      kind: 'revert',
      reason: null,
      revertedReason: reason,
      unitsIn: 3,
      unitsOut: 5,
    }),
  ]);
  assert.deepEqual(tradeDays(rows, ['2026-07-01'])[0]?.units, { sold: 0n, received: 0n, lost: 0n });
});

test('a change is a share of what was before, if there was something', () => {
  assert.deepEqual([changeShare(4n, 5n), changeShare(4n, 0n), changeShare(0n, 5n)], [0.25, -1, undefined]);
});

test('days follow each other over the end of a month', () => {
  const now = new Date(2026, 2, 1, 0, 30).getTime();
  assert.deepEqual(
    [calendarDay(now, -1), calendarDay(now, 0), calendarDay(now, 31)],
    ['2026-02-28', '2026-03-01', '2026-04-01'],
  );
});

test('days that no prune has deleted are shown without the deleted ones before', async () => {
  const reads: string[] = [];
  const readFrom = (start: string) =>
    readTrade(
      async (day) => {
        reads.push(day);
        if (day < start) throw new ApiError('history_pruned', '', 410);
        return [];
      },
      { before: '2026-07-01', first: '2026-07-08' },
    );
  assert.deepEqual(await readFrom('2026-06-30'), { rows: [], hasBefore: true });
  assert.deepEqual(await readFrom('2026-07-05'), { rows: [], hasBefore: false });
  assert.deepEqual(reads, ['2026-07-01', '2026-07-01', '2026-07-08']);
  await assert.rejects(readFrom('2026-07-10'), { code: 'history_pruned' });
});
