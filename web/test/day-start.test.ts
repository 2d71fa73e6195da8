import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { dayStart, lastMonth, lastMonthEnd, midnights, ownTimeZone } from '../src/components/day-start.ts';

function inBerlin(t: TestContext): void {
  const zone = process.env.TZ;
  t.after(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });
  process.env.TZ = 'Europe/Berlin';
}

test('a day begins at midnight of the person, also after a change of the clock', (t) => {
  inBerlin(t);
  assert.equal(dayStart('2026-10-25'), '2026-10-24T22:00:00.000Z');
  assert.equal(dayStart('2026-10-25', 1), '2026-10-25T23:00:00.000Z');
  assert.equal(dayStart('2026-03-29', 1), '2026-03-29T22:00:00.000Z');
});

test('each day of a chart has one midnight, also where a day has 25 hours', (t) => {
  inBerlin(t);
  const between = (from: string, to: string) =>
    midnights(Date.parse(from), Date.parse(to)).map((at) => new Date(at).toISOString().slice(5, 16));
  assert.deepEqual(between('2026-10-22T22:00:00Z', '2026-10-27T12:00:00Z'), [
    '10-23T22:00',
    '10-24T22:00',
    '10-25T23:00',
    '10-26T23:00',
  ]);
  assert.deepEqual(between('2026-03-01T12:00:00Z', '2026-03-31T12:00:00Z').slice(-2), [
    '03-25T23:00',
    '03-28T23:00',
  ]);
  assert.equal(between('2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z').length, 10);
});

test('a device without a known time zone has that of the days which it counts', (t) => {
  inBerlin(t);
  assert.equal(ownTimeZone(), 'Europe/Berlin');
  const options = Intl.DateTimeFormat.prototype.resolvedOptions;
  for (const timeZone of ['Etc/Unknown', undefined]) {
    t.mock.method(Intl.DateTimeFormat.prototype, 'resolvedOptions', function (this: Intl.DateTimeFormat) {
      return { ...options.call(this), timeZone };
    });
    assert.equal(ownTimeZone(), 'UTC');
  }
});

test('a day that no calendar has does not begin', () => {
  assert.equal(dayStart('2026-99-99'), undefined);
});

test('the month before ends with its last day', () => {
  const endOf = (month: number, day: number) => lastMonthEnd(new Date(2026, month - 1, day, 12).getTime());
  assert.deepEqual([endOf(3, 31), endOf(3, 1), endOf(1, 1)], ['2026-02-28', '2026-02-28', '2025-12-31']);
  const january = new Date(2026, 0, 31, 12).getTime();
  assert.deepEqual(lastMonth(january), { from: '2025-12-01', until: '2025-12-31' });
});
