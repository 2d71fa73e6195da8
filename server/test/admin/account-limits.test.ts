import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLAN_LIMITS } from '../../src/domain/access/plans.ts';
import { limitsOf } from '../../src/domain/actions/accounts.ts';

test('an enterprise account needs both limits, and each other plan has its own', () => {
  assert.deepEqual(limitsOf({ plan: 'pro' }), PLAN_LIMITS.pro);
  assert.deepEqual(limitsOf({ plan: 'enterprise', perMinute: 7, perDay: 9 }), { perMinute: 7, perDay: 9 });
  for (const one of [{ perMinute: 7 }, { perDay: 9 }, {}])
    assert.throws(() => limitsOf({ plan: 'enterprise', ...one }), /needs both limits/);
  for (const one of [{ perMinute: 7 }, { perDay: 9 }])
    assert.throws(
      () => limitsOf({ plan: 'pro', ...one }),
      /Limits are for the enterprise plan only; the pro plan/,
    );
});
