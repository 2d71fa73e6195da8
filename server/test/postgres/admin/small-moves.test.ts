import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLI_AUTHOR } from '../../../src/domain/management/activity.ts';
import { moveDatabase, previewMove, undoMove } from '../../../src/store/move.ts';
import { openAdmin, prepareStore } from '../../../src/store/open-admin.ts';
import { newAdminStore, petRow } from '../../support/command-line.ts';
import { sharedPostgres } from '../support/shared-postgres.ts';

test('a move that must not be made changes neither side', async (t) => {
  const { server } = await sharedPostgres();
  const { store, database } = await newAdminStore(t);
  await store.importPets([petRow(1, { quantity: 5 }), petRow(2, { category: ' Dogs' })], 'cli');
  const to = await server.createDatabase();
  const options = { from: database.url, to, acceptedUnsafe: [], checkIdentity: () => {} };
  const refused = (message: RegExp, target = to) =>
    assert.rejects(moveDatabase({ ...options, to: target }), { message });
  await assert.rejects(undoMove(options), { message: /did not move\. Nothing was changed\.$/ });

  const staging = await server.createDatabase();
  await prepareStore(staging, [], () => ({ environment: 'staging', pepperCheck: 'x' }));
  await refused(/was made for staging, and .* is of production/, staging);

  await database.run('UPDATE inventory SET quantity = 6 WHERE pet_id = 1');
  await refused(/petstore\.db does not match its ledger \(Pet 1 has quantity 6/);
  await database.run('UPDATE inventory SET quantity = 5 WHERE pet_id = 1');

  await previewMove(options);
  await prepareStore(to, [], (found) => found ?? { environment: 'production', pepperCheck: 'x' });
  const name = new URL(to).pathname.slice(1);
  await server.query(
    `CREATE FUNCTION tidy() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.category := trim(NEW.category); RETURN NEW; END $$;
     CREATE TRIGGER tidy BEFORE INSERT ON pets FOR EACH ROW EXECUTE FUNCTION tidy()`,
    name,
  );
  await refused(/^Row 2 of pets did not arrive as it is in the source\. Nothing was moved\.$/);
  await server.query('DROP TRIGGER tidy ON pets', name);
  assert.deepEqual(await server.query('SELECT count(*) FROM pets', name), [{ count: '0' }]);

  assert.equal((await moveDatabase(options)).pets, 2);
  const { store: other, database: otherFile } = await newAdminStore(t);
  await other.importPets([petRow(1)], 'cli');
  await assert.rejects(moveDatabase({ ...options, from: otherFile.url }), {
    message: /holds \w+ already; name an empty database\. Nothing was moved\.$/,
  });
});

test('numbers go on after a move, and what sign-ins, reads and deliveries leave is no change of the shop', async (t) => {
  const { server } = await sharedPostgres();
  const { store, database } = await newAdminStore(t);
  await store.importPets([petRow(1, { quantity: 5 })], 'cli');
  const limits = { perMinute: 60, perDay: 1_000 };
  await store.accounts.create(
    { id: 'acc_one', name: 'one', plan: 'free', limits, createdAtMs: 0 },
    CLI_AUTHOR,
  );
  const endpoint = { accountId: 'acc_one', url: 'https://shop.example/' };
  await store.webhooks.create(endpoint, 20, CLI_AUTHOR);
  await database.run(`INSERT INTO api_keys (id, account_id, role, name, hash, hint, created_at)
VALUES ('key_one', NULL, 'staff', 'one', X'01', 'x', 1);
INSERT INTO bans (id, key_id, level, banned_at, ends_at) VALUES (70, 'key_one', 1, 1, 2);
INSERT INTO idempotency_records VALUES (90, 'scope', 'fingerprint', 'result', 1)`);
  const to = await server.createDatabase();
  const options = { from: database.url, to, acceptedUnsafe: [], checkIdentity: () => {} };
  await moveDatabase(options);
  const name = new URL(to).pathname.slice(1);
  const next = `SELECT nextval(pg_get_serial_sequence('bans', 'id')) AS ban, nextval(pg_get_serial_sequence('idempotency_records', 'id')) AS record`;
  assert.deepEqual(await server.query(next, name), [{ ban: '71', record: '91' }]);

  await server.query(
    `UPDATE api_keys SET last_used_at = 5;
UPDATE webhook_endpoints SET cursor_sequence = 0, cursor_number = 2, failing_since = 1, failures = 2, retry_at = 3, attempts = 4;
INSERT INTO sessions VALUES ('ses_1', 'key_one', '\\x01', 1, 1, 2);
INSERT INTO sign_in_codes (hash, key_id, expires_at) VALUES ('\\x02', 'key_one', 2);
INSERT INTO bans (key_id, level, banned_at, ends_at) VALUES ('key_one', 1, 1, 2);
INSERT INTO idempotency_records (scope, fingerprint, result, created_at) VALUES ('other', 'fingerprint', 'result', 1);
INSERT INTO usage_history VALUES ('acc_one', 'minute', 0, 1);
INSERT INTO quota_notices VALUES ('acc_one', 1, 80)`,
    name,
  );
  await undoMove(options);
  const source = await openAdmin(database.url);
  t.after(() => source.close());
  assert.equal(await source.pets.count(), 1);
  await assert.rejects(undoMove(options), { message: /did not move/ });
});
