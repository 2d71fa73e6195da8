import type { StatusPolicy } from '../domain/inventory.ts';
import type { Store } from '../domain/store.ts';
import { databaseFile } from './sqlite/open.ts';
import { SqliteStore, type SqliteStoreOptions } from './sqlite/store.ts';

/** Opens the store that the scheme of a database's address names, for serving. */
export function openStore(
  { database, statusPolicy }: { database: string; statusPolicy: StatusPolicy },
  observers: Omit<SqliteStoreOptions, 'file' | 'statusPolicy'>,
): Promise<Store> {
  return SqliteStore.open({ file: databaseFile(database), statusPolicy, ...observers });
}
