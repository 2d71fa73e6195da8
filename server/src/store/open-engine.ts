import type { AdminEngine } from './admin/admin-engine.ts';
import { databaseFile } from './sqlite/open.ts';

/** Whether an address names a PostgreSQL database; any other names a SQLite file. */
export function isPostgres(url: string): boolean {
  return /^postgres(?:ql)?:/.test(url);
}

/** Connects to the database of a URL, and loads only the code of its engine. @throws OperatorError when there is none. */
export async function openAdminEngine(url: string): Promise<AdminEngine> {
  if (isPostgres(url)) {
    const { PostgresAdminEngine } = await import('./postgres/admin/engine.ts');
    return PostgresAdminEngine.connect(url);
  }
  const { SqliteAdminEngine } = await import('./sqlite/admin/engine.ts');
  return SqliteAdminEngine.open(databaseFile(url));
}
