import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Stock } from '../../src/domain/ledger/stock.ts';
import type { WriteRequest } from '../../src/domain/write-command.ts';
import { LedgerWriter } from '../../src/store/sqlite/ledger-writer.ts';
import { databaseFile, openDatabase } from '../../src/store/sqlite/open.ts';
import { WrittenStock } from '../../src/store/sqlite/written-stock.ts';
import { newAdminStore } from '../support/command-line.ts';
import { petRow } from '../support/pet-rows.ts';
import { RULES } from '../writes/stock-fixtures.ts';

const STOCK: Stock = {
  quantity: 5,
  status: 'available',
  version: 1,
  lastSequence: 1,
  reserved: 0,
  alertLevel: null,
  lowStockAt: null,
  restockAt: null,
  updatedAtMs: 10,
};
const AUTHOR = { actor: 'cli', actorName: 'cli', requestId: null, atMs: 10 };

function adjust(petId: bigint, delta: number): WriteRequest {
  return { author: AUTHOR, command: { kind: 'change', change: { kind: 'adjust', petId, delta } } };
}

/** A writer of a database with pets 1 and 2, of which 5 each are in stock, and a way to write on another connection. */
async function startWriter(t: TestContext) {
  const { store, database } = await newAdminStore(t);
  await store.importPets([petRow(1n), petRow(2n)], 'cli', 1);
  const connection = openDatabase(databaseFile(database.url));
  t.after(() => connection.close());
  const ledger = new LedgerWriter(connection, RULES);

  function write(requests: readonly WriteRequest[], end: 'COMMIT' | 'ROLLBACK') {
    connection.exec('BEGIN IMMEDIATE');
    const outcomes = ledger.write(requests);
    connection.exec(end);
    if (end === 'COMMIT') ledger.noteCommit();
    return outcomes.map((outcome) => {
      assert.ok(outcome.kind === 'written' && outcome.result.kind === 'single');
      return [outcome.result.stock?.quantity, outcome.result.stock?.lastSequence];
    });
  }

  const faults = async () => (await store.verify()).faults;
  return { store, database, write, faults };
}

test('a batch continues from the commit before it', async (t) => {
  const { write, faults } = await startWriter(t);
  assert.deepEqual(write([adjust(1n, 1), adjust(1n, 1)], 'COMMIT'), [
    [6, 3],
    [7, 4],
  ]);
  assert.deepEqual(write([adjust(1n, 1)], 'COMMIT'), [[8, 5]]);
  assert.deepEqual(await faults(), []);
});

test('a batch does not continue from one that was rolled back', async (t) => {
  const { write, faults } = await startWriter(t);
  write([adjust(1n, 1)], 'COMMIT');
  write([adjust(1n, 1), adjust(2n, 1)], 'ROLLBACK');
  assert.deepEqual(write([adjust(1n, 1), adjust(2n, 1)], 'COMMIT'), [
    [7, 4],
    [6, 5],
  ]);
  assert.deepEqual(await faults(), []);
});

test('a commit without changes of stock does not confirm a batch that was rolled back', async (t) => {
  const { write, faults } = await startWriter(t);
  write([adjust(1n, 1)], 'COMMIT');
  write([adjust(1n, 1)], 'ROLLBACK');
  write([], 'COMMIT');
  assert.deepEqual(write([adjust(1n, 1)], 'COMMIT'), [[7, 4]]);
  assert.deepEqual(await faults(), []);
});

test('a batch continues from a commit of another connection', async (t) => {
  const { store, database, write, faults } = await startWriter(t);
  write([adjust(1n, 1), adjust(2n, 1)], 'COMMIT');
  await store.importPets([petRow(1n, 50)], 'cli', 2);
  assert.deepEqual(write([adjust(1n, 1), adjust(2n, 1)], 'COMMIT'), [
    [51, 6],
    [7, 7],
  ]);
  assert.deepEqual(await faults(), []);
  // No movement shows this change, as after damage.
  await database.run('UPDATE inventory SET quantity = 100 WHERE pet_id = 2');
  assert.deepEqual(write([adjust(2n, 1)], 'COMMIT'), [[101, 8]]);
});

test('the stock of the last commits is dropped when it has too many pets', async (t) => {
  const { database } = await startWriter(t);
  const connection = openDatabase(databaseFile(database.url));
  t.after(() => connection.close());
  const limit = 3;
  for (const count of [limit - 1, limit, limit + 1, 2 * limit + 1]) {
    const written = new WrittenStock(connection, limit);
    written.begin();
    const changed = Array.from({ length: count }, (_, i) => [BigInt(i), STOCK] as const);
    written.note({ movements: [], changed });
    written.noteCommit();
    written.begin();
    assert.equal(written.stockOf(0n) !== undefined, count <= limit, `${count} pets`);
  }
});
