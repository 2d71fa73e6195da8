import { shownAddress } from './postgres/address.ts';
import { preparePostgres } from './postgres/admin/metadata.ts';
import { PostgresAdminStore } from './postgres/admin/store.ts';
import type { OpenedAdminStore, PreparedDatabase, SettleIdentity } from './schema/database-metadata.ts';
import { prepareSqlite } from './sqlite/admin/metadata.ts';
import { SqliteAdminStore } from './sqlite/admin/store.ts';
import { databaseFile } from './sqlite/open.ts';

/** Whether an address names a PostgreSQL database; any other names a SQLite file. */
export function isPostgres(url: string): boolean {
  return /^postgres(?:ql)?:/.test(url);
}

/** A database's address as it may be shown: without a password. */
export function shownDatabase(url: string): string {
  return isPostgres(url) ? shownAddress(url) : url;
}

/**
 * Opens the database of a URL for the operator.
 * @throws OperatorError when there is none, or when its schema is not this release's.
 */
export async function openAdmin(url: string): Promise<OpenedAdminStore> {
  return isPostgres(url) ? PostgresAdminStore.open(url) : SqliteAdminStore.open(databaseFile(url));
}

/**
 * Makes the database of a URL, or brings it up to this release; `settle` is asked under its write lock.
 * @param acceptedUnsafe Settings of a PostgreSQL server whose unsafe value the operator accepts.
 */
export async function prepareStore(
  url: string,
  acceptedUnsafe: readonly string[],
  settle: SettleIdentity,
): Promise<PreparedDatabase> {
  return isPostgres(url)
    ? preparePostgres(url, acceptedUnsafe, settle)
    : prepareSqlite(databaseFile(url), settle);
}

/** The file beside the data in which a pepper is kept that was not configured; PostgreSQL's data has no such place. */
export function pepperFile(url: string): string | undefined {
  return isPostgres(url) ? undefined : `${databaseFile(url)}.pepper`;
}
