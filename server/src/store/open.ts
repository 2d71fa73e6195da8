import type { Store } from '../domain/store.ts';
import { isPostgres } from './open-admin.ts';
import { PostgresStore } from './postgres/store.ts';
import { databaseFile } from './sqlite/open.ts';
import { SqliteStore } from './sqlite/store.ts';
import type { StoreOptions } from './store-options.ts';

export interface OpenOptions extends StoreOptions {
  /** The address of a database that was prepared. */
  readonly database: string;
  /** The address of a replica of it, on PostgreSQL; empty, or left out, where there is none. */
  readonly readDatabase?: string;
}

/** Opens the store that the scheme of a database's address names, for serving. */
export function openStore({ database, readDatabase = '', ...options }: OpenOptions): Promise<Store> {
  return isPostgres(database)
    ? PostgresStore.open({ url: database, ...(readDatabase !== '' && { readUrl: readDatabase }), ...options })
    : SqliteStore.open({ file: databaseFile(database), ...options });
}
