import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { prepareStore } from '../../../src/store/open-admin.ts';
import { MoveSource } from '../../../src/store/sqlite/admin/move-source.ts';
import { temporaryFolder } from '../../support/command-line.ts';
import { sharedPostgres } from '../support/shared-postgres.ts';

/** What a database has for itself. */
const LEFT_TABLES = [
  'access_state',
  'bulk_changes',
  'bulk_rows',
  'import_bad_rows',
  'import_parts',
  'import_rows',
  'imports',
  'newest_backup',
  'schema_migrations',
  'usage_state',
];

/** Columns of PostgreSQL with a default or a generated value, which a moved row gets. */
const LEFT_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  pets: ['catalog_facts'],
  usage: ['day_left_label', 'day_left_used', 'minute_left_label', 'minute_left_used'],
  webhook_endpoints: ['lease_owner', 'lease_token', 'lease_until'],
};

test('every table of a file moves, with every column that PostgreSQL has', async (t) => {
  const file = join(temporaryFolder(t), 'petstore.db');
  await prepareStore(`sqlite:${file}`, [], () => ({
    environment: 'production',
    pepperCheck: 'of this test',
  }));
  const database = new DatabaseSync(file);
  // Such as those of a program that copies the file; they stay.
  database.exec('CREATE TABLE _other_program (id INTEGER PRIMARY KEY)');
  database.close();
  const source = await MoveSource.open(file);
  t.after(() => source.close());

  const { server, template } = await sharedPostgres();
  const rows = await server.query(
    `SELECT table_name, column_name, data_type FROM information_schema.columns
WHERE table_schema = 'public' ORDER BY ordinal_position`,
    template,
  );
  const present = new Map<string, Map<string, string>>();
  for (const { table_name: table, column_name: column, data_type: type } of rows) {
    const columns = present.get(String(table)) ?? new Map<string, string>();
    present.set(String(table), columns.set(String(column), String(type)));
  }
  const moved = new Map(source.tables.map(({ name, columns }) => [name, columns]));
  assert.deepEqual(
    [...present.keys()].filter((name) => !moved.has(name)).toSorted(),
    LEFT_TABLES.filter((name) => name !== 'usage_state'),
  );
  for (const [name, columns] of moved) {
    const expected = [...(present.get(name) ?? [])].filter(
      ([column]) => !LEFT_COLUMNS[name]?.includes(column),
    );
    assert.deepEqual(columns, Object.fromEntries(expected), name);
  }
});
