import { MAX_QUANTITY } from '@petstore-inventory/shared/limits';
import { shownAddress } from '../domain/database-address.ts';
import type { StockRules } from '../domain/ledger/ledger-transaction.ts';
import type { AdminEngine } from './admin/admin-engine.ts';
import { SqlAdminStore } from './admin/admin-store.ts';
import { prepareSchema, previewSchema } from './admin/migrate.ts';
import { isPostgres, openAdminEngine, type OpenEngineOptions } from './open-engine.ts';
import type {
  OpenedAdminStore,
  PepperSource,
  PreparedDatabase,
  RulesSource,
  SettleIdentity,
} from './schema/database-metadata.ts';
import { SqliteAdminEngine } from './sqlite/admin/engine.ts';
import { databaseFile, pepperOf } from './sqlite/open.ts';

/** A database's address as it may be shown: without a password. */
export function shownDatabase(url: string): string {
  return isPostgres(url) ? shownAddress(url) : url;
}

/** The rules of a shop that configures none. */
export const DEFAULT_RULES: StockRules = {
  statusPolicy: 'unchanged',
  maxQuantity: MAX_QUANTITY,
  orderHoldMs: null,
};

interface OpenAdminOptions extends OpenEngineOptions {
  /** For writes; they must be those of the service. */
  readonly rules?: RulesSource;
  /** Called when a webhook secret is made. */
  readonly pepper?: PepperSource;
  /** Whether the schema may be that of an older release: for a backup before the upgrade, which is the only way back. */
  readonly acceptsOlder?: boolean;
}

/**
 * Opens the database of a URL for the operator.
 * @throws OperatorError when there is none, or when its schema is another one.
 */
export async function openAdmin(
  url: string,
  { rules = DEFAULT_RULES, pepper = noPepper, acceptsOlder = false, ...options }: OpenAdminOptions = {},
): Promise<OpenedAdminStore> {
  return SqlAdminStore.open(await openAdminEngine(url, options), { rules, pepper, acceptsOlder });
}

function noPepper(): never {
  throw new Error('The database was opened without its pepper.');
}

/**
 * Makes the database of a URL, or brings it up to this release.
 * @param acceptedUnsafe Settings of a PostgreSQL server whose unsafe value the operator accepts.
 * @param settle Called under the database's write lock.
 * @throws OperatorError when the database cannot be used; the message says what to do.
 */
export async function prepareStore(
  url: string,
  acceptedUnsafe: readonly string[],
  settle: SettleIdentity,
): Promise<PreparedDatabase> {
  const engine = isPostgres(url)
    ? await connectToPrepare(url, acceptedUnsafe)
    : SqliteAdminEngine.open(databaseFile(url), { create: true });
  return closedAfter(engine, () => prepareSchema(engine, settle));
}

/** What `prepareStore` would do; it throws as that does. */
export async function previewStore(
  url: string,
  acceptedUnsafe: readonly string[],
  settle: SettleIdentity,
): Promise<PreparedDatabase> {
  const engine = isPostgres(url)
    ? await connectToPrepare(url, acceptedUnsafe)
    : SqliteAdminEngine.openIfThere(databaseFile(url));
  return closedAfter(engine, () => previewSchema(engine, settle));
}

/** The code is loaded only here, because a shop on SQLite has no use for the driver. */
async function connectToPrepare(url: string, acceptedUnsafe: readonly string[]): Promise<AdminEngine> {
  const { PostgresAdminEngine } = await import('./postgres/admin/engine.ts');
  return PostgresAdminEngine.connectToPrepare(url, acceptedUnsafe);
}

async function closedAfter<T>(engine: AdminEngine, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await engine.close();
  }
}

/** The file next to the data for a generated pepper; PostgreSQL has no such place. */
export function pepperFile(url: string): string | undefined {
  return isPostgres(url) ? undefined : pepperOf(databaseFile(url));
}
