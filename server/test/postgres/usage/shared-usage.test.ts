import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USAGE_UNITS } from '@petstore-inventory/shared/words';
import { USAGE_UNIT_MS } from '../../../src/domain/management/usage.ts';
import { SeededRandom } from '../../support/limit-clients.ts';
import { useEngine } from '../../support/test-database.ts';
import { UsageShop } from '../../usage/usage-shop.ts';
import { PostgresEngine } from '../support/postgres-engine.ts';

useEngine(new PostgresEngine());

const INSTANCES = 3;
const ROUNDS = 60;
const ACCOUNTS = ['acc_one', 'acc_two'] as const;
const DAILY = { perMinute: 1_000_000, perDay: 150 };

test(`the requests of ${INSTANCES} instances add up, while minutes end and the clock steps`, async (t) => {
  const shop = await UsageShop.open(t, ACCOUNTS);
  const stores = await Promise.all(Array.from({ length: INSTANCES }, () => shop.openStore()));
  const random = new SeededRandom(20_261_122);
  for (let round = 0; round < ROUNDS; round += 1) {
    shop.nowMs += random.pick([
      0,
      0,
      20_000,
      USAGE_UNIT_MS.minute,
      -USAGE_UNIT_MS.minute,
      USAGE_UNIT_MS.hour,
    ]);
    const sent = stores.flatMap((store) =>
      ACCOUNTS.map((accountId) => shop.request(store, accountId, { times: random.integer(0, 8) })),
    );
    await Promise.all(sent);
  }
  for (const accountId of ACCOUNTS) {
    for (const unit of USAGE_UNITS) {
      assert.deepEqual(await shop.read(accountId, unit), shop.expected(accountId, unit), unit);
    }
  }
});

test(`${INSTANCES} instances report each level of a quota one time`, async (t) => {
  const shop = await UsageShop.open(t, ACCOUNTS, DAILY);
  const stores = await Promise.all(Array.from({ length: INSTANCES }, () => shop.openStore()));
  const sent = stores.flatMap((store) =>
    ACCOUNTS.map((accountId) => shop.request(store, accountId, { times: 100, limits: DAILY })),
  );
  await Promise.all(sent);
  // Each records what is not recorded yet when it closes.
  await Promise.all(stores.map((store) => shop.closeStore(store)));
  const rows = await shop.shop.database.rows('SELECT account_id, number, data FROM events ORDER BY number');
  const levels = rows.map(([accountId, , data]) => `${accountId} ${JSON.parse(String(data)).percent}`);
  assert.deepEqual(levels.toSorted(), ['acc_one 100', 'acc_one 80', 'acc_two 100', 'acc_two 80']);
  assert.deepEqual(
    rows.map(([, number]) => number),
    [2, 3, 4, 5],
  );
  assert.deepEqual(shop.errors, []);
});
