import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { ImportRunner } from '../../src/management/jobs/import-runner.ts';
import type { AdminEngine } from '../../src/store/admin/admin-engine.ts';
import { SqliteAdminEngine } from '../../src/store/sqlite/admin/engine.ts';
import { databaseFile } from '../../src/store/sqlite/open.ts';
import { migrate } from '../../src/store/admin/migrate.ts';
import { openAdmin } from '../../src/store/open-admin.ts';
import { isPostgres, openAdminEngine } from '../../src/store/open-engine.ts';
import { SCHEMA_VERSION } from '../../src/store/schema/migrations.ts';
import { adminShop } from '../support/admin-shop.ts';
import { petRow } from '../support/command-line.ts';
import { isSkippedDaily } from '../support/long-test.ts';
import { newDatabase, type TestDatabase, type Value } from '../support/test-database.ts';

type Columns = ReadonlyMap<string, readonly string[]>;

/** Tables of which another one has keys. */
const PARENTS = ['accounts', 'api_keys', 'pets', 'stocktakes', 'bulk_changes', 'imports'];
const OWN = new Set(['schema_migrations']);
/** Tables in which a new database has a row. */
const HAVE_ROWS = ['ledger_start', 'access_state', 'usage_state', 'metadata'];
const END_OTHERS =
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';

/** A shop with rows in nearly all tables. */
async function filledShop(t: TestContext) {
  const { app, send } = await adminShop(t, 'administrator', { nowMs: 'now' });
  const ok = async (method: string, target: string, body?: object) => {
    app.clock.nowMs += 1_000;
    const answer = await send(method, `/admin/v1${target}`, body);
    assert.ok(answer.status < 300, `${method} ${target}: ${answer.text}`);
    return answer.text === '' ? {} : JSON.parse(answer.text);
  };
  await app.admin.importPets(
    Array.from({ length: 40 }, (_, i) => petRow(i + 1, { name: `Pet ${i}`, quantity: i })),
    'cli',
  );
  await ok('PUT', '/thresholds', { lowStockAt: 10, restockAt: 15 });
  await ok('PATCH', '/pets/1', { sku: 'SKU-1', barcodes: ['4006381333931'], category: 'Zoë’s “fish”' });
  await ok('PATCH', '/reorders/1', { ordered: 10, supplier: 'Zoo' });
  const { sequence } = await ok('POST', '/inventory/1/adjustments', { delta: 6, reason: 'received' });
  await ok('POST', `/movements/${sequence}/revert`);
  await ok('POST', '/inventory/30/adjustments', { delta: -6, reason: 'sold', note: "it's" });
  await ok('POST', '/store/orders', { lines: [{ petId: 31, quantity: 2 }] });
  await ok('POST', '/pets', { petId: 99, quantity: 3 });
  await ok('DELETE', '/pets/99');
  const { id } = await ok('POST', '/stocktakes', { name: 'Shelf' });
  await ok('POST', `/stocktakes/${id}/counts`, { petId: 2, counted: 5 });
  await ok('POST', `/stocktakes/${id}/close`);
  await ok('POST', '/bulk-changes', { petIds: [3, 4], set: { category: 'Dogs' } });
  const file = await app.admin.imports.begin({
    format: 'csv',
    mode: 'set',
    fileName: 'pets.csv',
    actor: 'cli',
  });
  await app.admin.imports.addPart(file, 0, Buffer.from('petId,quantity\n5,9\n77,3\n'));
  await app.admin.imports.complete(file, CLI_AUTHOR);
  await new ImportRunner(app.admin.importJobs, 1_000, () => false).runNext();
  await app.admin.pruneMovements(app.clock.nowMs + 1_000_000, CLI_AUTHOR);
  return app;
}

/** The columns of each table, without generated ones. */
async function columnsOf(database: TestDatabase): Promise<Columns> {
  const sql = isPostgres(database.url)
    ? `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'
AND is_generated = 'NEVER' ORDER BY table_name, ordinal_position`
    : `SELECT m.name AS t, c.name AS c FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c WHERE m.type = 'table'
AND m.name NOT LIKE 'sqlite%' ORDER BY m.name, c.cid`;
  const columns = new Map<string, string[]>();
  for (const [table, column] of await database.rows(sql)) {
    const name = String(table);
    if (!OWN.has(name)) columns.set(name, [...(columns.get(name) ?? []), String(column)]);
  }
  return columns;
}

/** All that the schema is made of. */
async function schemaOf(database: TestDatabase): Promise<unknown> {
  if (!isPostgres(database.url)) {
    return database.rows('SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name');
  }
  return Promise.all(
    [
      `SELECT table_name, column_name, data_type, column_default, is_nullable, generation_expression, is_identity
FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2`,
      `SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1`,
      `SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2`,
      `SELECT tgrelid::regclass::text, tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 2`,
      `SELECT proname, pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1`,
      `SELECT relname, reloptions::text FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1`,
    ].map((sql) => database.rows(sql)),
  );
}

/** Opens a database without a schema. */
async function emptied(database: TestDatabase): Promise<AdminEngine> {
  if (isPostgres(database.url)) {
    await database.run('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    return openAdminEngine(database.url);
  }
  const file = databaseFile(database.url);
  await rm(file);
  return SqliteAdminEngine.open(file, { create: true });
}

function literal(value: Value, isBytea: boolean): string {
  if (value === null) return 'NULL';
  if (value instanceof Uint8Array) {
    const hex = Buffer.from(value).toString('hex');
    return isBytea ? `'\\x${hex}'` : `x'${hex}'`;
  }
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
}

function rowsOf(database: TestDatabase, table: string, columns: readonly string[]): Promise<Value[][]> {
  const order = columns.map((_, i) => i + 1).join();
  return database.rows(`SELECT ${columns.map(quoted).join()} FROM ${quoted(table)} ORDER BY ${order}`);
}

const quoted = (name: string) => `"${name}"`;

interface Copied {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly Value[][];
}

/** Copies what a schema has columns for. */
async function fill(database: TestDatabase, shop: TestDatabase): Promise<readonly Copied[]> {
  const [present, filled] = [await columnsOf(database), await columnsOf(shop)];
  const place = (table: string) => (PARENTS.includes(table) ? PARENTS.indexOf(table) : PARENTS.length);
  const tables = [...present.keys()].toSorted((a, b) => place(a) - place(b));
  const common = new Map(
    tables.map((table) => [
      table,
      (filled.get(table) ?? []).filter((name) => present.get(table)?.includes(name)),
    ]),
  );
  const copied: Copied[] = [];
  const statements = [
    'BEGIN',
    ...HAVE_ROWS.filter((table) => common.has(table)).map((table) => `DELETE FROM ${table}`),
  ];
  for (const [table, columns] of common) {
    const rows = await rowsOf(shop, table, columns);
    copied.push({ table, columns, rows });
    for (const row of rows) {
      const values = row.map((value) => literal(value, isPostgres(database.url)));
      statements.push(
        `INSERT INTO ${quoted(table)} (${columns.map(quoted).join()}) VALUES (${values.join()})`,
      );
    }
  }
  await database.run([...statements, 'COMMIT'].join(';'));
  return copied;
}

/** Migrates databases of these schemas, and compares each with a new one. */
async function assertMigrated(t: TestContext, versions: readonly number[]): Promise<void> {
  const shop = await filledShop(t);
  const newest = await schemaOf(shop.database);
  for (const version of versions) {
    const database = await newDatabase(t);
    const older = await emptied(database);
    const { migrations } = older;
    Object.assign(older, { migrations: migrations.slice(0, version) });
    await older.transaction(() => migrate(older));
    const copied = await fill(database, shop.database);
    // The connection of the test counts as a running service.
    if (isPostgres(database.url)) await older.all(END_OTHERS);
    Object.assign(older, { migrations });
    const made = await older.transaction(() => migrate(older));
    await older.close();
    assert.equal(made.length, SCHEMA_VERSION - version);
    assert.deepEqual(await schemaOf(database), newest, `version ${version}`);
    for (const { table, columns, rows } of copied) {
      // The trigger counts what the copy adds.
      if (table === 'access_state') continue;
      assert.deepEqual(await rowsOf(database, table, columns), rows, `version ${version}, ${table}`);
    }
    const admin = await openAdmin(database.url);
    t.after(() => admin.close());
    // No pet was deleted before the ninth schema.
    const faults = version < 9 ? ['Pet 99 was deleted, but has no record of that.'] : [];
    assert.deepEqual((await admin.verify()).faults, faults, `version ${version}`);
    assert.equal((await admin.pets.find(5n)).quantity, 4);
    assert.equal((await admin.reorders.find(1n)).petId, 1n);
  }
}

/** The oldest schema, and the one before the newest. */
const DAILY = [1, SCHEMA_VERSION - 1];

test('an older schema with data becomes that of a new database, and keeps the data', (t) =>
  assertMigrated(t, DAILY));

test('so does each other schema', async (t) => {
  if (isSkippedDaily(t)) return;
  const all = Array.from({ length: SCHEMA_VERSION }, (_, i) => i + 1);
  await assertMigrated(
    t,
    all.filter((version) => !DAILY.includes(version)),
  );
});
