import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type pg from 'pg';
import { FIRST_HASH } from '../../../src/domain/ledger.ts';
import { connectAdmin } from '../../../src/store/postgres/admin/client.ts';
import { preparePostgres } from '../../../src/store/postgres/admin/metadata.ts';
import { MIGRATIONS } from '../../../src/store/postgres/admin/migrations.ts';
import { verifyDatabase } from '../../../src/store/postgres/admin/verify.ts';
import { migrationChecksum } from '../../../src/store/schema/migrations.ts';
import { SeededRandom } from '../../support/limit-clients.ts';
import { PostgresEngine } from '../support/postgres-engine.ts';
import { readLedger } from '../support/shared-stores.ts';

const engine = new PostgresEngine();

/** More than the rows that are carried over at once. */
const MANY_MOVEMENTS = 20_300;
const PETS = [-(2n ** 63n), -7n, 0n, 5n, 9_007_199_254_740_993n, 2n ** 63n - 1n];
const COLUMNS = `sequence, previous_sequence, pet_id, kind, quantity_before, quantity_after, status_before, status_after,
reason, actor, request_id, recorded_at`;
const UNTOUCHED = ['accounts', 'api_keys', 'pets', 'inventory', 'usage', 'bans'];

type OldRow = readonly (string | number | null)[];

/** A database as the first release made it. */
async function firstRelease(t: TestContext): Promise<{ url: string; client: pg.Client }> {
  const server = await engine.server();
  const url = await server.createDatabase();
  const client = await connectAdmin(url);
  // Sessions with the name of the service prevent a migration.
  await client.query("SET application_name = 'test'");
  t.after(async () => {
    await client.end();
    await server.query(`DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
  });
  const [first] = MIGRATIONS;
  assert.ok(first);
  await client.query(first.sql);
  await client.query(
    'CREATE TABLE schema_migrations (version integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, applied_at bigint NOT NULL)',
  );
  const checksum = migrationChecksum(first);
  await client.query('INSERT INTO schema_migrations VALUES (1, $1, $2, 0)', [first.name, checksum]);
  return { url, client };
}

/** A shop of the first release, with movements of several pets among each other. */
async function fill(client: pg.Client, movements = 300): Promise<OldRow[]> {
  const random = new SeededRandom(11);
  const rows: OldRow[] = [];
  const stock = new Map<bigint, { sequence: number; quantity: number; status: string; version: number }>();
  for (let sequence = 1; sequence <= movements; sequence += 1) {
    const petId = sequence <= PETS.length ? (PETS[sequence - 1] as bigint) : random.pick(PETS);
    const before = stock.get(petId);
    const quantity = random.integer(0, 1_000);
    const status = random.pick(['available', 'pending', 'sold']);
    rows.push([
      sequence,
      before?.sequence ?? null,
      String(petId),
      before ? 'set' : 'import',
      before?.quantity ?? 0,
      quantity,
      before?.status ?? null,
      status,
      null,
      before ? 'key_1' : 'cli',
      before ? `request "${sequence}" \\ é` : null,
      Math.floor(sequence / 3),
    ]);
    stock.set(petId, { sequence, quantity, status, version: (before?.version ?? 0) + 1 });
  }
  const types = ['bigint', 'bigint', 'bigint', 'text', 'bigint', 'bigint', 'text', 'text', 'text', 'text'];
  const arrays = [...types, 'text', 'bigint'].map((type, i) => `$${i + 1}::${type}[]`);
  await client.query(
    `INSERT INTO movements (${COLUMNS}) SELECT * FROM unnest(${arrays.join(', ')})`,
    arrays.map((_, column) => rows.map((row) => row[column])),
  );
  await client.query(`INSERT INTO accounts VALUES ('acc_1', 'shop', 'pro', 300, 10000, 5);
INSERT INTO api_keys VALUES ('key_1', 'acc_1', 'till 1', '\\x00', 'psk', NULL, 5, NULL, NULL, NULL, NULL)`);
  for (const [petId, { quantity, status, version, sequence }] of stock) {
    await client.query('INSERT INTO pets VALUES ($1, $2, NULL)', [String(petId), `pet ${petId}`]);
    const values = [String(petId), quantity, status, version, sequence, Math.floor(sequence / 3)];
    await client.query('INSERT INTO inventory VALUES ($1, $2, $3, $4, $5, $6)', values);
  }
  return rows;
}

async function textOf(client: pg.Client, tables: readonly string[]): Promise<unknown[]> {
  const texts: unknown[] = [];
  for (const table of tables) {
    const { rows } = await client.query(`SELECT ${table}::text AS row FROM ${table} ORDER BY 1`);
    texts.push([table, rows]);
  }
  return texts;
}

/** Brings a database up to this release, as every command and instance does. Returns the names of the steps. */
async function prepare(url: string): Promise<readonly string[]> {
  const identity = { environment: 'production', pepperCheck: 'of this test' } as const;
  return (await preparePostgres(url, [], () => identity)).migrations;
}

/** The names of all that a schema is made of. */
async function namesIn(client: pg.Client): Promise<unknown[]> {
  const { rows } =
    await client.query(`SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace
UNION ALL SELECT conname FROM pg_constraint WHERE connamespace = current_schema()::regnamespace
UNION ALL SELECT tgname FROM pg_trigger ORDER BY 1`);
  return rows.map(({ name }) => name);
}

test('a ledger of the first release gets versions and hashes, and nothing else changes', async (t) => {
  const { url, client } = await firstRelease(t);
  const old = await fill(client, MANY_MOVEMENTS);
  const before = await textOf(client, UNTOUCHED);
  assert.deepEqual(await prepare(url), ['ledger-opened', 'prunes-recorded']);

  assert.deepEqual(await textOf(client, UNTOUCHED), before);
  const query = {
    text: `SELECT ${COLUMNS.replace('pet_id', 'pet_id::text')} FROM movements ORDER BY sequence`,
  };
  const { rows } = await client.query<(string | number | null)[]>({ ...query, rowMode: 'array' });
  assert.deepEqual(rows, old);
  const report = await verifyDatabase(client);
  const last = (await readLedger({ url })).at(-1);
  assert.deepEqual(
    { ...report, head: report.head.hash },
    {
      pets: PETS.length,
      movements: MANY_MOVEMENTS,
      hashesChecked: MANY_MOVEMENTS,
      retentionStart: { sequence: 0, recordedAtMs: 0 },
      prunes: [],
      head: last?.hash,
      firstBadSequence: null,
      faults: [],
    },
  );
  assert.equal(last?.actorName, 'till 1');
  const { rows: unequal } = await client.query(
    'SELECT 1 FROM inventory JOIN movements ON sequence = last_sequence WHERE movements.version <> inventory.version',
  );
  assert.deepEqual(unequal, []);
  const { rows: more } =
    await client.query(`SELECT 1 FROM movements WHERE note IS NOT NULL OR occurred_at IS NOT NULL
OR reference_document_uri IS NOT NULL OR reference_id IS NOT NULL OR reverted_sequence IS NOT NULL`);
  assert.deepEqual(more, []);
  assert.deepEqual(await prepare(url), [], 'it is done once');
});

test('where the times of a ledger fall, none stays earlier than the one before it', async (t) => {
  const { url, client } = await firstRelease(t);
  await client.query(`INSERT INTO pets VALUES (1, NULL, NULL), (2, NULL, NULL);
INSERT INTO movements VALUES (1, NULL, 1, 'import', 0, 1, NULL, 'sold', NULL, 'cli', NULL, 50),
(2, NULL, 2, 'import', 0, 1, NULL, 'sold', NULL, 'cli', NULL, 20), (3, 1, 1, 'set', 1, 2, 'sold', 'sold', NULL, 'cli', NULL, 60);
INSERT INTO inventory VALUES (1, 2, 'sold', 2, 3, 60), (2, 1, 'sold', 1, 2, 20)`);
  await prepare(url);
  const values = async (sql: string) =>
    (await client.query<{ at: number }>(sql)).rows.map(({ at }) => Number(at));
  assert.deepEqual(await values('SELECT recorded_at AS at FROM movements ORDER BY sequence'), [50, 50, 60]);
  assert.deepEqual(await values('SELECT updated_at AS at FROM inventory ORDER BY pet_id'), [60, 50]);
  assert.deepEqual((await verifyDatabase(client)).faults, []);
});

test('an empty ledger is opened too, and nothing of the step is left behind', async (t) => {
  const { url, client } = await firstRelease(t);
  assert.deepEqual(await prepare(url), ['ledger-opened', 'prunes-recorded']);
  const { rows } = await client.query(
    "SELECT sequence, recorded_at AS at, encode(hash, 'hex') AS hash, (SELECT count(*) FROM movements) AS movements FROM ledger_start",
  );
  assert.deepEqual(rows, [{ sequence: 0, at: 0, hash: FIRST_HASH, movements: 0 }]);
  const names = await namesIn(client);
  assert.deepEqual(
    names.filter((name) => String(name).startsWith('movements') && !String(name).endsWith('_not_null')),
    [
      'movements',
      'movements_are_final',
      'movements_are_kept',
      'movements_hash_check',
      'movements_milestones',
      'movements_pkey',
      'movements_pkey',
      'movements_reverts',
    ],
  );
  assert.ok(!names.some((name) => /step|not_null\d/.test(String(name))), names.join(' '));
});

test('a migration that breaks off leaves the ledger of the first release, and can be run again', async (t) => {
  const { url, client } = await firstRelease(t);
  await fill(client);
  // No number can hold this sequence, so the chain cannot be made.
  const beyond = `INSERT INTO movements VALUES (9007199254740993, NULL, 1, 'set', 0, 0, NULL, 'sold', NULL, 'x', NULL, 0)`;
  await client.query(beyond);
  const before = await textOf(client, ['movements', 'schema_migrations']);
  await assert.rejects(prepare(url), RangeError);
  assert.deepEqual(await textOf(client, ['movements', 'schema_migrations']), before);
  await client.query('ALTER TABLE movements DISABLE TRIGGER USER');
  await client.query('DELETE FROM movements WHERE sequence = 9007199254740993');
  assert.deepEqual(await prepare(url), ['ledger-opened', 'prunes-recorded']);
  assert.deepEqual((await verifyDatabase(client)).faults, []);
});

test('a movement is never changed, and only deleted where the ledger does not keep it', async (t) => {
  const { url, client } = await firstRelease(t);
  await fill(client);
  await prepare(url);
  const refused = async (sql: string, reason: RegExp) => {
    await assert.rejects(client.query(sql), reason, sql);
  };
  await refused('UPDATE movements SET note = NULL WHERE sequence = 1', /never changed/);
  await refused('TRUNCATE movements', /never changed, deleted or cut off/);
  await refused('TRUNCATE movements, ledger_start', /never changed, deleted or cut off/);
  await refused('DELETE FROM movements WHERE sequence = 1', /never deleted/);
  await client.query('UPDATE ledger_start SET sequence = 10');
  await refused('DELETE FROM movements WHERE sequence IN (10, 11)', /never deleted/);
  assert.equal((await client.query('DELETE FROM movements WHERE sequence <= 10')).rowCount, 10);
  await refused("INSERT INTO ledger_start VALUES (0, 0, '\\x00')", /check|unique/);
  await refused('INSERT INTO ledger_start SELECT * FROM ledger_start', /unique/);
});
