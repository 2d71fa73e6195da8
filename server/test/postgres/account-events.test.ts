import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Ban } from '../../src/domain/access/bans.ts';
import { AccountEvents } from '../../src/store/postgres/account-events.ts';
import { connectAdmin } from '../../src/store/postgres/admin/client.ts';
import { Connection } from '../../src/store/postgres/connection.ts';
import { DatabaseClock } from '../../src/store/postgres/database-clock.ts';
import { SharedBans } from '../../src/store/postgres/shared-bans.ts';
import { LOCK, WRITE } from '../../src/store/postgres/statements.ts';
import { useEngine } from '../support/test-database.ts';
import { START_MS, UsageShop } from '../usage/usage-shop.ts';
import { PostgresEngine } from './support/postgres-engine.ts';

useEngine(new PostgresEngine());

const BAN = `INSERT INTO bans (key_id, level, banned_at, ends_at) VALUES ('key_acc_one', 1, ${START_MS}, ${START_MS + 60_000})`;

/** A connection of an instance, and a session that holds what the instance waits for. */
async function startShop(t: TestContext) {
  const { database } = (await UsageShop.open(t, ['acc_one'])).shop;
  const connection = new Connection(database.url);
  const { client: other } = await connectAdmin(database.url);
  t.after(async () => {
    await other.end();
    await connection.close();
  });
  const events = new AccountEvents(connection, connection, new DatabaseClock(() => START_MS));
  const types = async () => (await database.rows('SELECT type FROM events')).flat();
  return { database, connection, other, events, types };
}

test('a ban and a quota that two instances have found have one event each', async (t) => {
  const { database, connection, types } = await startShop(t);
  await database.run(BAN);
  for (let instance = 1; instance <= 2; instance += 1) {
    await connection.write(WRITE.reportBans, [[1], ['acc_one'], ['{}'], START_MS]);
    await connection.write(WRITE.reportQuotas, [['acc_one'], [1], [80], ['{}'], START_MS]);
  }
  assert.deepEqual((await types()).toSorted(), ['api_key.banned', 'quota.reached']);
});

test('events of a ban wait a quarter of a second for the ledger, and come five seconds later', async (t) => {
  const { database, connection, other, events, types } = await startShop(t);
  const { now } = performance;
  let passedMs = 0;
  t.mock.method(performance, 'now', () => now.call(performance) + passedMs);
  await events.record();
  await database.run(BAN);
  events.noteBan();
  await other.query('BEGIN');
  await other.query(LOCK.ledger);
  // The session itself would wait for ever, and the statement would end with another code.
  await (await connection.client()).query('SET lock_timeout = 0');
  await assert.rejects(events.record(), { code: '55P03' });
  await other.query('ROLLBACK');
  await events.record();
  assert.deepEqual(await types(), [], 'the next attempt waits');
  passedMs += 5_000;
  await events.record();
  assert.deepEqual(await types(), ['api_key.banned']);
});

test('bans that could not be read are read the next time', async (t) => {
  const { database, connection } = await startShop(t);
  const seen: (readonly Ban[])[] = [];
  const ignore = () => undefined;
  const bans = new SharedBans(connection, connection, {
    onBans: (found) => seen.push(found),
    ...{ onSaved: ignore, onError: ignore },
  });
  await bans.follow(1);
  await database.run(`${BAN}; ALTER TABLE bans RENAME TO bans_elsewhere`);
  await assert.rejects(bans.follow(2), /bans/);
  await database.run('ALTER TABLE bans_elsewhere RENAME TO bans');
  await bans.follow(2);
  await bans.follow(2);
  assert.deepEqual(
    seen.map((found) => found.map(({ keyId }) => keyId)),
    [[], ['key_acc_one']],
  );
});
