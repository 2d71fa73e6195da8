import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { CLI_AUTHOR } from '../../../src/domain/management/activity.ts';
import { DEFAULT_RULES } from '../../../src/store/open-admin.ts';
import { AccountEvents } from '../../../src/store/postgres/account-events.ts';
import { Connection } from '../../../src/store/postgres/connection.ts';
import { DatabaseClock } from '../../../src/store/postgres/database-clock.ts';
import { LedgerWriter } from '../../../src/store/postgres/ledger-writer.ts';
import { newAdminStore, petRow } from '../../support/command-line.ts';
import { useEngine } from '../../support/test-database.ts';
import { UsageShop } from '../../usage/usage-shop.ts';
import { PostgresEngine } from '../support/postgres-engine.ts';

useEngine(new PostgresEngine());

function connect(t: TestContext, url: string): Connection {
  const connection = new Connection(url);
  t.after(() => connection.close());
  return connection;
}

test('events that cannot be written leave the ledger unlocked', async (t) => {
  const { shop } = await UsageShop.open(t, ['acc_one']);
  // No date is that late.
  await shop.database.run(
    `INSERT INTO bans (key_id, level, banned_at, ends_at) VALUES ('key_acc_one', 1, 0, ${Number.MAX_SAFE_INTEGER})`,
  );
  const connection = connect(t, shop.database.url);
  const events = new AccountEvents(connection, connection, new DatabaseClock());
  await assert.rejects(events.record(), RangeError);
  assert.equal((await connection.client()).getTransactionStatus(), 'I');
});

test('a batch that cannot be sent leaves nothing to the next one, and the ledger unlocked', async (t) => {
  const { store, database } = await newAdminStore(t);
  await store.importPets([petRow(1, { quantity: 5 })], 'cli', 0);
  const connection = connect(t, database.url);
  const client = await connection.client();
  const ignore = () => undefined;
  const writer = new LedgerWriter(connection, {
    rules: DEFAULT_RULES,
    acceptedUnsafe: [],
    onCommit: ignore,
    onMovements: ignore,
  });
  const change = { kind: 'adjust', petId: 1n, delta: 1 } as const;
  const write = () =>
    writer.write({
      command: { kind: 'change', change },
      author: { ...CLI_AUTHOR, actorName: 'cli', atMs: 0 },
    });

  const { query } = client;
  let isBroken = true;
  t.mock.method(client, 'query', (...sent: unknown[]) => {
    const [{ name = '' } = {}] = sent as [{ name?: string }?];
    if (isBroken && name === 'setStock') throw new RangeError('planted');
    return Reflect.apply(query, client, sent);
  });
  await assert.rejects(write(), { code: 'service_unavailable' });
  isBroken = false;
  await client.query('SELECT 1');
  assert.equal(client.getTransactionStatus(), 'I');
  await write();
  const [item] = await database.rows('SELECT quantity, last_sequence FROM inventory');
  assert.deepEqual(item, [6, 2]);
});
