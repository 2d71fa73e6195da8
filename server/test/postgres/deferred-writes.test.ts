import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { USAGE_RETENTION_MS, USAGE_UNIT_MS } from '../../src/domain/management/usage.ts';
import { connectAdmin } from '../../src/store/postgres/admin/client.ts';
import { Connection } from '../../src/store/postgres/connection.ts';
import { DatabaseClock } from '../../src/store/postgres/database-clock.ts';
import { DeferredWrites } from '../../src/store/postgres/deferred-writes.ts';
import { useEngine } from '../support/test-database.ts';
import { START_MS as NOW_MS, UsageShop } from '../usage/usage-shop.ts';
import { PostgresEngine } from './support/postgres-engine.ts';

useEngine(new PostgresEngine());

/** The regular writes of an instance, and a session of another one that holds what it locks. */
async function startWriting(t: TestContext) {
  const { database } = (await UsageShop.open(t, ['one', 'two'])).shop;
  const connection = new Connection(database.url);
  const { client: other } = await connectAdmin(database.url);
  t.after(async () => {
    await other.end();
    await connection.close();
  });
  return { database, other, writes: new DeferredWrites(connection, new DatabaseClock(() => NOW_MS)) };
}

test('old idempotency records that another session has locked are left to the next time', async (t) => {
  const { database, other, writes } = await startWriting(t);
  await database.run(`INSERT INTO idempotency_records (scope, fingerprint, result, created_at)
VALUES ('locked', '', '{}', 0), ('free', '', '{}', 0)`);
  await other.query("BEGIN; SELECT 1 FROM idempotency_records WHERE scope = 'locked' FOR UPDATE");
  // It would end with an error after the longest wait for a lock.
  await writes.deleteOld();
  assert.deepEqual(await database.rows('SELECT scope FROM idempotency_records'), [['locked']]);
});

test('uses of keys that another session has locked are left out', async (t) => {
  const { database, other, writes } = await startWriting(t);
  await other.query("BEGIN; SELECT 1 FROM api_keys WHERE id = 'key_one' FOR UPDATE");
  for (const id of ['key_one', 'key_two']) writes.noteKeyUse(id, NOW_MS);
  await writes.writeUses();
  const sql = 'SELECT id FROM api_keys WHERE last_used_at IS NOT NULL';
  assert.deepEqual(await database.rows(sql), [['key_two']]);
});

test('uses of keys that could not be written are written the next time', async (t) => {
  const { database, other, writes } = await startWriting(t);
  writes.noteKeyUse('key_one', NOW_MS);
  await other.query('ALTER TABLE api_keys RENAME TO api_keys_elsewhere');
  await assert.rejects(writes.writeUses(), /api_keys/);
  await other.query('ALTER TABLE api_keys_elsewhere RENAME TO api_keys');
  await writes.writeUses();
  const sql = 'SELECT id, last_used_at FROM api_keys WHERE last_used_at IS NOT NULL';
  assert.deepEqual(await database.rows(sql), [['key_one', NOW_MS]]);
});

test('the purge of usage deletes old periods and old notices of quotas', async (t) => {
  const { database, writes } = await startWriting(t);
  const day = Math.floor(NOW_MS / USAGE_UNIT_MS.day);
  const bound = NOW_MS - USAGE_RETENTION_MS.minute;
  await database.run(`INSERT INTO usage_history VALUES ('one', 'minute', ${bound - 1}, 1), ('one', 'minute', ${bound}, 1);
INSERT INTO quota_notices VALUES ('one', ${day - 9}, 80), ('one', ${day}, 80)`);
  await writes.deleteOld();
  assert.deepEqual(await database.rows('SELECT began_at FROM usage_history'), [[bound]]);
  assert.deepEqual(await database.rows('SELECT day_label FROM quota_notices'), [[day]]);
});
