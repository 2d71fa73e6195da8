import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { type TestContext, test } from 'node:test';
import { USAGE_RETENTION_MS, USAGE_UNIT_MS } from '../../src/domain/management/usage.ts';
import { IDEMPOTENCY_TTL_MS } from '../../src/domain/write-command.ts';
import { LedgerWriter } from '../../src/store/sqlite/ledger-writer.ts';
import { databaseFile, openDatabase } from '../../src/store/sqlite/open.ts';
import { AccountEventWriter, UsageWriter } from '../../src/store/sqlite/usage-writer.ts';
import { type StartedWriter, type WriterData, WriterThread } from '../../src/store/sqlite/writer-thread.ts';
import { petRow } from '../support/pet-rows.ts';
import { until } from '../support/until.ts';
import { START_MS as NOW_MS, UsageShop } from '../usage/usage-shop.ts';
import { RULES } from '../writes/stock-fixtures.ts';

/** A shop with an account and its key, and a connection as the writing thread has it. */
async function startWriting(t: TestContext) {
  const { store, database } = (await UsageShop.open(t, ['one'])).shop;
  const connection = openDatabase(databaseFile(database.url));
  t.after(() => connection.close());
  return { store, database, connection };
}

test('a ban that is written again after a commit without confirmation is one ban with one event', async (t) => {
  const { database, connection } = await startWriting(t);
  const writer = new AccountEventWriter(connection);
  const ban = { keyId: 'key_one', level: 1, bannedAtMs: NOW_MS, endsAtMs: NOW_MS + 60_000 };
  writer.saveBan(ban);
  writer.saveBan(ban);
  assert.deepEqual(await database.rows('SELECT key_id, banned_at FROM bans'), [['key_one', NOW_MS]]);
  assert.deepEqual(await database.rows('SELECT type FROM events'), [['api_key.banned']]);
});

test('a minute that is written again after a commit without confirmation counts once', async (t) => {
  const { database, connection } = await startWriting(t);
  const writer = new UsageWriter(connection);
  const minuteOf = (number: number) => ({ number, accountId: 'one', label: 0, requests: 5 });
  writer.save({ counts: [], minutes: [minuteOf(1)] });
  writer.save({ counts: [], minutes: [minuteOf(1), minuteOf(2)] });
  const sql = "SELECT requests FROM usage_history WHERE unit = 'minute'";
  assert.deepEqual(await database.rows(sql), [[10]]);
});

test('the purge of usage deletes old periods and old notices of quotas', async (t) => {
  const { database, connection } = await startWriting(t);
  const day = Math.floor(NOW_MS / USAGE_UNIT_MS.day);
  const bound = NOW_MS - USAGE_RETENTION_MS.minute;
  await database.run(`INSERT INTO usage_history VALUES ('one', 'minute', ${bound - 1}, 1), ('one', 'minute', ${bound}, 1);
INSERT INTO quota_notices VALUES ('one', ${day - 9}, 80), ('one', ${day}, 80)`);
  new UsageWriter(connection).purge(NOW_MS);
  assert.deepEqual(await database.rows('SELECT began_at FROM usage_history'), [[bound]]);
  assert.deepEqual(await database.rows('SELECT day_label FROM quota_notices'), [[day]]);
});

test('a result under a key of long ago has its place among the newest, where the purge finds it again', async (t) => {
  const { store, database, connection } = await startWriting(t);
  await store.importPets([petRow(1n)], 'cli', 1);
  const ledger = new LedgerWriter(connection, RULES);
  const write = (scope: string, atMs: number) =>
    ledger.write([
      {
        author: { actor: 'cli', actorName: 'cli', requestId: null, atMs },
        command: { kind: 'change', change: { kind: 'adjust', petId: 1n, delta: 1 } },
        idempotency: { scope, fingerprint: 'the same request' },
      },
    ]);
  write('first', NOW_MS);
  write('second', NOW_MS + 1);
  write('first', NOW_MS + IDEMPOTENCY_TTL_MS);
  const scopes = () => database.rows('SELECT scope FROM idempotency_records ORDER BY id');
  assert.deepEqual(await scopes(), [['second'], ['first']]);
  for (const [days, name] of [
    [2, 'third'],
    [4, 'fourth'],
  ] as const)
    write(name, NOW_MS + days * IDEMPOTENCY_TTL_MS);
  assert.deepEqual(await scopes(), [['fourth']]);
});

test('a thread that follows one that ended knows that the last commit may be there after a crash', async () => {
  const started: WriterData[] = [];
  const workers: EventEmitter[] = [];
  const startWorker = (data: WriterData) => {
    started.push(data);
    const worker = new EventEmitter();
    workers.push(worker);
    setImmediate(() => worker.emit('message', { identities: {} }));
    return Object.assign(worker, { postMessage: () => undefined }) as StartedWriter;
  };
  const options = { file: 'shop.db', rules: RULES };
  const thread = await WriterThread.start(options, () => undefined, { startWorker });
  workers[0]?.emit('exit');
  const write = assert.rejects(thread.submit({ kind: 'purgeUsage', nowMs: NOW_MS }), {
    code: 'service_unavailable',
  });
  await until(() => started.length === 2, 'another thread starts');
  assert.deepEqual(
    started.map(({ isAfterCrash }) => isAfterCrash),
    [undefined, true],
  );
  // The write is sent after the thread has opened its connection.
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  workers[1]?.emit('exit');
  await write;
});
