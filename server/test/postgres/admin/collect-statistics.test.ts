import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { PostgresAdminEngine } from '../../../src/store/postgres/admin/engine.ts';
import { petRow } from '../../support/pet-rows.ts';
import { newDatabase, useEngine } from '../../support/test-database.ts';
import { PostgresEngine } from '../support/postgres-engine.ts';

useEngine(new PostgresEngine());

const PETS = 10_000;
const AUTHOR = { actor: 'cli', requestId: null, atMs: undefined };
/** Statements wait for a lock for a sixth of it. */
const RESPONSE_TIMEOUT_MS = 18_000;
const TABLES = ['inventory', 'movements', 'pet_words', 'pets'];
/** A table that was never analyzed has fewer than 0 rows. */
const ANALYZED = `SELECT relname FROM pg_class WHERE relname IN (${TABLES.map((name) => `'${name}'`).join()})
AND reltuples >= ${PETS} ORDER BY 1`;

async function openEngine(t: TestContext) {
  const database = await newDatabase(t);
  // On a busy machine autovacuum comes first.
  for (const table of TABLES) await database.run(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
  const engine = await PostgresAdminEngine.connect(database.url, RESPONSE_TIMEOUT_MS);
  t.after(() => engine.close());
  const importSome = (from: number, count: number) =>
    engine.importPets(
      Array.from({ length: count }, (_, i) => petRow(BigInt(from + i), 1)),
      AUTHOR,
    );
  const analyzed = async () => (await database.rows(ANALYZED)).flat();
  return { database, importSome, analyzed };
}

test('the planner has statistics immediately after a large import, and a small one does not wait for them', async (t) => {
  const { importSome, analyzed } = await openEngine(t);
  await importSome(0, 10);
  assert.deepEqual(await analyzed(), []);
  await importSome(10, PETS);
  assert.deepEqual(await analyzed(), TABLES);
});

test('an import succeeds when the statistics cannot be collected', async (t) => {
  const { database, importSome, analyzed } = await openEngine(t);
  // Autovacuum takes the same lock; it lets writes pass. The end of the connection frees it.
  await database.run('BEGIN; LOCK TABLE pets IN SHARE UPDATE EXCLUSIVE MODE');
  assert.deepEqual(await importSome(0, PETS), { created: PETS, changed: 0, unchanged: 0 });
  assert.deepEqual(await analyzed(), []);
});
