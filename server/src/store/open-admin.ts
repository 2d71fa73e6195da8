import type { OpenedAdminStore, PreparedDatabase, SettleIdentity } from './database-identity.ts';
import { SqliteAdminStore } from './sqlite/admin.ts';
import { prepareSqlite } from './sqlite/identity.ts';
import { databaseFile } from './sqlite/open.ts';

/**
 * Opens the database of a URL for the operator.
 * @throws OperatorError when there is none, or when its schema is not this release's.
 */
export function openAdmin(url: string): OpenedAdminStore {
  return SqliteAdminStore.open(databaseFile(url));
}

/** Makes the database of a URL, or brings it up to this release; `settle` is asked under its write lock. */
export function prepareStore(url: string, settle: SettleIdentity): PreparedDatabase {
  return prepareSqlite(databaseFile(url), settle);
}

/** The file beside the data in which a pepper is kept that was not configured. */
export function pepperFile(url: string): string {
  return `${databaseFile(url)}.pepper`;
}
