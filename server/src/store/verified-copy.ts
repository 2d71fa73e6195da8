import { createReadStream, createWriteStream, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import type { ReportProgress } from '@petstore-inventory/shared/report-progress';
import { isDiskFull } from '../domain/disk.ts';
import { OperatorError } from '../domain/errors.ts';
import { statNamed } from './complete-file.ts';
import { contentFault } from './sqlite/file/file-fault.ts';
import { PRIVATE } from './sqlite/file/private-file.ts';
import { type VerifiedBackup, verifyRestored } from './verified-backup.ts';

/** Files that SQLite may have next to a database. */
export const COMPANIONS = ['-wal', '-shm', '-journal'] as const;

/**
 * Copies a backup to a new file, and verifies the copy: its integrity, every hash and every balance. The copy is a
 * database of this release afterwards, and the backup is unchanged. After an error there is no copy.
 * @throws OperatorError for a file that is not a backup of this service, or whose schema is newer.
 */
export async function verifyCopy(
  backup: string,
  copy: string,
  progress?: ReportProgress,
): Promise<VerifiedBackup> {
  requireBackupFile(backup);
  try {
    await copyPrivately(backup, copy);
    return await verifyRestored(`sqlite:${copy}`, { notBackup: () => notBackup(backup), progress });
  } catch (error) {
    removeCopy(copy);
    const { message, code } = error as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || isDiskFull(error)) {
      throw new OperatorError(
        `There is no room for a copy of ${backup}; make room, or set TMPDIR for a check.`,
        {
          cause: error,
        },
      );
    }
    if (!(error instanceof OperatorError)) {
      throw new OperatorError(`${backup} cannot be restored (${message}); use an older backup.`, {
        cause: error,
      });
    }
    throw new OperatorError(message.replaceAll(copy, backup), { cause: error });
  }
}

/**
 * Copies a file for its owner alone, who may write to the copy. The backup may be one that all may read, and that is protected from
 * changes: the copies of Node have the mode of their original before they have its content.
 */
async function copyPrivately(file: string, copy: string): Promise<void> {
  rmSync(copy, { force: true });
  await pipeline(createReadStream(file), createWriteStream(copy, { flags: 'wx', mode: PRIVATE }));
}

/** Removes a copy with what SQLite and the service keep next to it. */
export function removeCopy(copy: string): void {
  for (const suffix of ['', ...COMPANIONS, '-serving', '-reserve'])
    rmSync(`${copy}${suffix}`, { force: true });
}

/** The hash of a movement in a database file, in hexadecimal digits; `undefined` if it was pruned or is not there. */
export function hashOfMovement(file: string, sequence: number): string | undefined {
  const row = readRow(file, 'SELECT lower(hex(hash)) AS value FROM movements WHERE sequence = ?', sequence);
  return row === undefined ? undefined : String(row);
}

/** What distinguishes the shop of a backup from other shops; `undefined` for a file that is not a backup. */
export function shopOf(file: string): string | undefined {
  try {
    requireBackupFile(file);
    const made = readRow(file, `SELECT value FROM metadata WHERE name = 'created_at'`);
    const environment = readRow(file, `SELECT value FROM metadata WHERE name = 'environment'`);
    return made === undefined || environment === undefined ? undefined : `${environment} ${made}`;
  } catch {
    return undefined;
  }
}

function readRow(file: string, sql: string, ...values: readonly number[]): unknown {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare(sql).get(...values)?.value;
  } finally {
    database.close();
  }
}

function requireBackupFile(file: string): void {
  const found = statNamed(file);
  if (!found) throw new OperatorError(`There is no file ${resolve(file)}.`);
  if (!found.isFile()) throw new OperatorError(`${file} is not a file; name a backup.`);
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  if ((log?.size ?? 0) > 0) {
    throw new OperatorError(
      `${file} has a log next to it (${file}-wal), so it is a database in use; name a file that petstore-server backup made.`,
    );
  }
  const fault = contentFault(file);
  if (fault !== undefined) throw new OperatorError(`${file} ${fault}; use another backup.`);
}

function notBackup(file: string): OperatorError {
  return new OperatorError(
    `${file} is not a backup of petstore-server; name a file that petstore-server backup made.`,
  );
}
