import assert from 'node:assert/strict';
import type { StatementSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { UNEXPLAINED } from '../../../src/domain/ledger/ledger.ts';
import type { WriteRequest } from '../../../src/domain/write-command.ts';
import { addRows } from '../../../src/store/sqlite/add-rows.ts';
import { LedgerWriter } from '../../../src/store/sqlite/ledger-writer.ts';
import { databaseFile, openDatabase } from '../../../src/store/sqlite/open.ts';
import { newAdminStore } from '../../support/command-line.ts';
import { petRow } from '../../support/pet-rows.ts';
import { RULES } from '../../writes/stock-fixtures.ts';

const AUTHOR = { actor: 'cli', actorName: 'cli', requestId: null, atMs: 10 };

function place(...petIds: readonly bigint[]): WriteRequest {
  const lines = petIds.map((petId) => ({ petId, quantity: 1 }));
  const command = { kind: 'place', lines, expiresAtMs: null, explanation: UNEXPLAINED } as const;
  return { author: AUTHOR, command };
}

/** Two writers of one SQLite file with pets 1 and 2, and the faults of the file. */
async function startWriters(t: TestContext) {
  const { store, database } = await newAdminStore(t);
  await store.importPets([petRow(1n, 500), petRow(2n, 500)], 'cli', 1);
  const open = () => {
    const connection = openDatabase(databaseFile(database.url));
    t.after(() => connection.close());
    const ledger = new LedgerWriter(connection, RULES);
    return (requests: readonly WriteRequest[], end: 'COMMIT' | 'ROLLBACK' = 'COMMIT') => {
      connection.exec('BEGIN IMMEDIATE');
      const outcomes = ledger.write(requests);
      connection.exec(end);
      if (end === 'COMMIT') ledger.noteCommit();
      for (const outcome of outcomes) assert.ok(outcome.kind === 'written' && outcome.result.code === 'done');
    };
  };
  return { write: open(), other: open(), faults: async () => (await store.verify()).faults };
}

test('lines follow those of the same batch and of the commits before it', async (t) => {
  const { write, faults } = await startWriters(t);
  write([place(1n), place(2n, 1n), place(1n)]);
  write([place(1n, 2n)]);
  // More than one milestone of each pet, and more rows than one statement adds.
  write(Array.from({ length: 70 }, () => place(1n, 2n)));
  assert.deepEqual(await faults(), []);
});

test('lines do not follow those of a batch that was rolled back', async (t) => {
  const { write, faults } = await startWriters(t);
  write([place(1n)]);
  write([place(1n), place(2n)], 'ROLLBACK');
  write([place(2n), place(1n)]);
  assert.deepEqual(await faults(), []);
});

test('lines follow those of another connection', async (t) => {
  const { write, other, faults } = await startWriters(t);
  write([place(1n)]);
  other([place(1n), place(2n)]);
  write([place(2n), place(1n)]);
  assert.deepEqual(await faults(), []);
});

test('rows are added in their order, eight of them by one statement', () => {
  const added: unknown[] = [];
  const calls = { one: 0, many: 0 };
  const statement = (kind: keyof typeof calls) => {
    const run = (...values: unknown[]) => {
      calls[kind] += 1;
      added.push(...values);
    };
    return { run } as unknown as StatementSync;
  };
  const rows = Array.from({ length: 19 }, (_, i) => [i, `row ${i}`]);
  addRows(statement('one'), statement('many'), rows);
  assert.deepEqual(added, rows.flat());
  assert.deepEqual(calls, { one: 3, many: 2 });
});
