import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTimeZone, monthsBetween } from '../../src/domain/management/reports/months.ts';

const at = (text: string) => new Date(text).getTime();

function months(from: string, to: string, zone: string): string[] {
  return monthsBetween(at(from), at(to), zone).map(
    ({ month, beganAtMs, endedAtMs }) =>
      `${month} ${new Date(beganAtMs).toISOString()} ${new Date(endedAtMs).toISOString()}`,
  );
}

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

test('months follow each other without a gap, also where a zone has left a day out', () => {
  for (const zone of [
    'Pacific/Apia',
    'America/Havana',
    'Australia/Lord_Howe',
    'Pacific/Kiritimati',
    '-14:00',
  ]) {
    const found = monthsBetween(at('1990-01-01T00:00:00Z'), at('2030-01-01T00:00:00Z'), zone);
    assert.ok(found.length >= 481 && found.length <= 482, zone);
    for (const [i, { month, beganAtMs }] of found.entries()) {
      const before = found[i - 1];
      if (!before) continue;
      assert.equal(beganAtMs, before.endedAtMs, `${zone} ${month}`);
      assert.ok(before.month < month && beganAtMs > before.beganAtMs, `${zone} ${month}`);
    }
  }
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
