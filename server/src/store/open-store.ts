import type { Environment } from '../domain/api-key.ts';
import type { StatusPolicy } from '../domain/inventory.ts';
import type { Store } from '../domain/store.ts';
import { isPostgres } from './open-admin.ts';
import { PostgresStore } from './postgres/store.ts';
import { databaseFile } from './sqlite/open.ts';
import { SqliteStore } from './sqlite/store.ts';

export interface StoreOptions {
  /** The address of a database that was prepared. */
  readonly database: string;
  readonly environment: Environment;
  readonly statusPolicy: StatusPolicy;
  /** Told of each commit: how many writes it held, and how long it took until it was durable. */
  readonly onCommit: (writes: number, durationMs: number) => void;
  /** Told how many chunks of the list were made again. */
  readonly onListRebuild: (chunks: number) => void;
  /** Told of trouble that no request hears of. */
  readonly onTrouble: (message: string, cause: unknown) => void;
  /** The time that windows and bans follow where they follow the database's clock; for tests. */
  readonly clock?: () => number;
}

/** Opens the store that the scheme of a database's address names, for serving. */
export function openStore({ database, ...options }: StoreOptions): Promise<Store> {
  return isPostgres(database)
    ? PostgresStore.open({ url: database, ...options })
    : SqliteStore.open({ file: databaseFile(database), ...options });
}
