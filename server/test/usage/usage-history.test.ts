import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USAGE_UNITS } from '@petstore-inventory/shared/words';
import { USAGE_RETENTION_MS, USAGE_UNIT_MS, type UsagePeriod } from '../../src/domain/management/usage.ts';
import { SeededRandom } from '../support/limit-clients.ts';
import { principalOf } from '../support/principals.ts';
import { until } from '../support/until.ts';
import { START_MS, UsageShop } from './usage-shop.ts';

const ACCOUNTS = ['acc_one', 'acc_two'] as const;
const { minute: MINUTE, hour: HOUR, day: DAY } = USAGE_UNIT_MS;
/** Steps of the clock: onward, over windows, and back to windows that were left or never visited. */
const STEPS_MS = [0, 1_000, 20_000, MINUTE, -MINUTE, 2 * MINUTE, -3 * MINUTE, HOUR, -HOUR, DAY, -DAY];
const BYSTANDER = principalOf('key_acc_one', 'acc_one', { perMinute: 1_000_000, perDay: 1_000_000 });
const SEEDS = 5;
const STEPS = 40;

/** A service may delete what is older than it is kept, according to the latest time that it had. */
async function assertExact(shop: UsageShop, message: string, latestMs = 0): Promise<void> {
  for (const accountId of ACCOUNTS) {
    for (const unit of USAGE_UNITS) {
      const isKept = ({ beganAtMs }: UsagePeriod) => beganAtMs >= latestMs - USAGE_RETENTION_MS[unit];
      const found = (await shop.read(accountId, unit)).filter(isKept);
      const expected = shop.expected(accountId, unit).filter(isKept);
      assert.deepEqual(found, expected, `${message}: ${accountId} by ${unit}`);
    }
  }
}

test('minutes, hours and days add up to the requests, over steps of the clock and restarts', async (t) => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const random = new SeededRandom(seed);
    const shop = await UsageShop.open(t, ACCOUNTS);
    let store = await shop.openStore();
    let latestMs = shop.nowMs;
    for (let step = 0; step < STEPS; step += 1) {
      shop.nowMs += random.pick(STEPS_MS);
      latestMs = Math.max(latestMs, shop.nowMs);
      await shop.request(store, random.pick(ACCOUNTS), { times: random.integer(0, 5) });
      // Turns the windows without a request.
      if (random.chance(0.1)) await store.limitStatus(BYSTANDER, shop.nowMs);
      if (random.chance(0.06)) {
        await shop.closeStore(store);
        await assertExact(shop, `seed ${seed}, step ${step}`, latestMs);
        store = await shop.openStore();
      }
    }
    await shop.closeStore(store);
    await assertExact(shop, `seed ${seed}`, latestMs);
    assert.deepEqual(shop.errors, []);
  }
});

test('the usage of all accounts adds up, and names the busiest first with its full minutes', async (t) => {
  const limits = { perMinute: 5, perDay: 12 };
  const shop = await UsageShop.open(t, [...ACCOUNTS, 'acc_idle'], limits);
  const store = await shop.openStore();
  // `acc_two` fills its first minute, and its day in the third; `acc_one` none.
  for (const [one, two] of [
    [4, 9],
    [1, 3],
    [1, 9],
  ] as const) {
    await shop.request(store, 'acc_one', { times: one, limits });
    await shop.request(store, 'acc_two', { times: two, limits });
    shop.nowMs += MINUTE;
  }
  const isSaved = async () => (await shop.readAll('minute')).accounts[0]?.requests === 12;
  await until(isSaved, 'the counts are saved');
  const [one, two] = ['acc_one', 'acc_two'].map((id) => ({ id, name: id }));
  const totals = (ofTwo: number | null, ofOne: number | null) => [
    { ...two, requests: 12, fullPeriods: ofTwo },
    { ...one, requests: 6, fullPeriods: ofOne },
  ];
  assert.deepEqual(await shop.readAll('minute'), {
    periods: [9, 4, 5].map((requests, at) => ({ beganAtMs: START_MS + at * MINUTE, requests })),
    accounts: totals(1, 0),
  });
  assert.deepEqual(await shop.readAll('hour'), {
    periods: [{ beganAtMs: START_MS, requests: 18 }],
    accounts: totals(null, null),
  });
  assert.deepEqual((await shop.readAll('day')).accounts, totals(1, 0));
  assert.deepEqual((await shop.readAll('minute', START_MS + MINUTE)).accounts, [
    { ...two, requests: 7, fullPeriods: 0 },
    { ...one, requests: 2, fullPeriods: 0 },
  ]);
});

test('the running minute is read before it ends, and refused requests do not count', async (t) => {
  const limits = { perMinute: 5, perDay: 100 };
  const shop = await UsageShop.open(t, ACCOUNTS, limits);
  const store = await shop.openStore();
  await shop.request(store, 'acc_one', { times: 8, limits });
  shop.nowMs += MINUTE;
  await shop.request(store, 'acc_one', { times: 3, limits });
  const isRead = async () => (await shop.read('acc_one', 'hour'))[0]?.requests === 8;
  await until(isRead, 'the counts are saved');
  await assertExact(shop, 'while the service runs');
  assert.deepEqual(await shop.read('acc_one', 'minute'), [
    { beganAtMs: START_MS, requests: 5 },
    { beganAtMs: START_MS + MINUTE, requests: 3 },
  ]);
});

test('a range begins with the period of its first moment and ends before its last', async (t) => {
  const shop = await UsageShop.open(t, ACCOUNTS);
  const store = await shop.openStore();
  for (let i = 0; i < 4; i += 1) {
    await shop.request(store, 'acc_one');
    shop.nowMs += MINUTE;
  }
  await shop.closeStore(store);
  const read = async (sinceMs: number, untilMs: number) =>
    (await shop.shop.store.usage.read('acc_one', { unit: 'minute', sinceMs, untilMs })).map(
      ({ beganAtMs }) => (beganAtMs - START_MS) / MINUTE,
    );
  assert.deepEqual(await read(START_MS + MINUTE + 1, START_MS + 3 * MINUTE), [1, 2]);
  assert.deepEqual(await read(START_MS + 2 * MINUTE, START_MS + 3 * MINUTE + 1), [2, 3]);
  assert.deepEqual(await read(START_MS + 4 * MINUTE, START_MS + 9 * MINUTE), []);
  const readAll = async (sinceMs: number, untilMs: number) =>
    (await shop.shop.store.usage.readAll({ unit: 'minute', sinceMs, untilMs })).accounts[0]?.requests;
  assert.equal(await readAll(START_MS + MINUTE + 1, START_MS + 3 * MINUTE), 2);
  assert.equal(await readAll(START_MS + 3 * MINUTE, START_MS + 3 * MINUTE), undefined);
});

test('an account without requests has no periods, and an unknown account is not found', async (t) => {
  const shop = await UsageShop.open(t, ACCOUNTS);
  assert.deepEqual(await shop.read('acc_one', 'day'), []);
  await assert.rejects(shop.read("acc_none' OR '1'='1", 'day'), { name: 'OperatorError', code: 'not_found' });
});
