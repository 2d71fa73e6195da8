import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Principal } from '../../src/domain/access/principal.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import type { Admission, Store } from '../../src/domain/store.ts';
import { startApps, type TestApp } from '../support/harness.ts';
import { useEngine } from '../support/test-database.ts';
import { PostgresEngine } from './support/postgres-engine.ts';
import { isSkippedDaily } from '../support/long-test.ts';

useEngine(new PostgresEngine());

const STORES = 4;
const MINUTE = 60_000;
const ONE_PER_MINUTE = { perMinute: 1, perDay: 1_000_000 };
/** How long an instance may use the old state after a change. */
const NOTICED_TIMEOUT_MS = 5_000;

/** Stores of as many processes, on one database and one clock, and a key that soon is refused. */
async function startStores(t: TestContext) {
  const nowMs = Date.UTC(2026, 6, 1);
  const apps = await startApps(t, STORES, { nowMs, limits: ONE_PER_MINUTE });
  const [app] = apps as [TestApp];
  return { stores: apps.map(({ store }) => store), app, clock: app.clock, principal: app.principal };
}

/** Continues after a refusal without waiting, until the store bans the key; returns the refusal with the ban. */
async function hammerUntilBanned(store: Store, principal: Principal, clock: { nowMs: number }) {
  for (let i = 0; i < 200; i += 1) {
    const { refusal } = await store.admit(principal, clock.nowMs);
    if (refusal?.code === 'api_key_banned') return refusal;
    clock.nowMs += 100;
  }
  return assert.fail('the key was never banned');
}

/** The refusal's code, which must become the expected one on each store within 5 s. */
async function assertSoon(
  stores: readonly Store[],
  principal: Principal,
  nowMs: number,
  isExpected: (code: string | undefined) => boolean,
): Promise<void> {
  const deadlineMs = performance.now() + NOTICED_TIMEOUT_MS;
  for (const store of stores) {
    for (;;) {
      const { refusal, failure } = await store.admit(principal, nowMs);
      assert.equal(failure, undefined);
      if (isExpected(refusal?.code)) break;
      assert.ok(performance.now() < deadlineMs, `still ${refusal?.code} after 5 s`);
      await delay(20);
    }
  }
}

const isBanned = (code: string | undefined) => code === 'api_key_banned';
const isNotBanned = (code: string | undefined) => code !== 'api_key_banned';

test('a ban by one store holds on all within 5 s, also on one that starts later; a lifted one on none', async (t) => {
  const { stores, app, clock, principal } = await startStores(t);
  const [first] = stores as [Store];
  const { retryAtMs } = await hammerUntilBanned(first, principal, clock);
  assert.equal(retryAtMs, clock.nowMs + 5 * MINUTE);
  const [ban, ...others] = await app.admin.bans.list(clock.nowMs);
  assert.deepEqual(
    [ban?.keyId, ban?.endsAtMs, others.length],
    [principal.key.id, retryAtMs, 0],
    'durable when reported',
  );
  await assertSoon(stores, principal, clock.nowMs, isBanned);
  for (const store of stores) {
    const { refusal } = await store.admit(principal, clock.nowMs);
    assert.deepEqual(refusal, { code: 'api_key_banned', retryAtMs });
    assert.equal((await store.limitStatus(principal, clock.nowMs)).ban?.endsAtMs, retryAtMs);
  }
  const newInstance = await app.openAnotherStore();
  const { refusal } = await newInstance.admit(principal, clock.nowMs);
  assert.deepEqual(refusal, { code: 'api_key_banned', retryAtMs });
  await newInstance.close();

  assert.equal(await app.admin.bans.lift(principal.key.id, clock.nowMs, CLI_AUTHOR), true);
  await assertSoon(stores, principal, clock.nowMs, isNotBanned);
});

test('stores that ban a key at the same moment make one ban, and a further one is longer wherever it is imposed', async (t) => {
  const { stores, app, clock, principal } = await startStores(t);
  for (let level = 1; level <= 3; level += 1) {
    await (stores[0] as Store).admit(principal, clock.nowMs);
    // All continue with the same clock, so that the decisive strike happens in all concurrently.
    let banned: Admission[] = [];
    for (let i = 0; i < 200 && banned.length < STORES; i += 1) {
      const answers = await Promise.all(stores.map(async (store) => store.admit(principal, clock.nowMs)));
      banned = answers.filter(({ refusal }) => isBanned(refusal?.code));
      assert.ok(banned.length === 0 || banned.length === STORES, 'all together');
      clock.nowMs += 100;
    }
    assert.equal(banned.length, STORES);
    const endsAtMs = clock.nowMs - 100 + 2 ** (level - 1) * 5 * MINUTE;
    for (const { refusal } of banned) assert.equal(refusal?.retryAtMs, endsAtMs);
    const running = await app.admin.bans.list(clock.nowMs);
    assert.deepEqual(
      running.map((ban) => [ban.level, ban.endsAtMs]),
      [[level, endsAtMs]],
    );
    clock.nowMs = endsAtMs;
  }
  // Only one store continues now; it has the strikes of all.
  await hammerUntilBanned(stores[2] as Store, principal, clock);
  const bans = await app.database.rows('SELECT level FROM bans ORDER BY id');
  assert.deepEqual(bans.flat(), [1, 2, 3, 4]);
});

test('another plan counts on all stores within 5 s, also where the windows were used up, and keeps the counts', async (t) => {
  if (isSkippedDaily(t)) return;
  const apps = await startApps(t, STORES, { limits: { perMinute: 2, perDay: 1_000 } });
  const [app] = apps as [TestApp];
  const headersOf = async ({ request }: TestApp) => {
    const { status, headers } = await request('GET', '/v1/inventory');
    return `${status} ${headers.get('RateLimit')?.replaceAll(/;t=\d+/g, '')}`;
  };
  for (const remaining of [1, 0])
    assert.match(await headersOf(app), new RegExp(`^200 "minute";r=${remaining}`));
  for (const each of apps) assert.equal(await headersOf(each), '429 "minute";r=0, "day";r=998');
  const { id } = app.principal.account;
  const allSoon = async (expected: (sent: number) => string) => {
    const deadlineMs = performance.now() + NOTICED_TIMEOUT_MS;
    for (const [sent, each] of apps.entries()) {
      for (;;) {
        const received = await headersOf(each);
        if (received === expected(sent)) break;
        assert.ok(performance.now() < deadlineMs, `still ${received} after 5 s`);
        await delay(20);
      }
    }
  };
  await app.admin.accounts.update(id, { plan: 'enterprise', perMinute: 6, perDay: 500 }, CLI_AUTHOR);
  await allSoon((sent) => `200 "minute";r=${3 - sent}, "day";r=${497 - sent}`);
  await app.admin.accounts.update(id, { plan: 'enterprise', perMinute: 6, perDay: 6 }, CLI_AUTHOR);
  await allSoon(() => '429 "minute";r=0, "day";r=0');
});

test('a revoked key is refused by all stores within 5 s, a new one is valid immediately on each', async (t) => {
  const apps = await startApps(t, STORES);
  const [app] = apps as [TestApp];
  const { key, principal } = await app.makeKey();
  const codeOf = async ({ request }: TestApp) => (await request('GET', '/v1/inventory', { key })).code;
  for (const each of apps) assert.equal(await codeOf(each), undefined);
  await app.admin.keys.revoke(principal.key.id, app.clock.nowMs, CLI_AUTHOR);
  const revokedAtMs = performance.now();
  for (const each of apps) {
    while ((await codeOf(each)) !== 'revoked_api_key') {
      assert.ok(performance.now() < revokedAtMs + NOTICED_TIMEOUT_MS, 'it still works after 5 s');
      await delay(20);
    }
  }
});

test('a reported ban applies without a gap, also during constant updates from other stores', async (t) => {
  if (isSkippedDaily(t)) return;
  const { stores, app, clock } = await startStores(t);
  const [store] = stores as [Store];
  await store.admit(app.principal, clock.nowMs);
  const principals: Principal[] = [];
  for (let i = 0; i < 40; i += 1) principals.push((await app.makeKey()).principal);
  const busy = await app.makeKey({ accountId: await app.makeAccount() });
  let isOver = false;
  const meanwhile = (async () => {
    while (!isOver) {
      await app.database.run('UPDATE access_state SET version = version + 1');
      // Its answer reports the change, so all bans are read again.
      await store.admit(busy.principal, clock.nowMs);
    }
  })();
  let gaps = 0;
  for (const principal of principals) {
    await hammerUntilBanned(store, principal, clock);
    for (let i = 0; i < 20; i += 1) {
      const { refusal } = await store.admit(principal, clock.nowMs);
      if (refusal?.code !== 'api_key_banned') gaps += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  isOver = true;
  await meanwhile;
  assert.equal(gaps, 0);
});
