import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { assertNoticed } from '../support/test-database.ts';

const FORWARDED = { PETSTORE_TRUSTED_PROXIES: '10.0.0.0/8' };
const FROM_PROXY = { from: '10.0.0.1', headers: { 'X-Forwarded-For': '2001:db8:1:2:3::4' } };

async function provokeBan({ request, clock }: TestApp): Promise<void> {
  for (let i = 0; i < 200; i += 1) {
    if ((await request('GET', '/v1/inventory', FROM_PROXY)).code === 'api_key_banned') return;
    clock.nowMs += 200;
  }
  assert.fail('the key was never banned');
}

test('a ban is one line at info, and a lifted one too', async (t) => {
  const config = { ...FORWARDED, PETSTORE_LOG_LEVEL: 'info' };
  const app = await startApp(t, { limits: { perMinute: 1, perDay: 1_000 }, config });
  const { key, account } = app.principal;
  await provokeBan(app);
  const until = new Date(app.clock.nowMs + 5 * 60_000).toISOString();
  const code = async () => (await app.request('GET', '/v1/inventory', FROM_PROXY)).code;
  for (let i = 0; i < 5; i += 1) assert.equal(await code(), 'api_key_banned');
  const ban = { keyId: key.id, banLevel: 1, until };
  const lines = () => app.logs.map(({ time, pid, hostname, ...fields }) => fields);
  const banned = { ...ban, level: 30, accountId: account.id, address: '2001:db8:1:2', msg: 'API key banned' };
  assert.deepEqual(lines(), [banned]);
  assert.equal(await app.admin.bans.lift(key.id, app.clock.nowMs, CLI_AUTHOR), true);
  await assertNoticed(async () => (await code()) !== 'api_key_banned', true);
  assert.deepEqual(lines(), [banned, { ...ban, level: 30, msg: 'ban lifted' }]);
});

test('a line of debug has the account and the address by which callers without a key are limited', async (t) => {
  const app = await startApp(t, { config: FORWARDED });
  await app.request('GET', '/v1/inventory', FROM_PROXY);
  // The headers that a client sets about itself are ignored.
  const headers = { 'X-Forwarded-For': '198.51.100.7' };
  await app.request('GET', '/v1/inventory', { key: null, from: '::ffff:192.0.2.1', headers });
  assert.deepEqual(
    app.logs.map(({ keyId, accountId, address, status }) => ({ keyId, accountId, address, status })),
    [
      {
        keyId: app.principal.key.id,
        accountId: app.principal.account.id,
        address: '2001:db8:1:2',
        status: 200,
      },
      { keyId: undefined, accountId: undefined, address: '192.0.2.1', status: 401 },
    ],
  );
});
