import type { Store } from '../domain/store.ts';
import { isPostgres } from './open-engine.ts';
import { PostgresStore } from './postgres/store.ts';
import { databaseFile } from './sqlite/open.ts';
import { SqliteStore } from './sqlite/store.ts';
import type { StoreOptions } from './store-options.ts';

export interface OpenOptions extends StoreOptions {
  /** The address of a prepared database. */
  readonly database: string;
  /** The address of a PostgreSQL replica; empty or undefined without one. */
  readonly readDatabase?: string;
}

/** Opens the store for the scheme of a database's address, for serving. */
export function openStore({ database, readDatabase = '', ...options }: OpenOptions): Promise<Store> {
  return isPostgres(database)
    ? PostgresStore.open({ url: database, ...(readDatabase !== '' && { readUrl: readDatabase }), ...options })
    : SqliteStore.open({ file: databaseFile(database), ...options });
}
