import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { readPepper } from '../../../src/cli/pepper.ts';
import { hashApiKey } from '../../../src/domain/access/api-key.ts';
import { createSessionSecret } from '../../../src/domain/access/sessions.ts';
import { CLI_AUTHOR } from '../../../src/domain/management/activity.ts';
import { signedIn, signIn } from '../../admin/cookie-requests.ts';
import { startApps, type TestApp } from '../../support/harness.ts';
import { assertNoticed, useEngine } from '../../support/test-database.ts';
import { until } from '../../support/until.ts';
import { PostgresEngine } from '../support/postgres-engine.ts';

useEngine(new PostgresEngine());

const HOUR_MS = 3_600_000;

async function startTwo(t: TestContext): Promise<[TestApp, TestApp]> {
  return (await startApps(t, 2, { nowMs: 'now' })) as [TestApp, TestApp];
}

test('a session works at each instance, and ends at the one of the sign-out immediately, at others soon', async (t) => {
  const [one, other] = await startTwo(t);
  const page = await signedIn(one, 'viewer');
  const statusAt = async (app: TestApp) => {
    const headers = { Cookie: page.cookie };
    return (await app.request('GET', '/admin/v1/session', { key: null, headers })).status;
  };
  assert.deepEqual([await statusAt(one), await statusAt(other)], [200, 200]);
  assert.equal((await page.send('DELETE', '/session')).status, 204);
  assert.equal(await statusAt(one), 401);
  await assertNoticed(() => statusAt(other), 401);
});

test('a use at one instance keeps the session at the others, which last saw it 8 hours ago', async (t) => {
  const [one, other] = await startTwo(t);
  const startMs = one.clock.nowMs;
  const page = await signedIn(one, 'viewer');
  const headers = { Cookie: page.cookie };
  const get = (app: TestApp) => app.request('GET', '/admin/v1/session', { key: null, headers });
  assert.equal((await get(other)).status, 200);
  one.clock.nowMs = startMs + 7 * HOUR_MS;
  assert.equal((await get(one)).status, 200);
  const usedAt = async () => (await one.database.rows('SELECT used_at FROM sessions'))[0]?.[0];
  await until(async () => (await usedAt()) === one.clock.nowMs, 'the use is written');
  one.clock.nowMs = startMs + 9 * HOUR_MS;
  assert.equal((await get(other)).status, 200);
});

test('a sign-in code works one time at two instances together', async (t) => {
  const [one, other] = await startTwo(t);
  const { principal } = await one.makeAdminKey('viewer');
  const pepper = readPepper(one.config) as Uint8Array;
  for (let round = 0; round < 5; round += 1) {
    const code = createSessionSecret();
    await one.admin.sessions.addCode(hashApiKey(code, pepper), principal.key.id, CLI_AUTHOR);
    const answers = await Promise.all([one, other].map((app) => signIn(app, { code })));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401]);
    one.clock.nowMs += 60_000;
  }
});

test('uses after a clock that was ahead are recorded with their own time, by an instance that does not know it', async (t) => {
  const [one, other] = await startTwo(t);
  const startMs = one.clock.nowMs;
  const page = await signedIn(one, 'viewer');
  const use = async (app: TestApp, nowMs: number) => {
    app.clock.nowMs = nowMs;
    const headers = { Cookie: page.cookie };
    assert.equal((await app.request('GET', '/admin/v1/session', { key: null, headers })).status, 200);
    const { status } = await app.request('GET', '/admin/v1/system', { key: page.key });
    assert.equal(status, 200);
    const used = `SELECT used_at FROM sessions UNION ALL
SELECT last_used_at FROM api_keys WHERE id = '${page.principal.key.id}'`;
    const times = async () => (await app.database.rows(used)).map(([atMs]) => atMs);
    await until(async () => (await times()).every((atMs) => atMs === nowMs), 'the uses are written');
  };
  await use(one, startMs + 2 * HOUR_MS);
  // After the sign-in, which has the time of the database. A busy machine takes seconds to it.
  await use(other, startMs + HOUR_MS);
});
