import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { FIRST_HASH, movementHash } from '../../src/domain/ledger.ts';
import { MOVEMENT_COLUMNS, type MovementRow, toMovement } from '../../src/store/history/movement-row.ts';
import { migrationChecksum } from '../../src/store/schema/migrations.ts';
import { MIGRATIONS } from '../../src/store/sqlite/migrations.ts';
import { migrate, openDatabase } from '../../src/store/sqlite/open.ts';

const PETS = [1n, 9_007_199_254_740_993n, -5n];

/** A database as the first release made it. */
async function firstRelease(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-test-'));
  const file = join(folder, 'petstore.db');
  const database = openDatabase(file, { create: true });
  t.after(async () => {
    database.close();
    await rm(folder, { recursive: true, force: true });
  });
  const [first] = MIGRATIONS;
  assert.ok(first);
  database.exec(first.sql);
  database.exec(
    'CREATE TABLE schema_migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT',
  );
  database
    .prepare('INSERT INTO schema_migrations VALUES (?, ?, ?, ?)')
    .run(1, first.name, migrationChecksum(first), 0);
  return { database, file };
}

test('a ledger of the first release gets versions, hashes and no other movements', async (t) => {
  const { database, file } = await firstRelease(t);
  const record = database.prepare('INSERT INTO movements VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const addPet = database.prepare('INSERT INTO pets VALUES (?, ?, ?)');
  const addStock = database.prepare('INSERT INTO inventory VALUES (?, ?, ?, ?, ?, ?)');
  addStock.setReadBigInts(true);
  addPet.setReadBigInts(true);
  let sequence = 0;
  for (const [i, petId] of PETS.entries()) {
    addPet.run(petId, `pet "${i}"`, null);
    for (let version = 1; version <= 40 + i; version += 1) {
      sequence += 1;
      const isFirst = version === 1;
      const [before, after] = isFirst ? [null, 'available'] : ['available', 'available'];
      const previous = isFirst ? null : sequence - 1;
      const [actor, requestId] = isFirst ? ['cli', null] : ['key_1', `request ${sequence}`];
      const kind = isFirst ? 'import' : 'set';
      record.run(
        sequence,
        previous,
        petId,
        kind,
        version - 1,
        version,
        before,
        after,
        null,
        actor,
        requestId,
        50,
      );
    }
    addStock.run(petId, 40 + i, 'available', 40 + i, sequence, 50);
  }
  assert.deepEqual(migrate(database, file), ['ledger-opened', 'prunes-recorded']);

  const rows = database
    .prepare(`SELECT ${MOVEMENT_COLUMNS} FROM movements LEFT JOIN api_keys ON id = actor ORDER BY sequence`)
    .all() as unknown as MovementRow[];
  const movements = rows.map(toMovement);
  assert.equal(movements.length, sequence);
  let hash = FIRST_HASH;
  const versions = new Map<bigint, number>();
  for (const movement of movements) {
    const version = (versions.get(movement.petId) ?? 0) + 1;
    versions.set(movement.petId, version);
    hash = movementHash(hash, movement);
    assert.deepEqual([movement.version, movement.hash], [version, hash]);
    assert.deepEqual([movement.quantityBefore, movement.quantityAfter], [version - 1, version]);
  }
  assert.deepEqual(
    [...versions],
    PETS.map((petId, i) => [petId, 40 + i]),
  );
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  assert.ok(!tables.some(({ name }) => String(name).includes('step')), 'nothing of the step is left behind');
  assert.deepEqual(migrate(database, file), []);
});

test('where the times of a ledger fall, none stays earlier than the one before it', async (t) => {
  const { database, file } = await firstRelease(t);
  database.exec(`INSERT INTO pets VALUES (1, NULL, NULL), (2, NULL, NULL);
INSERT INTO movements VALUES (1, NULL, 1, 'import', 0, 1, NULL, 'sold', NULL, 'cli', NULL, 50),
(2, NULL, 2, 'import', 0, 1, NULL, 'sold', NULL, 'cli', NULL, 20), (3, 1, 1, 'set', 1, 2, 'sold', 'sold', NULL, 'cli', NULL, 60);
INSERT INTO inventory VALUES (1, 2, 'sold', 2, 3, 60), (2, 1, 'sold', 1, 2, 20)`);
  migrate(database, file);
  const values = (sql: string) =>
    database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row)[0]);
  assert.deepEqual(values('SELECT recorded_at FROM movements ORDER BY sequence'), [50, 50, 60]);
  assert.deepEqual(values('SELECT updated_at FROM inventory ORDER BY pet_id'), [60, 50]);
});

test('a movement is never changed, and only deleted where the ledger does not keep it', async (t) => {
  const { database, file } = await firstRelease(t);
  database.exec(
    "INSERT INTO movements VALUES (1, NULL, 1, 'import', 0, 1, NULL, 'sold', NULL, 'cli', NULL, 5)",
  );
  database.exec("INSERT INTO movements VALUES (2, 1, 1, 'set', 1, 2, 'sold', 'sold', NULL, 'cli', NULL, 5)");
  migrate(database, file);
  assert.throws(() => database.exec('UPDATE movements SET note = NULL'), /never changed/);
  assert.throws(() => database.exec('DELETE FROM movements WHERE sequence = 1'), /never deleted/);
  database.exec('UPDATE ledger_start SET sequence = 1');
  database.exec('DELETE FROM movements WHERE sequence = 1');
  assert.throws(() => database.exec('DELETE FROM movements'), /never deleted/);
});
