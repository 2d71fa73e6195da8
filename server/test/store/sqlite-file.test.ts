import assert from 'node:assert/strict';
import { closeSync, copyFileSync, openSync, statSync, truncateSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { OperatorError } from '../../src/domain/errors.ts';
import { SqliteAdminEngine } from '../../src/store/sqlite/admin/engine.ts';
import { MoveSource } from '../../src/store/sqlite/admin/move-source.ts';
import { databaseFile, openDatabase } from '../../src/store/sqlite/open.ts';
import { commandLine, newAdminStore, petRow, temporaryFolder } from '../support/command-line.ts';
import { startApp } from '../support/harness.ts';
import { isSkippedDaily } from '../support/long-test.ts';

test('a write to a locked file fails with one sentence', async (t) => {
  const { store, database } = await newAdminStore(t);
  const other = openDatabase(databaseFile(database.url));
  t.after(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  await assert.rejects(store.keys.revoke('key_old', 1, CLI_AUTHOR), {
    name: 'OperatorError',
    code: 'service_unavailable',
    message: /busy/,
  });
  other.exec('ROLLBACK');
  await store.keys.revoke('key_old', 1, CLI_AUTHOR);
});

test('an action on a locked file is refused with 503 and Retry-After', async (t) => {
  if (isSkippedDaily(t)) return;
  const app = await startApp(t);
  const { key } = await app.makeAdminKey('administrator');
  const other = openDatabase(databaseFile(app.database.url));
  t.after(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  const refused = await Promise.all([
    app.request('POST', '/v1/webhook-endpoints', { body: '{"url":"https://shop.example/hooks"}' }),
    app.request('POST', '/admin/v1/accounts', { key, body: '{"name":"shop 2","plan":"free"}' }),
  ]);
  other.exec('ROLLBACK');
  for (const { status, code, text, headers } of refused) {
    assert.deepEqual([status, code], [503, 'service_unavailable'], text);
    assert.equal(headers.get('Retry-After'), '5');
  }
  assert.deepEqual((await app.request('GET', '/v1/webhook-endpoints')).json, []);
});

test('verify names stock of a pet that is not there', async (t) => {
  const { store, database } = await newAdminStore(t);
  await store.importPets([petRow(1)], 'cli', 1);
  await database.run('DELETE FROM pets WHERE pet_id = 1');
  assert.deepEqual((await store.verify()).faults, [
    'Row 1 of inventory refers to a row of pets that is not there.',
  ]);
});

test('a damaged file is a fault and exit code 1, never a stack trace', async (t) => {
  const { store, database } = await newAdminStore(t);
  const file = databaseFile(database.url);
  // The schema and the facts of the database are before the data.
  const size = statSync(file).size;
  await store.importPets(
    Array.from({ length: 5_000 }, (_, i) => petRow(10_000 + i)),
    'cli',
    5,
  );
  await store.close();
  const descriptor = openSync(file, 'r+');
  const noise = Buffer.alloc(4_096, 0xa5);
  for (let at = size; at < statSync(file).size; at += 4_096) writeSync(descriptor, noise, 0, 4_096, at);
  closeSync(descriptor);
  const { code, stdout, stderr } = await commandLine(dirname(file))('verify', '--json');
  assert.equal(code, 1);
  assert.match((JSON.parse(stdout) as { faults: string[] }).faults.join(), /damaged/);
  assert.equal(stderr, '', 'one document is printed');
});

test('verify and backup say that the end of a file with a log is missing', async (t) => {
  const { store, database } = await newAdminStore(t);
  const file = databaseFile(database.url);
  await store.importPets(
    Array.from({ length: 1_000 }, (_, i) => petRow(i + 1)),
    'cli',
    1,
  );
  await store.close();
  const writer = openDatabase(file);
  writer.exec('PRAGMA wal_checkpoint(TRUNCATE); UPDATE inventory SET quantity = 7 WHERE pet_id = 1');
  const folder = temporaryFolder(t);
  for (const end of ['', '-wal']) copyFileSync(`${file}${end}`, join(folder, `petstore.db${end}`));
  writer.close();
  const missing =
    /^(?:error: )?\S+petstore\.db has \d+ of the \d+ bytes that its header names, so its end is missing[.;][ \n]/;
  const cli = commandLine(folder);
  truncateSync(join(folder, 'petstore.db'), statSync(file).size - 50_000);
  const verified = await cli('verify');
  assert.equal(verified.code, 1);
  assert.match(verified.stdout, missing);
  const { code, stderr } = await cli('backup', join(folder, 'backup.db'));
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^error: \S+petstore\.db is damaged \(.*\) and was not copied; run petstore-server verify\.\n$/,
  );
  truncateSync(join(folder, 'petstore.db'), 100_000);
  assert.match((await cli('verify')).stderr, missing);
});

test('a command that was open when its shop moved away changes nothing', async (t) => {
  const { store, database } = await newAdminStore(t);
  const file = databaseFile(database.url);
  const limits = { perMinute: 60, perDay: 1_000 };
  const account = { id: 'acc_one', name: 'one', plan: 'free', limits, createdAtMs: 0 } as const;

  const source = await MoveSource.open(file);
  await source.mark({ moveId: 'of this test', movedTo: 'postgres://db.internal/petstore' });
  source.close();

  const moved = /moved to postgres:\/\/db\.internal\/petstore; nothing was changed/;
  await assert.rejects(store.accounts.create(account, CLI_AUTHOR), moved);
  await assert.rejects(store.importPets([petRow(1)], 'cli', 1), moved);
  assert.deepEqual(await store.accounts.list(), []);

  const back = await MoveSource.open(file);
  await back.mark(undefined);
  back.close();
  await store.accounts.create(account, CLI_AUTHOR);
});

test('a command that keeps services away lets them in again when it ends, also after an error', async (t) => {
  const { database } = await newAdminStore(t);
  const engine = SqliteAdminEngine.open(databaseFile(database.url));
  t.after(() => engine.close());
  const inUse = () => new OperatorError('It is in use.');
  let runs = 0;
  const command = async () => {
    runs += 1;
    await assert.rejects(
      engine.whileUnserved(async () => undefined, inUse),
      /in use/,
    );
    if (runs === 1) throw new Error('planted');
  };
  await assert.rejects(engine.whileUnserved(command, inUse), /planted/);
  await engine.whileUnserved(command, inUse);
  await engine.whileUnserved(command, inUse);
  assert.equal(runs, 3);
});
