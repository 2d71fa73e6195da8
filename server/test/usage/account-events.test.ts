import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timestamp } from '../../src/domain/timestamps.ts';
import { petRow } from '../support/command-line.ts';
import { until } from '../support/until.ts';
import { START_MS, UsageShop } from './usage-shop.ts';

const DAY_MS = 86_400_000;
const MIDNIGHT_MS = Math.floor(START_MS / DAY_MS) * DAY_MS;
const LIMITS = { perMinute: 1_000, perDay: 10 };
const ACCOUNTS = ['acc_one', 'acc_two'] as const;

interface Event {
  readonly position: string;
  readonly type: unknown;
  readonly accountId: unknown;
  readonly data: Record<string, unknown>;
}

async function eventsOf({ shop }: UsageShop): Promise<readonly Event[]> {
  const rows = await shop.database.rows(
    'SELECT sequence, number, type, account_id, data FROM events ORDER BY sequence, number',
  );
  return rows.map(([sequence, number, type, accountId, data]) => {
    return { position: `${sequence}.${number}`, type, accountId, data: JSON.parse(String(data)) };
  });
}

async function levelsOf(shop: UsageShop): Promise<readonly string[]> {
  return (await eventsOf(shop)).map(
    ({ accountId, data }) => `${accountId} ${data.percent} ${data.windowEndsAt}`,
  );
}

const first = timestamp(MIDNIGHT_MS + DAY_MS);
const second = timestamp(MIDNIGHT_MS + 2 * DAY_MS);

test('an account that reaches 80 and 100 % of its day has an event for each, after the newest movement', async (t) => {
  const shop = await UsageShop.open(t, ACCOUNTS, LIMITS);
  await shop.shop.store.importPets([petRow(1), petRow(2)], 'cli', START_MS);
  const store = await shop.openStore();
  await shop.request(store, 'acc_one', { times: 7, limits: LIMITS });
  await shop.closeStore(store);
  assert.deepEqual(await eventsOf(shop), []);

  const again = await shop.openStore();
  await shop.request(again, 'acc_one', { times: 1, limits: LIMITS });
  await until(async () => (await eventsOf(shop)).length === 1, 'the event of 80 %');
  await shop.request(again, 'acc_one', { times: 9, limits: LIMITS });
  await until(async () => (await eventsOf(shop)).length === 2, 'the event of 100 %');
  const window = { accountId: 'acc_one', limit: 10, windowEndsAt: first };
  assert.deepEqual(await eventsOf(shop), [
    {
      position: '2.2',
      type: 'quota.reached',
      accountId: 'acc_one',
      data: { ...window, percent: 80, used: 8 },
    },
    {
      position: '2.3',
      type: 'quota.reached',
      accountId: 'acc_one',
      data: { ...window, percent: 100, used: 10 },
    },
  ]);
});

test('each level is reported one time per account and day, over restarts, midnight and steps of the clock', async (t) => {
  const shop = await UsageShop.open(t, ACCOUNTS, LIMITS);
  for (const atMs of [START_MS, START_MS, START_MS + DAY_MS, START_MS, START_MS + DAY_MS + 1]) {
    shop.nowMs = atMs;
    const store = await shop.openStore();
    await shop.request(store, 'acc_one', { times: 12, limits: LIMITS });
    await shop.request(store, 'acc_two', { times: atMs === START_MS ? 9 : 1, limits: LIMITS });
    await shop.closeStore(store);
  }
  assert.deepEqual((await levelsOf(shop)).toSorted(), [
    `acc_one 100 ${first}`,
    `acc_one 100 ${second}`,
    `acc_one 80 ${first}`,
    `acc_one 80 ${second}`,
    `acc_two 100 ${first}`,
    `acc_two 80 ${first}`,
  ]);
  assert.deepEqual(shop.errors, []);
});

test('a level that is reached just before midnight is reported after it', async (t) => {
  const shop = await UsageShop.open(t, ACCOUNTS, LIMITS);
  shop.nowMs = MIDNIGHT_MS + DAY_MS - 1;
  const store = await shop.openStore();
  await shop.request(store, 'acc_one', { times: 8, limits: LIMITS });
  shop.nowMs += 1;
  await shop.request(store, 'acc_one', { times: 1, limits: LIMITS });
  await shop.closeStore(store);
  assert.deepEqual(await levelsOf(shop), [`acc_one 80 ${first}`]);
});

test('a limit that is lowered below what is used is reached with the next request, which it refuses', async (t) => {
  const shop = await UsageShop.open(t, ACCOUNTS, LIMITS);
  const store = await shop.openStore();
  await shop.request(store, 'acc_one', { times: 7, limits: LIMITS });
  await shop.shop.database.run("UPDATE accounts SET per_day = 6 WHERE id = 'acc_one'");
  await shop.request(store, 'acc_one', { times: 1, limits: { ...LIMITS, perDay: 6 } });
  await until(async () => (await eventsOf(shop)).length === 2, 'the events');
  const data = { accountId: 'acc_one', limit: 6, used: 7, windowEndsAt: first };
  assert.deepEqual(
    (await eventsOf(shop)).map((event) => event.data),
    [
      { ...data, percent: 80 },
      { ...data, percent: 100 },
    ],
  );
});

test('a ban has one event', async (t) => {
  const limits = { perMinute: 1, perDay: 1_000 };
  const shop = await UsageShop.open(t, ACCOUNTS, limits);
  const store = await shop.openStore();
  const isBanned = async () => {
    const [banned] = await shop.shop.database.rows('SELECT count(*) FROM bans');
    return banned?.[0] === 1;
  };
  for (let i = 0; i < 200 && !(await isBanned()); i += 1) {
    await shop.request(store, 'acc_one', { limits });
    shop.nowMs += 200;
  }
  await until(async () => (await eventsOf(shop)).length > 0, 'the event of the ban');
  await shop.closeStore(store);
  const [ban] = await shop.shop.database.rows('SELECT banned_at, ends_at FROM bans');
  const [bannedAt, endsAt] = (ban ?? []).map((atMs) => timestamp(Number(atMs)));
  const data = {
    accountId: 'acc_one',
    keyId: 'key_acc_one',
    hint: 'psk_live_…test',
    level: 1,
    bannedAt,
    endsAt,
  };
  assert.deepEqual(await eventsOf(shop), [
    { position: '0.2', type: 'api_key.banned', accountId: 'acc_one', data },
  ]);
});
