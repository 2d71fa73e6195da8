import type { AdminEngine } from './admin/admin-engine.ts';
import { databaseFile } from './sqlite/open.ts';

/** Whether an address names a PostgreSQL database; any other names a SQLite file. */
export function isPostgres(url: string): boolean {
  return /^postgres(?:ql)?:/.test(url);
}

export interface OpenEngineOptions {
  /** After this time without a response of a server, its connection is given up; by default, never. */
  readonly responseTimeoutMs?: number | undefined;
  /** Whether a file must stay as it is, with its log. */
  readonly isUnchanged?: boolean | undefined;
}

/**
 * Connects to the database of a URL, and loads only the code of its engine.
 * @throws OperatorError when there is none.
 */
export async function openAdminEngine(
  url: string,
  { responseTimeoutMs, isUnchanged = false }: OpenEngineOptions = {},
): Promise<AdminEngine> {
  if (isPostgres(url)) {
    const { PostgresAdminEngine } = await import('./postgres/admin/engine.ts');
    return PostgresAdminEngine.connect(url, responseTimeoutMs);
  }
  const { SqliteAdminEngine } = await import('./sqlite/admin/engine.ts');
  const file = databaseFile(url);
  return isUnchanged ? SqliteAdminEngine.openUnchanged(file) : SqliteAdminEngine.open(file);
}

/**
 * Runs commands whose transactions may wait for the ledger's lock, each on a new connection besides that of `writing`. On SQLite
 * they run on `writing`: the file has one lock, and two connections in one thread would wait for each other.
 */
export function besideWriting(url: string, writing: AdminEngine, open: () => Promise<AdminEngine>) {
  return async <T>(command: (engine: AdminEngine) => Promise<T>): Promise<T> => {
    if (!isPostgres(url)) return command(writing);
    const engine = await open();
    try {
      return await command(engine);
    } finally {
      await engine.close();
    }
  };
}
