import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareLimit } from './shared-limit.ts';
import { isSkippedDaily } from '../../server/test/support/long-test.ts';

test('clients that share a key are not banned, and use the whole limit', async (t) => {
  if (isSkippedDaily(t)) return;
  const limits = { perMinute: 60, perDay: 1_000_000 };
  const given = { limits, clients: 25, callsOfEach: 8, hasOwnKeys: false, seed: 1 };
  const { bans, elapsedMs, bestMs } = await shareLimit(t, { ...given, thinkMs: 100 });
  assert.equal(bans, 0);
  assert.ok(elapsedMs <= bestMs * 1.1, `${elapsedMs} ms, at best ${bestMs} ms`);
});

test('clients that call now and then are not banned either', async (t) => {
  const limits = { perMinute: 60, perDay: 1_000_000 };
  const given = { limits, clients: 50, callsOfEach: 3, hasOwnKeys: false, seed: 2 };
  const { bans, refused } = await shareLimit(t, { ...given, thinkMs: 60_000 });
  assert.equal(bans, 0);
  assert.ok(refused <= 50, `${refused} refusals`);
});
