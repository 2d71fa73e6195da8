import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastPeriods, requestsBefore } from '../../src/pages/access/usage/periods.ts';

const at = (hour: number) => new Date(Date.UTC(2026, 6, 14, hour)).toISOString();

test('a period is compared with the one as many periods before it', () => {
  const now = {
    unit: 'hour',
    since: at(9),
    until: at(12),
    periods: [{ beganAt: at(10), requests: 7 }],
  } as const;
  const before = {
    unit: 'hour',
    since: at(6),
    until: at(9),
    periods: [{ beganAt: at(7), requests: 4 }],
  } as const;
  const periods = lastPeriods(now, 3);
  assert.deepEqual(periods.map(requestsBefore(before, 3)), [0, 4, 0]);
  assert.deepEqual(
    periods.map(requestsBefore(undefined, 3)),
    [undefined, undefined, undefined],
    'not read yet',
  );
});
