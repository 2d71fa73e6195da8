import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { WINDOW_MS, type WindowUsage } from '../../src/domain/access/rate-limit.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { Connection } from '../../src/store/postgres/connection.ts';
import { DatabaseClock } from '../../src/store/postgres/database-clock.ts';
import { SharedLimits } from '../../src/store/postgres/shared-limits.ts';
import { newAdminStore } from '../support/command-line.ts';
import { principalOf } from '../support/principals.ts';
import { useEngine } from '../support/test-database.ts';
import { PostgresEngine } from './support/postgres-engine.ts';

useEngine(new PostgresEngine());

const MIDNIGHT = Date.UTC(2026, 6, 1);
const { minute: MINUTE } = WINDOW_MS;
const BEFORE = { perMinute: 2, perDay: 100 };
const RAISED = { perMinute: 5, perDay: 100 };

/** The limits of an instance on a clock of the test, and an account whose minute is used up. */
async function startLimits(t: TestContext) {
  const { store, database } = await newAdminStore(t);
  const account = { id: 'acc', name: 'acc', plan: 'enterprise', limits: BEFORE, createdAtMs: 0 } as const;
  await store.accounts.create(account, CLI_AUTHOR);
  const clock = { nowMs: MIDNIGHT };
  const connection = new Connection(database.url);
  t.after(() => connection.close());
  const ignore = () => undefined;
  const limits = new SharedLimits(connection, new DatabaseClock(() => clock.nowMs), {
    ...{ onBan: ignore, onAccessVersion: ignore, onCharge: ignore },
  });
  const before = principalOf('key', 'acc', BEFORE);
  for (let i = 0; i < BEFORE.perMinute; i += 1) assert.equal((await limits.admit(before)).refusal, undefined);
  const raise = () => store.accounts.update('acc', { plan: 'enterprise', ...RAISED }, CLI_AUTHOR);
  return { connection, limits, clock, before, raised: principalOf('key', 'acc', RAISED), raise };
}

const minuteOf = ([minute]: readonly WindowUsage[]) => [minute?.remaining, minute?.resetAtMs];

test('limits that were raised hold with the next request, and in the status of a key that is not read again yet', async (t) => {
  const { limits, before, raised, raise } = await startLimits(t);
  await raise();
  const admission = await limits.admit(raised);
  assert.equal(admission.refusal, undefined);
  assert.deepEqual(minuteOf(admission.windows), [2, MIDNIGHT + MINUTE]);
  // This principal has the limits of before, which are used up.
  assert.deepEqual(minuteOf((await limits.limitStatus(before)).windows), [2, MIDNIGHT + MINUTE]);
});

test('a banned key and a request that cannot be decided have the windows of now', async (t) => {
  const { connection, limits, clock, raised } = await startLimits(t);
  const next = [BEFORE.perMinute, MIDNIGHT + 2 * MINUTE];
  clock.nowMs += MINUTE;
  const ban = { keyId: 'banned', level: 1, bannedAtMs: MIDNIGHT, endsAtMs: MIDNIGHT + 10 * MINUTE };
  limits.setBans([ban]);
  const banned = await limits.admit(principalOf('banned', 'acc', BEFORE));
  assert.equal(banned.refusal?.code, 'api_key_banned');
  assert.deepEqual(minuteOf(banned.windows), next);
  await connection.close();
  clock.nowMs += MINUTE;
  // With other limits than the known ones, nothing has turned the known windows before.
  const { failure, windows } = await limits.admit(raised);
  assert.equal(failure?.code, 'service_unavailable');
  assert.deepEqual(minuteOf(windows), [RAISED.perMinute, MIDNIGHT + 3 * MINUTE]);
});
