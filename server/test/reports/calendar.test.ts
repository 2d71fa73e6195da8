import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OperatorError } from '../../src/domain/errors.ts';
import { calendarPeriods, dayBegin, isTimeZone } from '../../src/domain/management/reports/calendar.ts';

const at = (text: string) => new Date(text).getTime();

function periods(per: 'month' | 'day', from: string, to: string, timeZone: string): string[] {
  return calendarPeriods(at(from), at(to), { timeZone, per }).map(
    ({ name, beganAtMs, endedAtMs }) =>
      `${name} ${new Date(beganAtMs).toISOString()} ${new Date(endedAtMs).toISOString()}`,
  );
}

const months = (from: string, to: string, zone: string) => periods('month', from, to, zone);
const days = (from: string, to: string, zone: string) => periods('day', from, to, zone);

test('months begin at midnight of their time zone', () => {
  assert.deepEqual(months('2025-12-31T23:59:59.999Z', '2026-01-01T00:00:00.000Z', 'UTC'), [
    '2025-12 2025-12-01T00:00:00.000Z 2026-01-01T00:00:00.000Z',
    '2026-01 2026-01-01T00:00:00.000Z 2026-02-01T00:00:00.000Z',
  ]);
  // Clocks change in March.
  assert.deepEqual(months('2026-03-10T00:00:00Z', '2026-03-31T21:59:59.999Z', 'Europe/Berlin'), [
    '2026-03 2026-02-28T23:00:00.000Z 2026-03-31T22:00:00.000Z',
  ]);
  assert.deepEqual(months('2026-03-31T18:30:00Z', '2026-03-31T18:30:00Z', '+05:30'), [
    '2026-04 2026-03-31T18:30:00.000Z 2026-04-30T18:30:00.000Z',
  ]);
  assert.deepEqual(months('2026-03-31T18:29:59.999Z', '2026-03-31T18:29:59.999Z', 'Asia/Kolkata'), [
    '2026-03 2026-02-28T18:30:00.000Z 2026-03-31T18:30:00.000Z',
  ]);
  assert.deepEqual(months('2026-01-01T02:00:00Z', '2026-01-01T02:00:00Z', '-03:30'), [
    '2025-12 2025-12-01T03:30:00.000Z 2026-01-01T03:30:00.000Z',
  ]);
});

test('a day has its first moment in each time zone', () => {
  const begin = (day: string, zone: string) => new Date(dayBegin(day, zone)).toISOString();
  assert.equal(begin('2026-02-01', 'UTC'), '2026-02-01T00:00:00.000Z');
  assert.equal(begin('2026-02-01', 'Europe/Berlin'), '2026-01-31T23:00:00.000Z');
  assert.equal(begin('2026-02-01', '-03:30'), '2026-02-01T03:30:00.000Z');
  assert.equal(begin('2026-02-01', 'Pacific/Kiritimati'), '2026-01-31T10:00:00.000Z');
  // The clock goes from 24:00 to 01:00.
  assert.equal(begin('2026-04-24', 'Africa/Cairo'), '2026-04-23T22:00:00.000Z');
  // There was no such day.
  assert.equal(begin('2011-12-30', 'Pacific/Apia'), begin('2011-12-31', 'Pacific/Apia'));
});

test('months follow each other without a gap, also where a zone has left a day out', () => {
  for (const zone of [
    'Pacific/Apia',
    'America/Havana',
    'Australia/Lord_Howe',
    'Pacific/Kiritimati',
    '-14:00',
  ]) {
    const found = calendarPeriods(at('1990-01-01T00:00:00Z'), at('2030-01-01T00:00:00Z'), {
      timeZone: zone,
      per: 'month',
    });
    assert.ok(found.length >= 481 && found.length <= 482, zone);
    for (const [i, { name: month, beganAtMs }] of found.entries()) {
      const before = found[i - 1];
      if (!before) continue;
      assert.equal(beganAtMs, before.endedAtMs, `${zone} ${month}`);
      assert.ok(before.name < month && beganAtMs > before.beganAtMs, `${zone} ${month}`);
    }
  }
});

test('days begin at midnight of their time zone, also when clocks change', () => {
  assert.deepEqual(days('2026-03-28T22:59:59.999Z', '2026-03-29T22:00:00Z', 'Europe/Berlin'), [
    '2026-03-28 2026-03-27T23:00:00.000Z 2026-03-28T23:00:00.000Z',
    '2026-03-29 2026-03-28T23:00:00.000Z 2026-03-29T22:00:00.000Z',
    '2026-03-30 2026-03-29T22:00:00.000Z 2026-03-30T22:00:00.000Z',
  ]);
  assert.deepEqual(days('2024-02-29T18:29:59.999Z', '2024-02-29T18:30:00Z', '+05:30'), [
    '2024-02-29 2024-02-28T18:30:00.000Z 2024-02-29T18:30:00.000Z',
    '2024-03-01 2024-02-29T18:30:00.000Z 2024-03-01T18:30:00.000Z',
  ]);
  // Samoa left the 30th out.
  assert.deepEqual(days('2011-12-30T09:59:59.999Z', '2011-12-30T10:00:00Z', 'Pacific/Apia'), [
    '2011-12-29 2011-12-29T10:00:00.000Z 2011-12-30T10:00:00.000Z',
    '2011-12-31 2011-12-30T10:00:00.000Z 2011-12-31T10:00:00.000Z',
  ]);
});

test('rows per day are of at most 366 days', () => {
  assert.equal(days('2024-01-01T00:00:00Z', '2024-12-31T23:59:59Z', 'UTC').length, 366);
  assert.throws(
    () => days('2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z', 'UTC'),
    (error) => error instanceof OperatorError && /at most 366 days\. Give from and to/.test(error.message),
  );
});

test('a time zone is UTC, an offset or a name that the runtime knows', () => {
  for (const zone of ['UTC', '+00:00', '-14:59', 'Europe/Berlin', 'America/Argentina/Buenos_Aires']) {
    assert.ok(isTimeZone(zone), zone);
  }
  const wrong = [
    '',
    '+2',
    '+2:00',
    '+15:00',
    '+02:60',
    'Europe',
    'Europe/',
    '/',
    ' UTC',
    'UTC\n',
    'Mars/Base',
  ];
  for (const zone of [...wrong, `A${'/a'.repeat(100_000)}`]) assert.ok(!isTimeZone(zone), zone.slice(0, 20));
});
