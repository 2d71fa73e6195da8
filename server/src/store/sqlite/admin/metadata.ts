import type { DatabaseSync } from 'node:sqlite';
import type { Environment } from '../../../domain/api-key.ts';
import type { DatabaseIdentity, PreparedDatabase, SettleIdentity } from '../../schema/database-metadata.ts';
import { migrate } from '../migrate.ts';
import { openDatabase } from '../open.ts';
import { inWriteTransaction } from '../transaction.ts';

interface MetadataRow {
  readonly name: string;
  readonly value: string;
}

/** What a database says of itself, or `undefined` while nobody has settled it. */
export function readIdentity(database: DatabaseSync): DatabaseIdentity | undefined {
  const rows = database.prepare('SELECT name, value FROM metadata').all() as unknown as MetadataRow[];
  const { environment, pepper_check: pepperCheck } = Object.fromEntries(
    rows.map(({ name, value }) => [name, value]),
  );
  if (environment === undefined || pepperCheck === undefined) return undefined;
  return { environment: environment as Environment, pepperCheck };
}

/** Makes the database if there is none, brings its schema up to this release, and settles whose keys it holds. */
export function prepareSqlite(file: string, settle: SettleIdentity): PreparedDatabase {
  const database = openDatabase(file, { create: true });
  try {
    const migrations = migrate(database, file);
    // Under the write lock, so that of two processes that start at once only one makes the pepper.
    return inWriteTransaction(database, () => {
      const identity = settle(readIdentity(database), holds(database, 'api_keys'));
      writeIdentity(database, identity);
      return {
        ...identity,
        migrations,
        isEmpty: !holds(database, 'accounts') && !holds(database, 'movements'),
      };
    });
  } finally {
    database.close();
  }
}

function holds(database: DatabaseSync, table: 'api_keys' | 'accounts' | 'movements'): boolean {
  return database.prepare(`SELECT 1 FROM ${table} LIMIT 1`).get() !== undefined;
}

function writeIdentity(database: DatabaseSync, { environment, pepperCheck }: DatabaseIdentity): void {
  const keep = database.prepare('INSERT INTO metadata VALUES (?, ?) ON CONFLICT DO NOTHING');
  keep.run('environment', environment);
  keep.run('created_at', String(Date.now()));
  const set = 'INSERT INTO metadata VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value';
  database.prepare(`${set} WHERE value <> excluded.value`).run('pepper_check', pepperCheck);
}
