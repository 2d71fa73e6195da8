import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLAN_LIMITS } from '../../server/src/domain/access/plans.ts';
import { shareLimit } from './shared-limit.ts';

for (const hasOwnKeys of [false, true]) {
  test(`50 clients share a free plan over days, with ${hasOwnKeys ? 'keys of their own' : 'one key'}`, async (t) => {
    const given = { limits: PLAN_LIMITS.free, clients: 50, callsOfEach: 50, hasOwnKeys, seed: 7 };
    const { bans, elapsedMs, bestMs } = await shareLimit(t, { ...given, thinkMs: 1_000 });
    t.diagnostic(`${elapsedMs / 3_600_000} h, at best ${bestMs / 3_600_000} h`);
    assert.equal(bans, 0);
    assert.ok(elapsedMs <= bestMs * 1.1);
  });
}

for (const thinkMs of [0, 20_000, 120_000]) {
  test(`50 clients share one key for hours, with pauses of up to ${thinkMs / 1_000} s`, async (t) => {
    const limits = { perMinute: 60, perDay: 1_000_000 };
    const given = { limits, clients: 50, callsOfEach: 200, hasOwnKeys: false, seed: 8 };
    const { bans, refused, elapsedMs, bestMs } = await shareLimit(t, { ...given, thinkMs });
    t.diagnostic(`${elapsedMs / 3_600_000} h, at best ${bestMs / 3_600_000} h; ${refused} refusals`);
    assert.equal(bans, 0);
    // With long pauses the pauses decide, not the limit.
    const ownMs = (thinkMs / 2) * 200;
    assert.ok(elapsedMs <= Math.max(bestMs, ownMs) * 1.1);
  });
}
