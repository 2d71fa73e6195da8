import { existsSync, readdirSync, realpathSync, renameSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { ReportProgress } from '@petstore-inventory/shared/report-progress';
import { OperatorError } from '../domain/errors.ts';
import { isBusy } from './sqlite/file/busy.ts';
import { interruptedAdvice, interruptedRestore, readyCopy } from './sqlite/file/interrupted-restore.ts';
import { ServingLock } from './sqlite/file/serving-lock.ts';
import { MOVE } from './schema/database-metadata.ts';
import { makeFolder, openDatabase, openUnchanged } from './sqlite/open.ts';
import { cleanedUp } from './cleaned-up.ts';
import { flush } from './complete-file.ts';
import { type HashOf, requireSound, type VerifiedBackup } from './verified-backup.ts';
import { COMPANIONS, hashOfMovement, removeCopy, verifyCopy } from './verified-copy.ts';

export interface RestoredFile extends VerifiedBackup {
  /** Where the database that was in the place is now. */
  readonly kept: string | undefined;
  /** The newest movement of that database; `undefined` if there was none, or it cannot be read. */
  readonly replacedHead: number | undefined;
}

interface RestoreOptions {
  /** Whether a database in the place is kept under another name; otherwise it is refused. */
  readonly isReplaced: boolean;
  /** Refuses a place by the address to which its shop moved, if it did. */
  readonly checkReplaced: (movedTo: string | undefined) => void;
  /** Refuses a backup after its verification, before anything is in the place. */
  readonly check: (backup: VerifiedBackup, hashOf: HashOf) => void | Promise<void>;
  /** The suffix of the name of a database that was in the place. */
  readonly keptSuffix: string;
  readonly progress: ReportProgress;
}

/**
 * What the name of a copy, or of a file that SQLite or the service has next to it, adds to that of its database. The number of
 * a process has at most seven digits. A date has eight: it is in the names of a person's own files.
 */
const COPY_SUFFIX = /^((?:\.replaced-[^.]+(?:\.\d+Z)?)?\.restore-\d{1,7})(?:-\w+)?$/;

/**
 * Puts a verified copy of a backup in the place of a database. No service can start while it runs.
 * @throws OperatorError when the place is served or in use, has a database that must stay, or for a wrong backup.
 */
export async function restoreFile(
  backup: string,
  target: string,
  options: RestoreOptions,
): Promise<RestoredFile> {
  makeFolder(dirname(target));
  if (isSameFile(backup, target)) {
    throw new OperatorError(`${backup} is the database itself; name a backup.`);
  }
  const inUse = () =>
    new OperatorError(`A petstore-server is serving ${target}; stop it first. Nothing was changed.`);
  const lock = ServingLock.acquire(target, inUse);
  const copy = `${target}.restore-${process.pid}`;
  return cleanedUp(
    () => restoreLocked(backup, target, copy, options),
    () => {
      removeCopy(copy);
      lock.release();
    },
  );
}

async function restoreLocked(
  backup: string,
  target: string,
  copy: string,
  { isReplaced, checkReplaced, check, keptSuffix, progress }: RestoreOptions,
): Promise<RestoredFile> {
  putBack(target, interruptedRestore(target));
  if (hasDatabase(target) && !isReplaced) {
    throw new OperatorError(
      `${target} is there already. Add --replace, which keeps it under another name. Nothing was changed.`,
    );
  }
  if (existsSync(target)) checkReplaced(movedTo(target));
  removeAbandoned(target, backup);
  const verified = await verifyCopy(backup, copy, progress);
  requireSound(backup, verified);
  await check(verified, (sequence) => hashOfMovement(copy, sequence));
  // A signal removes the copy; without it this fails before the database is moved.
  flush(copy, 'r+');
  const isKept = hasDatabase(target);
  const replacedHead = isKept && existsSync(target) ? closeLog(target) : undefined;
  const kept = isKept ? resolve(`${target}${keptSuffix}`) : undefined;
  if (kept === undefined) renameSync(copy, target);
  else replaceDatabase(copy, target, kept);
  flushFolder(target);
  return { ...verified, kept, replacedHead };
}

/**
 * Moves a database with its log out of the place, and a copy into it. A log without its database must not meet the copy.
 * @throws OperatorError after an error, when the database is in its place again if that was possible.
 */
function replaceDatabase(copy: string, target: string, kept: string): void {
  const ready = readyCopy(kept);
  try {
    // From now on the folder shows an interruption: without the database, nothing opens or makes one here.
    renameSync(copy, ready);
    // The database first, because the interruption is found by its absence.
    for (const end of ['', ...COMPANIONS]) moveIfThere(`${target}${end}`, `${kept}${end}`);
    flushFolder(target);
    renameSync(ready, target);
  } catch (error) {
    throw new OperatorError(
      `${target} could not be replaced (${(error as Error).message}). ${afterFailure(target, kept)}`,
      { cause: error },
    );
  }
}

/** Puts a database back after an error. @returns What is there now, as sentences. */
function afterFailure(target: string, kept: string): string {
  try {
    putBack(target, interruptedRestore(target));
    removeCopy(readyCopy(kept));
    return 'Nothing was changed.';
  } catch {
    return interruptedAdvice(target, kept);
  }
}

/** Moves a database that an interrupted restore left under another name into its place again, with its log first. */
function putBack(target: string, kept: string | undefined): void {
  if (kept === undefined) return;
  for (const end of [...COMPANIONS, '']) moveIfThere(`${kept}${end}`, `${target}${end}`);
  flushFolder(target);
}

function moveIfThere(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, to);
}

function flushFolder(target: string): void {
  if (process.platform !== 'win32') flush(dirname(target), 'r');
}

/** Removes the copies that killed restores left, except the backup; the lock of the database excludes one that runs. */
function removeAbandoned(target: string, backup: string): void {
  const [folder, own] = [dirname(target), basename(target)];
  for (const name of readdirSync(folder)) {
    const [, suffix] = name.startsWith(own) ? (COPY_SUFFIX.exec(name.slice(own.length)) ?? []) : [];
    const copy = join(folder, `${own}${suffix}`);
    if (suffix !== undefined && !isSameFile(copy, backup)) removeCopy(copy);
  }
}

function isSameFile(one: string, other: string): boolean {
  return existsSync(one) && existsSync(other) && realpathSync(one) === realpathSync(other);
}

function hasDatabase(target: string): boolean {
  return ['', ...COMPANIONS].some((suffix) => existsSync(`${target}${suffix}`));
}

/** Where the shop of a database moved; `undefined` if it did not, or cannot be read. */
function movedTo(target: string): string | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = openUnchanged(target);
    const row = database.prepare('SELECT value FROM metadata WHERE name = ?').get(MOVE.to);
    return row === undefined ? undefined : String(row.value);
  } catch {
    return undefined;
  } finally {
    database?.close();
  }
}

/**
 * Copies the log into the file, so that one file has everything. A damaged file stays as it is, with its log.
 * @returns Its newest movement.
 * @throws OperatorError when another process uses it.
 */
function closeLog(target: string): number | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = openDatabase(target, { busyTimeoutMs: 1_000 });
    const head = database.prepare('SELECT max(sequence) AS head FROM movements').get()?.head;
    // SQLite leaves the WAL mode only on the last connection.
    database.exec('PRAGMA journal_mode = DELETE');
    return Number(head ?? 0);
  } catch (error) {
    if (!isBusy(error)) return undefined;
    throw new OperatorError(`${target} is in use by another command; end it first. Nothing was changed.`, {
      cause: error,
    });
  } finally {
    database?.close();
  }
}
