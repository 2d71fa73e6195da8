import type { Store } from '../domain/store.ts';
import { isPostgres } from './open-engine.ts';
import { databaseFile } from './sqlite/open.ts';
import type { StoreOptions } from './store-options.ts';

interface OpenOptions extends StoreOptions {
  /** The address of a prepared database. */
  readonly database: string;
  /** The address of a PostgreSQL replica; empty or undefined without one. */
  readonly readDatabase?: string;
}

/** Opens the store for the scheme of a database's address, for serving, and loads only the code of its engine. */
export async function openStore({ database, readDatabase = '', ...options }: OpenOptions): Promise<Store> {
  if (isPostgres(database)) {
    const { PostgresStore } = await import('./postgres/store.ts');
    const replica = readDatabase === '' ? {} : { readUrl: readDatabase };
    return PostgresStore.open({ url: database, ...replica, ...options });
  }
  const { SqliteStore } = await import('./sqlite/store.ts');
  return SqliteStore.open({ file: databaseFile(database), ...options });
}
