import { resolve } from 'node:path';
import pg from 'pg';
import type { ReportProgress } from '@petstore-inventory/shared/report-progress';
import { DURABILITY_SETTINGS } from '../domain/disk.ts';
import { changedAddress, shownAddress } from '../domain/database-address.ts';
import { OperatorError } from '../domain/errors.ts';
import { statNamed } from './complete-file.ts';
import { dumpedSchema, isDump } from './postgres/admin/dump.ts';
import { PostgresAdminEngine } from './postgres/admin/engine.ts';
import { runRestoreScript } from './postgres/admin/restore-script.ts';
import { requireScratchPermission, withScratchDatabase } from './postgres/admin/scratch-database.ts';
import { findTool, toolAddress } from './postgres/admin/tools.ts';
import { type HashOf, type VerifiedBackup, verifyRestored } from './verified-backup.ts';

/** Where backups of PostgreSQL are restored. */
export interface DumpPlace {
  /** The folder of pg_dump, pg_restore and psql; empty: on PATH. */
  readonly tools: string;
  /** A database next to which a temporary one is made. */
  readonly checkDatabase: string;
}

/**
 * Restores a backup into a temporary database, and verifies it there: every hash and every balance. The temporary database
 * is brought up to the schema of this release, and the backup is unchanged.
 * @param use Called while the temporary database is there.
 * @throws OperatorError for a file that is not a backup of this service, or whose schema is newer.
 */
export async function verifyDump<T>(
  backup: string,
  { tools, checkDatabase }: DumpPlace,
  progress: ReportProgress | undefined,
  use: (verified: VerifiedBackup, hashOf: HashOf) => Promise<T> | T,
): Promise<T> {
  requireDump(backup);
  const schema = await dumpedSchema(backup, tools);
  try {
    return await withScratchDatabase(checkDatabase, async (address) => {
      const scratch = inSchema(address, schema);
      const before = `CREATE SCHEMA IF NOT EXISTS ${pg.escapeIdentifier(schema)};\n`;
      await fillDatabase({ file: backup, url: scratch, tools, schema, before });
      await collectStatistics(scratch);
      const verified = await verifyRestored(scratch, {
        notBackup: () => notBackup(backup),
        // A server for checks may be faster and unsafe: nothing stays there.
        acceptedUnsafe: DURABILITY_SETTINGS,
        progress,
      });
      return use(verified, (sequence) => hashOfMovement(scratch, sequence));
    });
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const [before = '', ...after] = error.message.split(`${shownServer(checkDatabase)}/petstore_check_`);
    const message = [before, ...after.map((text) => text.replace(/^\d+/, ''))].join(backup);
    throw new OperatorError(message, { cause: error });
  }
}

/** @throws OperatorError for a place in which no backup can be verified, before one is made. */
export async function requireDumpPlace({ tools, checkDatabase }: DumpPlace): Promise<void> {
  await findTool('pg_restore', tools);
  await findTool('psql', tools);
  await requireScratchPermission(checkDatabase);
}

/** Fills the schema of a database from a backup, in one transaction. */
export async function fillDatabase({
  file,
  url,
  tools,
  schema,
  ...transaction
}: {
  readonly file: string;
  readonly url: string;
  readonly tools: string;
  readonly schema: string;
  readonly before: string;
  readonly beforeCommit?: () => Promise<void>;
}): Promise<void> {
  await runRestoreScript({
    psql: await findTool('psql', tools),
    restore: await findTool('pg_restore', tools),
    target: toolAddress(url),
    file: resolve(file),
    schema,
    ...transaction,
  });
}

/** Without statistics the checks of a large ledger, and a service, read tables again for each row. */
export async function collectStatistics(url: string): Promise<void> {
  const engine = await PostgresAdminEngine.connect(url);
  try {
    await engine.exec(`ANALYZE ${(await engine.tableNames()).join(', ')}`);
  } finally {
    await engine.close();
  }
}

/** The address with the schema of the backup, because a new database lacks the settings of the original one. */
function inSchema(address: string, schema: string): string {
  if (schema === 'public') return address;
  const path = `-csearch_path=${pg.escapeIdentifier(schema).replaceAll(' ', '\\ ')}`;
  return changedAddress(address, ({ searchParams }) => {
    const options = [searchParams.get('options'), path];
    searchParams.set('options', options.filter(Boolean).join(' '));
  }).replaceAll('+', '%20');
}

async function hashOfMovement(url: string, sequence: number): Promise<string | undefined> {
  const engine = await PostgresAdminEngine.connect(url);
  try {
    const rows = await engine.all<{ hash: string }>(
      `SELECT encode(hash, 'hex') AS hash FROM movements WHERE sequence = $1`,
      [sequence],
    );
    return rows[0]?.hash;
  } finally {
    await engine.close();
  }
}

/** @throws OperatorError for a file that no pg_dump made in its custom format. */
export function requireDump(file: string): void {
  const found = statNamed(file);
  if (!found) throw new OperatorError(`There is no file ${resolve(file)}.`);
  if (!found.isFile()) throw new OperatorError(`${file} is not a file; name a backup.`);
  if (!isDump(file)) throw notBackup(file);
}

function notBackup(file: string): OperatorError {
  return new OperatorError(
    `${file} is not a backup of petstore-server on PostgreSQL; name a file that petstore-server backup made.`,
  );
}

function shownServer(url: string): string {
  const shown = shownAddress(url);
  return shown.slice(0, shown.lastIndexOf('/'));
}
