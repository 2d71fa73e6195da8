import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLI_AUTHOR } from '../../../src/domain/management/activity.ts';
import { PostgresAdminEngine } from '../../../src/store/postgres/admin/engine.ts';
import { petRow } from '../../support/pet-rows.ts';
import { newDatabase, useEngine } from '../../support/test-database.ts';
import { PostgresEngine } from '../support/postgres-engine.ts';

useEngine(new PostgresEngine());

const TIMEOUT = `SELECT setting::integer AS ms FROM pg_settings WHERE name = 'idle_in_transaction_session_timeout'`;

test('a command that stops with the ledger is ended by the server, and only then', async (t) => {
  const database = await newDatabase(t);
  const stopped = await PostgresAdminEngine.connect(database.url);
  const other = await PostgresAdminEngine.connect(database.url);
  t.after(() => Promise.allSettled([stopped.close(), other.close()]));
  const timeout = async () => (await stopped.all<{ ms: number }>(TIMEOUT))[0]?.ms;
  await stopped.transaction(async () => {
    await stopped.lockLedger();
    assert.equal(await timeout(), 60_000);
  });
  assert.equal(await timeout(), 0, 'no command waits in vain without the ledger');

  let resume: (() => void) | undefined;
  const held = Promise.withResolvers<void>();
  const writing = stopped.transaction(async () => {
    await stopped.lockLedger();
    await stopped.run('DELETE FROM pet_words');
    // In place of the minute.
    await stopped.exec('SET LOCAL idle_in_transaction_session_timeout = 1');
    held.resolve();
    await new Promise<void>((resolve) => {
      resume = resolve;
    });
    await stopped.run('DELETE FROM pets');
  });
  const failed = assert.rejects(writing);
  await Promise.race([held.promise, writing]);
  // It waits until the server has ended the session that holds the ledger.
  assert.equal((await other.importPets([petRow(1n, 5)], CLI_AUTHOR_OF_IMPORT)).created, 1);
  resume?.();
  await failed;
  assert.equal((await other.all('SELECT 1 FROM pets')).length, 1);
});

const CLI_AUTHOR_OF_IMPORT = { actor: CLI_AUTHOR.actor, requestId: null, atMs: undefined };
