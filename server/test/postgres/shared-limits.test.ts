import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Limits } from '../../src/domain/access/plans.ts';
import type { Principal } from '../../src/domain/access/principal.ts';
import { retryAfterSeconds, WINDOW_MS, type WindowUsage } from '../../src/domain/access/rate-limit.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import type { Admission, Store } from '../../src/domain/store.ts';
import { startApps, type TestApp } from '../support/harness.ts';
import {
  backingOffClient,
  type Client,
  hammeringClient,
  obedientClient,
  SeededRandom,
} from '../support/limit-clients.ts';
import { principalOf } from '../support/principals.ts';
import { useEngine } from '../support/test-database.ts';
import { PostgresEngine } from './support/postgres-engine.ts';
import { isSkippedDaily } from '../support/long-test.ts';

useEngine(new PostgresEngine());

const STORES = 4;
const REQUESTS = 2_000;
const WINDOWS = 80;
/** After this many windows the clock advances to the next day. */
const WINDOWS_PER_DAY = 20;
const MIDNIGHT = Date.UTC(2026, 6, 1);
const { minute: MINUTE, day: DAY } = WINDOW_MS;

/** Stores of as many processes, on one database and one clock. */
async function startStores(t: TestContext) {
  const apps = await startApps(t, STORES, { nowMs: MIDNIGHT, config: { PETSTORE_LOG_LEVEL: 'silent' } });
  const [app] = apps as [TestApp];
  const principalWith = async (limits: Limits): Promise<Principal> =>
    (await app.makeKey({ accountId: await app.makeAccount(limits) })).principal;
  const stores = apps.map(({ store }) => store);
  return { stores, app, clock: app.clock, principalWith };
}

/** Sends requests to the stores at random, some concurrently and some a moment later; returns each decision. */
async function burst(
  random: SeededRandom,
  stores: readonly Store[],
  times: number,
  charge: (store: Store) => Promise<Admission>,
): Promise<Admission[]> {
  const answers: Promise<Admission>[] = [];
  while (answers.length < times) {
    const atOnce = Math.min(random.integer(1, 400), times - answers.length);
    for (let i = 0; i < atOnce; i += 1) answers.push(charge(random.pick(stores)));
    if (random.chance(0.7)) await new Promise((resolve) => setImmediate(resolve));
  }
  return Promise.all(answers);
}

/** Each admitted request gets a different number of remaining requests, decreasing from the available ones. */
function assertHandedOutOnce(windows: readonly WindowUsage[], before: number, what: string): void {
  const remaining = windows.map((window) => window.remaining).toSorted((a, b) => b - a);
  const expected = Array.from({ length: windows.length }, (_, i) => before - 1 - i);
  assert.deepEqual(remaining, expected, what);
}

test(`of ${REQUESTS} concurrent requests to ${STORES} stores exactly 60 are admitted, in each of ${WINDOWS} minutes, and exactly 1,000 a day`, async (t) => {
  const { stores, clock, principalWith } = await startStores(t);
  const random = new SeededRandom(1);
  const { account } = await principalWith({ perMinute: 60, perDay: 1_000 });
  let leftOfDay = 1_000;
  let shortMinutes = 0;
  for (let window = 0; window < WINDOWS; window += 1) {
    const day = Math.floor(window / WINDOWS_PER_DAY);
    const minute = window % WINDOWS_PER_DAY;
    if (minute === 0) leftOfDay = 1_000;
    const startsAtMs = MIDNIGHT + day * DAY + minute * MINUTE;
    clock.nowMs = startsAtMs + random.pick([0, 1, 30_000, MINUTE - 1]);
    // Another key each time, so that no ban gets in the way: quota is the account's.
    const principal = principalOf(`key ${window}`, account.id, account.limits);
    const answers = await burst(random, stores, REQUESTS, async (store) =>
      store.admit(principal, clock.nowMs),
    );

    const what = `window ${window}`;
    const admitted = answers.filter(({ refusal, failure }) => !refusal && !failure);
    const expected = Math.min(60, leftOfDay);
    if (expected < 60) shortMinutes += 1;
    assert.equal(admitted.length, expected, what);
    const [minutes, days] = [0, 1].map((i) => admitted.map(({ windows }) => windows[i] as WindowUsage));
    assertHandedOutOnce(minutes as WindowUsage[], 60, what);
    assertHandedOutOnce(days as WindowUsage[], leftOfDay, what);
    leftOfDay -= expected;
    for (const { windows, failure, refusal } of answers) {
      assert.equal(failure, undefined);
      assert.deepEqual(
        windows.map(({ resetAtMs }) => resetAtMs),
        [startsAtMs + MINUTE, MIDNIGHT + (day + 1) * DAY],
        what,
      );
      assert.ok(windows.every(({ remaining }) => remaining >= 0));
      if (!refusal) continue;
      assert.equal(refusal.code, leftOfDay === 0 ? 'daily_quota_exceeded' : 'rate_limit_exceeded', what);
      assert.equal(refusal.retryAtMs, windows[leftOfDay === 0 ? 1 : 0]?.resetAtMs);
    }
  }
  assert.ok(shortMinutes >= 10, 'the day was used up as well');
});

test('many accounts in random order over several stores, with operators at work: no deadlock, and every count is right', async (t) => {
  const { stores, app, clock, principalWith } = await startStores(t);
  const random = new SeededRandom(2);
  const principals = await Promise.all(
    Array.from({ length: 40 }, () => principalWith({ perMinute: 1_000_000, perDay: 1_000_000 })),
  );
  const sent = new Map(principals.map(({ account }) => [account.id, 0]));
  for (let round = 0; round < 100; round += 1) {
    clock.nowMs += 61_000;
    const answers: Promise<Admission>[] = [];
    for (const store of stores) {
      for (let i = random.integer(1, 60); i > 0; i -= 1) {
        const principal = random.pick(principals);
        sent.set(principal.account.id, (sent.get(principal.account.id) ?? 0) + 1);
        answers.push(Promise.resolve(store.admit(principal, clock.nowMs)));
        store.noteKeyUse(principal.key.id, clock.nowMs);
      }
    }
    const { account, key } = random.pick(principals);
    await app.admin.accounts.update(
      account.id,
      { plan: 'enterprise', perMinute: 1_000_000, perDay: 900_000 + round },
      CLI_AUTHOR,
    );
    if (round % 10 === 0) await app.admin.keys.revoke(key.id, clock.nowMs, CLI_AUTHOR);
    for (const { failure, refusal } of await Promise.all(answers)) {
      assert.deepEqual([failure, refusal], [undefined, undefined]);
    }
  }
  const used = await app.database.rows('SELECT account_id, day_used FROM usage WHERE day_label >= 0');
  assert.deepEqual(new Map(used.map(([id, count]) => [id, count])), sent);
  const [[deadlocks] = []] = await app.database.rows(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  assert.equal(deadlocks, 0);
});

interface Participant {
  readonly principal: Principal;
  readonly manner: 'obedient' | 'backing off' | 'hammering';
  readonly client: Client;
  /** The windows, by code and label, that refused it already. */
  readonly refusedIn: Set<string>;
}

const MANNERS = {
  obedient: obedientClient,
  'backing off': backingOffClient,
  hammering: (random: SeededRandom, startMs: number) => hammeringClient(random, startMs),
} as const;

test('a client that obeys Retry-After is never refused twice per window, nor banned, by any store', async (t) => {
  if (isSkippedDaily(t)) return;
  const { stores, app, clock, principalWith } = await startStores(t);
  const tally = { requests: 0, admitted: 0, refused: 0, banned: 0 };
  for (let seed = 1; seed <= 12; seed += 1) {
    const random = new SeededRandom(seed);
    const perMinute = random.integer(1, 40);
    const perDay = random.chance(0.5) ? random.integer(1, 3 * perMinute) : 1_000_000;
    const { account } = await principalWith({ perMinute, perDay });
    const startMs = MIDNIGHT + seed * 3 * DAY - random.integer(0, 10 * MINUTE);
    const manners = ['obedient', 'obedient', 'backing off', 'hammering'] as const;
    const participants = await Promise.all(
      manners.map(async (manner): Promise<Participant> => {
        const { principal } = await app.makeKey({ accountId: account.id });
        const client = MANNERS[manner](random, startMs + random.integer(0, 30_000), 1_000);
        return { principal, manner, client, refusedIn: new Set() };
      }),
    );
    // A generator's first `next` takes nothing: it only brings the first request.
    const due = participants.map(
      ({ client }) => client.next({ code: undefined, retryAfterSeconds: 0 }).value,
    );
    for (let request = 0; request < 400; request += 1) {
      const earliest = Math.min(...due.map(({ atMs }) => atMs));
      const turn = due.findIndex(({ atMs }) => atMs === earliest);
      const { principal, manner, client, refusedIn } = participants[turn] as Participant;
      const { isInFlight } = due[turn] as (typeof due)[number];
      clock.nowMs = earliest;
      const { refusal, failure, atMs } = await random.pick(stores).admit(principal, clock.nowMs);
      const what = `seed ${seed}, request ${request} of a key ${manner}`;
      assert.deepEqual([failure, atMs], [undefined, clock.nowMs], what);
      tally.requests += 1;
      if (refusal?.code === 'api_key_banned') tally.banned += 1;
      else if (refusal) tally.refused += 1;
      else tally.admitted += 1;
      if (refusal && manner !== 'hammering') {
        assert.notEqual(refusal.code, 'api_key_banned', what);
        const label = `${refusal.code} ${refusal.retryAtMs}`;
        if (manner === 'obedient') assert.ok(isInFlight || !refusedIn.has(label), `${what}: ${label} again`);
        refusedIn.add(label);
      }
      const seconds = refusal ? retryAfterSeconds(refusal.retryAtMs, atMs) : 0;
      due[turn] = client.next({ code: refusal?.code, retryAfterSeconds: seconds }).value;
    }
  }
  t.diagnostic(JSON.stringify(tally));
  assert.ok(Math.min(tally.admitted, tally.refused, tally.banned) >= 200, 'all sorts of answers were met');
});
