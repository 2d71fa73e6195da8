import { initialTables } from '../schema/initial.ts';
import { bulkChanges } from '../schema/bulk-changes.ts';
import { BULK_CODES } from '../schema/bulk-codes.ts';
import { BULK_ORDERS } from '../schema/bulk-orders.ts';
import { BULK_SUPPLIERS } from '../schema/bulk-suppliers.ts';
import { DELETED_PETS } from '../schema/deleted-pets.ts';
import { IMPORT_CODES } from '../schema/import-codes.ts';
import { IMPORT_HASHES } from '../schema/import-hashes.ts';
import { importMappings } from '../schema/import-mappings.ts';
import { importReadings } from '../schema/import-readings.ts';
import { IMPORT_SUPPLIERS } from '../schema/import-suppliers.ts';
import { IMPORT_UNDOS } from '../schema/import-undos.ts';
import type { Migration } from '../schema/migrations.ts';
import { NEWEST_BACKUP } from '../schema/newest-backup.ts';
import { petCodes } from '../schema/pet-codes.ts';
import { REORDER_REVERTS } from '../schema/reorder-reverts.ts';
import { REORDER_CANDIDATES } from '../schema/reorder-candidates.ts';
import { SUPPLIER_PETS } from '../schema/supplier-pets.ts';
import { reorders } from '../schema/reorders.ts';
import { savedViews } from '../schema/saved-views.ts';
import { stocktakes } from '../schema/stocktakes.ts';

/** Statements with SQLite's names of the types. */
function inSqlite(sql: string): string {
  return sql.replaceAll(/\bbigint\b/g, 'INTEGER').replaceAll(/\bbytea\b/g, 'BLOB');
}

const TABLES = inSqlite(initialTables('sqlite'));

/** Changes of these concern a running service. */
const ACCESS_CHANGES = [
  'accounts_inserted AFTER INSERT ON accounts',
  'accounts_updated AFTER UPDATE ON accounts',
  'accounts_deleted AFTER DELETE ON accounts',
  'keys_inserted AFTER INSERT ON api_keys',
  'keys_updated AFTER UPDATE OF account_id, role, hash, scopes, expires_at, revoked_at ON api_keys',
  'keys_deleted AFTER DELETE ON api_keys',
  'sessions_deleted AFTER DELETE ON sessions',
  'bans_inserted AFTER INSERT ON bans',
  'bans_updated AFTER UPDATE ON bans',
  'bans_deleted AFTER DELETE ON bans',
];

/**
 * - In `usage`, `recorded` is the part of `used` that the history has, or that belongs to another minute (DECISIONS.md).
 * - `usage_state.finished` numbers the minutes that were added to `usage_history`, so that none is added twice.
 */
const INITIAL = `${TABLES}
CREATE TABLE usage (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  window TEXT NOT NULL CHECK (window IN ('minute', 'day')),
  label INTEGER NOT NULL,
  used INTEGER NOT NULL,
  recorded INTEGER NOT NULL,
  PRIMARY KEY (account_id, window)
) STRICT, WITHOUT ROWID;
CREATE TABLE usage_state (finished INTEGER NOT NULL) STRICT;
INSERT INTO usage_state VALUES (0);

${ACCESS_CHANGES.map((change) => `CREATE TRIGGER ${change} BEGIN UPDATE access_state SET version = version + 1; END;`).join('\n')}

INSERT INTO ledger_start VALUES (0, 0, zeroblob(32), 0, zeroblob(32));

CREATE TRIGGER movements_are_final BEFORE UPDATE ON movements
BEGIN SELECT RAISE(ABORT, 'a movement is never changed'); END;
CREATE TRIGGER movements_are_kept BEFORE DELETE ON movements WHEN OLD.sequence > (SELECT sequence FROM ledger_start)
BEGIN SELECT RAISE(ABORT, 'a movement that the ledger keeps is never deleted'); END;

CREATE TRIGGER prunes_are_final BEFORE UPDATE ON prunes
BEGIN SELECT RAISE(ABORT, 'the record of a prune is never changed'); END;
CREATE TRIGGER prunes_are_kept BEFORE DELETE ON prunes
BEGIN SELECT RAISE(ABORT, 'the record of a prune is never deleted'); END;
`;

/** Each is frozen, because databases have its checksum: a change of the schema is another migration at the end. */
export const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: 'initial', sql: INITIAL },
  { version: 2, name: 'pet-codes', sql: inSqlite(petCodes('sqlite')) },
  { version: 3, name: 'stocktakes', sql: inSqlite(stocktakes('sqlite')) },
  { version: 4, name: 'bulk-changes', sql: inSqlite(bulkChanges('sqlite')) },
  { version: 5, name: 'import-readings', sql: inSqlite(importReadings('sqlite')) },
  { version: 6, name: 'import-codes', sql: inSqlite(IMPORT_CODES) },
  { version: 7, name: 'catalog-facts', sql: '-- Only PostgreSQL has them.' },
  { version: 8, name: 'bulk-codes', sql: inSqlite(BULK_CODES) },
  { version: 9, name: 'deleted-pets', sql: inSqlite(`${DELETED_PETS} STRICT;`) },
  { version: 10, name: 'import-mappings', sql: inSqlite(importMappings('sqlite')) },
  { version: 11, name: 'newest-backup', sql: inSqlite(`${NEWEST_BACKUP} STRICT;`) },
  { version: 12, name: 'reorders', sql: inSqlite(reorders('sqlite')) },
  { version: 13, name: 'saved-views', sql: inSqlite(savedViews('sqlite')) },
  { version: 14, name: 'import-hashes', sql: inSqlite(IMPORT_HASHES) },
  { version: 15, name: 'bulk-suppliers', sql: inSqlite(BULK_SUPPLIERS) },
  { version: 16, name: 'bulk-orders', sql: inSqlite(BULK_ORDERS) },
  { version: 17, name: 'import-suppliers', sql: inSqlite(IMPORT_SUPPLIERS) },
  { version: 18, name: 'import-undos', sql: inSqlite(IMPORT_UNDOS) },
  { version: 19, name: 'reorder-reverts', sql: inSqlite(REORDER_REVERTS) },
  { version: 20, name: 'supplier-pets', sql: inSqlite(SUPPLIER_PETS) },
  { version: 21, name: 'reorder-candidates', sql: inSqlite(REORDER_CANDIDATES) },
];
