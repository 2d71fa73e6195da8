import { MIGRATIONS as POSTGRES } from '../../src/store/postgres/admin/migrations.ts';
import type { Migration } from '../../src/store/schema/migrations.ts';
import { MIGRATIONS as SQLITE } from '../../src/store/sqlite/migrations.ts';

/**
 * Imported by a process before the service, it makes that process a later release: each engine has one migration more,
 * with the SQL of this variable.
 */
const sql = process.env.LATER_MIGRATION;
if (sql !== undefined) {
  for (const migrations of [SQLITE, POSTGRES] as Migration[][]) {
    migrations.push({ version: migrations.length + 1, name: 'later', sql });
  }
}
