import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { OperatorError } from '../../src/domain/errors.ts';
import { BatchCommits } from '../../src/store/sqlite/batch-commits.ts';
import type { ChangeRoom } from '../../src/store/sqlite/file/change-room.ts';
import { databaseFile, openDatabase } from '../../src/store/sqlite/open.ts';
import { inAsyncWriteTransaction } from '../../src/store/sqlite/transaction.ts';
import type { WriterMessage } from '../../src/store/sqlite/writer-messages.ts';
import { newAdminStore } from '../support/command-line.ts';
import { petRow } from '../support/pet-rows.ts';
import { RULES } from '../writes/stock-fixtures.ts';

/** Codes of SQLite (sqlite.org/rescode.html). */
const FSYNC_FAILED = 1_034;
const FULL = 13;
const BUSY = 5;

/** A database with 5 units of pet 1, on whose disk the statements of `fails` end with these codes. */
async function startFailing(t: TestContext, { isAfterCrash = false } = {}) {
  const { store, database } = await newAdminStore(t);
  await store.importPets([petRow(1n)], 'cli', 1);
  const connection = openDatabase(databaseFile(database.url));
  t.after(() => connection.close());
  const fails = new Map<'COMMIT' | 'PRAGMA', number>();
  const overwrites: string[] = [];
  const throwAt = (sql: string) => {
    if (sql.startsWith('PRAGMA user_version')) overwrites.push(sql);
    const errcode =
      sql === 'COMMIT' ? fails.get('COMMIT') : sql.startsWith('PRAGMA') ? fails.get('PRAGMA') : undefined;
    if (errcode !== undefined) throw Object.assign(new Error(`disk error ${errcode}`), { errcode });
  };
  const [exec, prepare] = [connection.exec.bind(connection), connection.prepare.bind(connection)];
  connection.exec = (sql) => {
    throwAt(sql);
    exec(sql);
  };
  connection.prepare = (sql, ...options) => {
    const statement = prepare(sql, ...options);
    if (sql !== 'COMMIT') return statement;
    const run = statement.run.bind(statement);
    statement.run = () => {
      throwAt(sql);
      return run();
    };
    return statement;
  };
  let room: ChangeRoom = 'disk';
  const commits = new BatchCommits(connection, {
    ...{ rules: RULES, isAfterCrash },
    files: { findFault: () => undefined },
    findRoom: () => room,
  });
  const adjust: WriterMessage = {
    kind: 'changeStock',
    request: {
      author: { actor: 'cli', actorName: 'cli', requestId: null, atMs: 10 },
      command: { kind: 'change', change: { kind: 'adjust', petId: 1n, delta: 1 } },
    },
  };
  const commit = () => {
    const reply = commits.commit([adjust]);
    return 'kind' in reply ? reply.kind : 'done';
  };
  const quantity = async () => (await database.rows('SELECT quantity FROM inventory'))[0]?.[0];
  const setRoom = (found: ChangeRoom) => void (room = found);
  return { store, database, connection, fails, overwrites, commits, commit, quantity, setRoom };
}

test('a batch whose commit failed is undone, and the next one is committed', async (t) => {
  const { store, fails, overwrites, commit, quantity } = await startFailing(t);
  for (const [code, kind, overwritten] of [
    [FSYNC_FAILED, 'not_written', 1],
    [BUSY, 'busy', 0],
  ] as const) {
    overwrites.length = 0;
    fails.set('COMMIT', code);
    assert.equal(commit(), kind);
    assert.equal(
      overwrites.length,
      overwritten,
      'a failed commit of which a part is in the log is overwritten',
    );
    fails.clear();
  }
  assert.equal(commit(), 'done');
  assert.equal(await quantity(), 6);
  assert.deepEqual((await store.verify()).faults, []);
});

test('a batch whose commit the disk did not confirm is unconfirmed, and nothing is written until that is certain', async (t) => {
  const { fails, commit, quantity } = await startFailing(t);
  fails.set('COMMIT', FSYNC_FAILED).set('PRAGMA', FSYNC_FAILED);
  assert.equal(commit(), 'unconfirmed');
  fails.delete('COMMIT');
  assert.equal(commit(), 'uncertain');
  fails.clear();
  assert.equal(commit(), 'done');
  assert.equal(await quantity(), 6);
});

test('nothing is written after a crash until its last commit is certain', async (t) => {
  const { fails, commit } = await startFailing(t, { isAfterCrash: true });
  fails.set('PRAGMA', FSYNC_FAILED);
  assert.equal(commit(), 'uncertain');
  fails.clear();
  assert.equal(commit(), 'done');
});

test('a full disk refuses each batch until a change has room', async (t) => {
  const { fails, overwrites, commit, quantity, setRoom } = await startFailing(t);
  fails.set('COMMIT', FULL);
  assert.equal(commit(), 'full');
  assert.deepEqual(overwrites, [], 'the record that ends the transaction is not complete');
  fails.clear();
  setRoom('none');
  assert.equal(commit(), 'full');
  setRoom('log');
  fails.set('PRAGMA', FULL);
  assert.equal(commit(), 'full');
  fails.clear();
  assert.equal(commit(), 'done');
  assert.equal(await quantity(), 6);
});

test('a command whose commit failed reports what is certain', async (t) => {
  const { database, connection, fails } = await startFailing(t);
  const set = () =>
    inAsyncWriteTransaction(connection, async () => connection.exec('UPDATE inventory SET quantity = 9'));
  const refusalOf = async () => {
    const error = await set().then(
      () => assert.fail('it was committed'),
      (thrown: unknown) => thrown,
    );
    return error instanceof OperatorError
      ? error.message
      : `not for the operator: ${(error as Error).message}`;
  };
  fails.set('COMMIT', BUSY);
  assert.match(await refusalOf(), /^The database is busy/);
  fails.set('COMMIT', FSYNC_FAILED);
  assert.equal(await refusalOf(), `not for the operator: disk error ${FSYNC_FAILED}`);
  fails.set('PRAGMA', FSYNC_FAILED);
  assert.match(await refusalOf(), /^The disk did not confirm the change .*it may be there or not/);
  fails.clear();
  assert.deepEqual(await database.rows('SELECT quantity FROM inventory'), [[5]]);
  await set();
  assert.deepEqual(await database.rows('SELECT quantity FROM inventory'), [[9]]);
});
