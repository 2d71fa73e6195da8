import type { AdminEngine } from './admin/admin-engine.ts';
import { databaseFile } from './sqlite/open.ts';

/** Whether an address names a PostgreSQL database; any other names a SQLite file. */
export function isPostgres(url: string): boolean {
  return /^postgres(?:ql)?:/.test(url);
}

/**
 * Connects to the database of a URL, and loads only the code of its engine.
 * @param responseTimeoutMs After this time without a response of a server, its connection is given up; by default, never.
 * @throws OperatorError when there is none.
 */
export async function openAdminEngine(url: string, responseTimeoutMs?: number): Promise<AdminEngine> {
  if (isPostgres(url)) {
    const { PostgresAdminEngine } = await import('./postgres/admin/engine.ts');
    return PostgresAdminEngine.connect(url, responseTimeoutMs);
  }
  const { SqliteAdminEngine } = await import('./sqlite/admin/engine.ts');
  return SqliteAdminEngine.open(databaseFile(url));
}
