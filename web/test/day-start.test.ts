import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayStart, lastMonthEnd } from '../src/components/day-start.ts';

test('a day begins at midnight of the person, also after a change of the clock', (t) => {
  const zone = process.env.TZ;
  t.after(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });
  process.env.TZ = 'Europe/Berlin';
  assert.equal(dayStart('2026-10-25'), '2026-10-24T22:00:00.000Z');
  assert.equal(dayStart('2026-10-25', 1), '2026-10-25T23:00:00.000Z');
  assert.equal(dayStart('2026-03-29', 1), '2026-03-29T22:00:00.000Z');
});

test('a day that no calendar has does not begin', () => {
  assert.equal(dayStart('2026-99-99'), undefined);
});

test('the month before ends with its last day', () => {
  const endOf = (month: number, day: number) => lastMonthEnd(new Date(2026, month - 1, day, 12).getTime());
  assert.deepEqual([endOf(3, 31), endOf(3, 1), endOf(1, 1)], ['2026-02-28', '2026-02-28', '2025-12-31']);
});
