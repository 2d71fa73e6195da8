import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { copyFile, rm } from 'node:fs/promises';
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
import { launchService, serviceEnvironment } from '../blackbox/service-process.ts';
import { adminShop } from '../support/admin-shop.ts';
import { petRow, temporaryFolder } from '../support/command-line.ts';
import { ADMIN_DOCUMENT, DOCUMENT, operationsIn } from '../support/openapi-document.ts';
import { isSkippedDaily } from '../support/long-test.ts';
import { newDatabase, type TestDatabase, testEngine, type Value } from '../support/test-database.ts';

type Columns = ReadonlyMap<string, readonly string[]>;

/** Tables of which another one has keys. */
const PARENTS = ['accounts', 'api_keys', 'pets', 'stocktakes', 'bulk_changes', 'imports'];
const OWN = new Set(['schema_migrations']);
/** Tables in which a new database has a row. */
const HAVE_ROWS = ['ledger_start', 'access_state', 'usage_state', 'metadata'];
const END_OTHERS =
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';

/** A shop with rows in all tables. */
async function filledShop(t: TestContext) {
  const { app, key, principal, send } = await adminShop(t, 'administrator', { nowMs: 'now' });
  const ok = async (method: string, target: string, body?: object, headers = {}) => {
    app.clock.nowMs += 1_000;
    const answer = await send(method, `/admin/v1${target}`, body, headers);
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
  const sale = { delta: -6, reason: 'sold', note: "it's" };
  await ok('POST', '/inventory/30/adjustments', sale, { 'Idempotency-Key': 'sale-of-30' });
  await ok('POST', '/store/orders', { lines: [{ petId: 31, quantity: 2 }] });
  await ok('POST', '/pets', { petId: 99, quantity: 3 });
  await ok('DELETE', '/pets/99');
  const { id } = await ok('POST', '/stocktakes', { name: 'Shelf' });
  await ok('POST', `/stocktakes/${id}/counts`, { petId: 2, counted: 5 });
  await ok('POST', `/stocktakes/${id}/close`);
  await ok('POST', '/inventory/2/adjustments', { delta: 1, reason: 'other' });
  await ok('PUT', '/saved-views', { views: [] });
  await ok('PUT', '/import-mappings/Zoo', { columns: [{ heading: 'Artikel', field: 'sku' }] });
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
  const running = await ok('POST', '/stocktakes', { name: 'Window', posting: 'at_close' });
  await ok('POST', `/stocktakes/${running.id}/counts`, { petId: 6, counted: 4 });
  await app.admin.recordBackup({ madeAtMs: app.clock.nowMs, sequence, bytes: 1_000 });
  const { endpoint } = await app.admin.webhooks.create(
    { accountId: app.principal.account.id, url: 'https://shop.example/' },
    1_000,
    CLI_AUTHOR,
  );
  await app.admin.webhooks.pause(endpoint.id, CLI_AUTHOR);
  const [keyId, accountId] = [principal.key.id, app.principal.account.id];
  await app.database.run(restOf({ keyId, accountId, endpointId: endpoint.id }, isPostgres(app.database.url)));
  return { app, key };
}

/** Rows of what only time, other threads and other processes write. */
function restOf(
  { keyId, accountId, endpointId }: Readonly<Record<'keyId' | 'accountId' | 'endpointId', unknown>>,
  isOnPostgres: boolean,
): string {
  const hash = (text: string) => literal(createHash('sha256').update(text).digest(), isOnPostgres);
  return [
    `INSERT INTO bans (key_id, level, banned_at, ends_at, lifted_at) VALUES ('${keyId}', 1, 1000, 2000, 3000)`,
    `INSERT INTO events VALUES (1, 2, 'quota.reached', '${accountId}', '{"percent":80}', 1000)`,
    `INSERT INTO quota_notices VALUES ('${accountId}', 1, 80)`,
    `INSERT INTO sessions VALUES ('ses_0000000000000000', '${keyId}', ${hash('session')}, 1000, 1000, 2000)`,
    `INSERT INTO sign_in_codes VALUES (${hash('code')}, '${keyId}', 1000)`,
    `INSERT INTO usage_history VALUES ('${accountId}', 'day', 0, 7)`,
    `INSERT INTO bulk_rows (change_id, pet_id, outcome) SELECT id, 40, 'ready' FROM bulk_changes`,
    `INSERT INTO import_bad_rows SELECT min(id), 1, 'x,3' FROM imports`,
    `INSERT INTO webhook_attempts (endpoint_id, slot, number, event_id, event_type, attempt, attempted_at, duration_ms)
VALUES ('${endpointId}', 0, 1, '1.0', 'inventory.changed', 1, 1000, 5)`,
    ...(isOnPostgres ? [] : [`INSERT INTO usage VALUES ('${accountId}', 'day', 1, 7, 7)`]),
  ].join(';');
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
  const { app: shop, key } = await filledShop(t);
  const newest = await schemaOf(shop.database);
  const columns = await columnsOf(shop.database);
  for (const table of columns.keys()) {
    const [row] = await shop.database.rows(`SELECT 1 FROM ${quoted(table)} LIMIT 1`);
    assert.ok(row, `${table} has a row`);
  }
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
    // No pet was deleted before the ninth schema.
    const faults = version < 9 ? ['Pet 99 was deleted, but has no record of that.'] : [];
    assert.deepEqual((await admin.verify()).faults, faults, `version ${version}`);
    assert.equal((await admin.pets.find(5n)).quantity, 4);
    assert.equal((await admin.reorders.find(1n)).petId, 1n);
    await admin.close();
    await assertServed(t, database, shop.database, { client: shop.key, manager: key });
  }
}

/** Starts the service on a migrated database, and sends each request that reads something without a name. */
async function assertServed(
  t: TestContext,
  database: TestDatabase,
  shop: TestDatabase,
  keys: { readonly client: string; readonly manager: string },
): Promise<void> {
  if (!isPostgres(database.url)) {
    await copyFile(`${databaseFile(shop.url)}.pepper`, `${databaseFile(database.url)}.pepper`);
  }
  const variables = { ...testEngine().variables, PETSTORE_DATABASE: database.url, PETSTORE_DASHBOARD: 'off' };
  const service = await launchService(serviceEnvironment(undefined, temporaryFolder(t), variables));
  t.after(() => service.kill9());
  for (const { document, base, key } of [
    { document: DOCUMENT, base: '/v1', key: keys.client },
    { document: ADMIN_DOCUMENT, base: '/admin/v1', key: keys.manager },
  ]) {
    for (const { method, path, operation } of operationsIn(document)) {
      if (method !== 'GET' || path.includes('{') || operation.operationId === 'streamMovements') continue;
      const response = await fetch(`${service.url}${base}${path}`, {
        headers: { Authorization: `Bearer ${key}` },
      });
      const text = await response.text();
      // Some need a parameter, and a key has no session.
      assert.ok([200, 400, 404].includes(response.status), `GET ${base}${path}: ${response.status} ${text}`);
    }
  }
  assert.equal(await service.stop(), 0, service.logs());
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
