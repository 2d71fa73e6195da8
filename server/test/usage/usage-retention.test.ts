import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USAGE_UNITS } from '@petstore-inventory/shared/words';
import { USAGE_RETENTION_MS, USAGE_UNIT_MS } from '../../src/domain/management/usage.ts';
import { UsagePurge } from '../../src/store/usage/usage-history.ts';
import { until } from '../support/until.ts';
import { START_MS, UsageShop } from './usage-shop.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const DAY = Math.floor(START_MS / USAGE_UNIT_MS.day);
/** More than a portion deletes. */
const OLD_MINUTES = 5_000;

test('the service deletes minutes, hours and days after their time, in portions', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await UsageShop.open(t, ['acc_one', 'acc_two']);
  const { database } = shop.shop;
  const insert = (accountId: string, unit: string, beganAtMs: number) =>
    `('${accountId}', '${unit}', ${beganAtMs}, 1)`;
  const kept = USAGE_UNITS.map((unit) => insert('acc_two', unit, START_MS - USAGE_RETENTION_MS[unit]));
  const old = USAGE_UNITS.map((unit) => insert('acc_two', unit, START_MS - USAGE_RETENTION_MS[unit] - 1));
  const minutes = Array.from({ length: OLD_MINUTES }, (_, i) => insert('acc_one', 'minute', i));
  await database.run(`INSERT INTO usage_history VALUES ${[...kept, ...old, ...minutes].join()};
INSERT INTO quota_notices VALUES ('acc_one', ${DAY - 9}, 80), ('acc_one', ${DAY}, 80)`);
  await shop.openStore();
  const rows = () => database.rows('SELECT account_id, unit, began_at FROM usage_history');
  await until(async () => (await rows()).length <= kept.length, 'old periods are deleted');
  assert.deepEqual(
    (await rows()).toSorted(),
    USAGE_UNITS.map((unit) => ['acc_two', unit, START_MS - USAGE_RETENTION_MS[unit]]).toSorted(),
  );
  assert.deepEqual(await database.rows('SELECT day_label FROM quota_notices'), [[DAY]]);
  assert.deepEqual(shop.errors, []);
});

test('a clock that is years ahead deletes nothing', async (t) => {
  const shop = await UsageShop.open(t, ['acc_one']);
  const { database } = shop.shop;
  await database.run(
    `INSERT INTO usage_history VALUES ('acc_one', 'day', ${START_MS - USAGE_UNIT_MS.day}, 1)`,
  );
  const store = await shop.openStore();
  shop.nowMs += 10 * 365 * USAGE_UNIT_MS.day;
  // Counts are written at the same interval, and before the purge of the same moment.
  for (const used of [1, 2]) {
    await shop.request(store, 'acc_one');
    const minutes = () =>
      database.rows("SELECT used FROM usage WHERE account_id = 'acc_one' AND window = 'day'");
    await until(async () => (await minutes())[0]?.[0] === used, 'the count is written');
  }
  assert.equal((await database.rows("SELECT 1 FROM usage_history WHERE unit = 'day'")).length, 1);
});

test('a pass repeats a full portion, continues after its last account, and begins again after a minute', () => {
  let elapsedMs = 5;
  const purge = new UsagePurge(() => elapsedMs);
  const after = () => purge.next(START_MS)?.after;
  assert.equal(after(), '');
  purge.note({ last: 'acc_9', deleted: 2_000 });
  assert.equal(after(), '');
  purge.note({ last: 'acc_9', deleted: 1_999 });
  assert.equal(after(), 'acc_9');
  purge.note({ last: null, deleted: 0 });
  elapsedMs += 59_999;
  assert.equal(after(), undefined);
  elapsedMs += 1;
  assert.equal(after(), '');
});
