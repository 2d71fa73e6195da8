import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTimestamp } from '@petstore-inventory/shared/timestamp';
import fc from 'fast-check';
import { timestamp } from '../../src/domain/timestamps.ts';

const FIRST = Date.parse('0001-01-01T00:00:00.000Z');
const LAST = Date.parse('9999-12-31T23:59:59.999Z');

test('every moment of the years 1 to 9999 is read back from how it is written, in any offset', () => {
  const moments = fc.integer({ min: FIRST, max: LAST });
  const offsets = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 });
  const property = fc.property(moments, offsets, (atMs, offsetMinutes) => {
    assert.equal(parseTimestamp(new Date(atMs).toISOString()), atMs);
    const localMs = atMs + offsetMinutes * 60_000;
    fc.pre(localMs >= FIRST && localMs <= LAST);
    const minutes = Math.abs(offsetMinutes);
    const parts = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0'));
    const offset = `${offsetMinutes < 0 ? '-' : '+'}${parts.join(':')}`;
    assert.equal(parseTimestamp(new Date(localMs).toISOString().replace('Z', offset)), atMs);
  });
  fc.assert(property, { numRuns: 2_000 });
});

test('days that there are not are refused, and those of leap years are read', () => {
  for (let year = 1; year <= 9_999; year += 1) {
    const name = String(year).padStart(4, '0');
    const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
    assert.equal(parseTimestamp(`${name}-02-29T00:00:00Z`) !== undefined, isLeap, name);
  }
  for (const day of ['04-31', '02-30', '13-01', '00-10', '01-00', '01-32', '06-31']) {
    assert.equal(parseTimestamp(`2026-${day}T00:00:00Z`), undefined, day);
  }
});

test('a leap second is the second after it, where a month ends in UTC', () => {
  const first = (iso: string) => Date.parse(iso);
  assert.equal(parseTimestamp('1990-12-31T23:59:60Z'), first('1991-01-01T00:00:00Z'));
  assert.equal(parseTimestamp('1990-12-31T15:59:60-08:00'), first('1991-01-01T00:00:00Z'));
  assert.equal(parseTimestamp('2026-07-01T01:59:60.25+02:00'), first('2026-07-01T00:00:00.250Z'));
  assert.equal(parseTimestamp('1969-06-30T23:59:60.9Z'), first('1969-07-01T00:00:00.900Z'));
  assert.equal(parseTimestamp('2024-02-29T23:59:60Z'), first('2024-03-01T00:00:00Z'));
});

test('a time finer than a millisecond is between two milliseconds', () => {
  const at = Date.parse('2026-07-01T12:00:00.123Z');
  assert.equal(parseTimestamp('2026-07-01T12:00:00.123Z'), at);
  assert.equal(parseTimestamp('2026-07-01T12:00:00.123000000Z'), at);
  assert.equal(parseTimestamp('2026-07-01T12:00:00.1230000001Z'), at + 0.5);
  assert.equal(parseTimestamp('2026-07-01T12:00:00.1239999999Z'), at + 0.5);
  assert.equal(parseTimestamp('2026-07-01t12:00:00.1z'), at - 23);
});

test('text that is not an RFC 3339 date and time with offset is refused', () => {
  const texts = [
    '',
    '2026-07-01',
    '2026-07-01T12:00Z',
    '2026-07-01T12:00:00',
    '2026-07-01 12:00:00Z',
    '2026-07-01T12:00:00.Z',
    '2026-07-01T12:00:00+0200',
    '2026-07-01T12:00:00+2:00',
    '2026-07-01T12:00:00+24:00',
    '2026-07-01T12:00:00+02:60',
    '2026-07-01T24:00:00Z',
    '2026-07-01T12:60:00Z',
    '2026-06-30T23:59:61Z',
    '2026-06-29T23:59:60Z',
    '2026-06-30T23:58:60Z',
    '2026-06-30T22:59:60Z',
    '2026-06-30T23:59:60+01:00',
    '9999-12-31T23:59:60Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '+02026-07-01T12:00:00Z',
    '12026-07-01T12:00:00Z',
    ' 2026-07-01T12:00:00Z',
    '2026-07-01T12:00:00Z\n',
    '２026-07-01T12:00:00Z',
    '1790000000000',
  ];
  for (const text of texts) assert.equal(parseTimestamp(text), undefined, JSON.stringify(text));
});

test('a time is written the same whatever was written before', () => {
  const near = fc.integer({ min: -20, max: 20 });
  const property = fc.property(
    fc.integer({ min: FIRST + 20, max: LAST - 20 }),
    fc.array(near),
    (atMs, steps) => {
      for (const step of steps) assert.equal(timestamp(atMs + step), new Date(atMs + step).toISOString());
    },
  );
  fc.assert(property);
});

test('the times of the responses of a commit are formatted once each', (t) => {
  const format = t.mock.method(Date.prototype, 'toISOString');
  const placedAtMs = Date.UTC(2026, 10, 30, 12);
  // The hold time of orders is whole minutes.
  const times = [0, 1, 2].flatMap((ms) => [placedAtMs + ms, placedAtMs + ms + 15 * 60_000]);
  for (let response = 0; response < 30; response += 1) {
    for (const atMs of times) assert.equal(Date.parse(timestamp(atMs)), atMs);
  }
  assert.equal(format.mock.callCount(), times.length);
});
