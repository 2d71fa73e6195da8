import { accessSync, constants, existsSync, mkdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isForbidden } from '../../domain/disk.ts';
import { OperatorError } from '../../domain/errors.ts';
import { isBusy, isDamaged } from './file/busy.ts';
import { contentFault, RESTORE_ADVICE } from './file/file-fault.ts';
import { interruptedAdvice, interruptedRestore } from './file/interrupted-restore.ts';
import { createPrivately } from './file/private-file.ts';

/** The first release in which a WAL reset can no longer lose a commit (sqlite.org/wal.html, section 11). */
const OLDEST_SQLITE = [3, 51, 3] as const;
const BUSY_TIMEOUT_MS = 5_000;
const RETRY_MS = 5;
/**
 * Changes wait this long for an import, which must be one transaction: a million pets take 6 to 14 s (DECISIONS.md).
 * The wait is less than the time limit of a response.
 */
export const WRITER_BUSY_TIMEOUT_MS = 20_000;

/** The settings of every connection. `synchronous` 2 is FULL: a commit returns after its fsync. */
const REQUIRED_PRAGMAS = {
  journal_mode: 'wal',
  synchronous: 2,
  foreign_keys: 1,
  trusted_schema: 0,
} as const;

/** Links from one to the next; more are a circle. */
const MAX_LINKS = 40;

/** The file of `sqlite:FILE`: the target of a link, next to which SQLite and the service keep their own files. */
export function databaseFile(url: string): string {
  return linkedFile(url.slice('sqlite:'.length), MAX_LINKS);
}

/** Also of a link whose target is not there: what is next to its place says why. */
function linkedFile(file: string, linksLeft: number): string {
  if (existsSync(file)) return realpathSync(file);
  const target = linksLeft > 0 ? linkTarget(file) : undefined;
  return target !== undefined && existsSync(dirname(target)) ? linkedFile(target, linksLeft - 1) : file;
}

/** What a link names; `undefined` for anything else. */
function linkTarget(file: string): string | undefined {
  try {
    return resolve(realpathSync(dirname(file)), readlinkSync(file));
  } catch {
    return undefined;
  }
}

/**
 * Opens a database file for work that must not change it. The last connection that closes copies the log into the file, except one
 * that can only read. Without a log there is nothing to copy, and SQLite removes the files that it made.
 * @throws OperatorError as `openDatabase`.
 */
export function openUnchanged(file: string): DatabaseSync {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  return openDatabase(file, { readOnly: (log?.size ?? 0) > 0 });
}

/**
 * Opens a database file, and creates it and its folder if `create` is set.
 * @throws OperatorError for a file, a folder or a version of SQLite on which commits are not durable.
 */
export function openDatabase(
  file: string,
  { create = false, readOnly = false, busyTimeoutMs = BUSY_TIMEOUT_MS } = {},
): DatabaseSync {
  prepareFile(file, create);
  // SQLite would write its first page, also for a command that only reads.
  if (!create && statSync(file).size === 0) {
    throw new OperatorError(`${file} is empty; run petstore-server migrate first.`);
  }
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly, timeout: busyTimeoutMs });
    refuseOldSqlite(database);
    configure(database, file);
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof OperatorError) throw error;
    if (isBusy(error)) {
      throw new OperatorError(
        `${file} is locked by another program, such as one that copies or repairs it; end it, and try again.`,
      );
    }
    const fault = isDamaged(error) ? contentFault(file) : undefined;
    if (fault !== undefined) {
      throw new OperatorError(
        `${file} ${fault}; ${RESTORE_ADVICE}, or set PETSTORE_DATABASE to another file.`,
        { cause: error },
      );
    }
    throw new OperatorError(
      `${file} cannot be opened as a database (${(error as Error).message}); is it a SQLite file, on a disk with room?`,
    );
  }
}

/** A connection that can only read, for the thread that serves requests. */
export function openReader(file: string): DatabaseSync {
  return configure(new DatabaseSync(file, { readOnly: true, timeout: BUSY_TIMEOUT_MS }), file);
}

/** @throws OperatorError for a place whose database a restore moved away before it was interrupted. */
export function refuseInterrupted(file: string): void {
  const kept = interruptedRestore(file);
  if (kept !== undefined) throw new OperatorError(interruptedAdvice(file, kept));
}

function prepareFile(file: string, create: boolean): void {
  refuseInterrupted(file);
  try {
    refuseEmptied(file);
    if (!existsSync(file) && !create) throw noDatabase(file);
    makeFolder(dirname(file));
    createPrivately(file);
    if (statSync(file).isDirectory()) throw folderInPlace(file);
    // Not by opening it: closing it again would release the POSIX locks of this process's connections to it.
    accessSync(file, constants.W_OK);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(
      `${file} cannot be written (${(error as Error).message}); ${isForbidden(error) ? 'run this as the user of the service, or ' : ''}set PETSTORE_DATABASE to a file in a folder that can be.`,
    );
  }
}

function noDatabase(file: string): OperatorError {
  return new OperatorError(
    `There is no database at ${resolve(file)}; run this where the service runs, set PETSTORE_DATABASE, ` +
      'or make one with petstore-server migrate.',
  );
}

function folderInPlace(file: string): OperatorError {
  return new OperatorError(
    `${file} is a folder; set PETSTORE_DATABASE to a file in it, such as sqlite:${join(file, 'petstore.db')}.`,
  );
}

/**
 * A new file is empty only until its first page is written, before its log and its pepper are. A new shop in its place would delete
 * the log, and would have no pets.
 * @throws OperatorError for an empty file that had content, and for a missing one that has a log.
 */
export function refuseEmptied(file: string): void {
  const sizeOf = (name: string) => statSync(name, { throwIfNoEntry: false })?.size;
  const size = sizeOf(file);
  if (size !== undefined && size > 0) return;
  const log = `${file}-wal`;
  // A pepper alone can be in its place before its database is restored.
  const rest = (size === 0 ? [log, pepperOf(file)] : [log]).find((name) => (sizeOf(name) ?? 0) > 0);
  if (rest === undefined) return;
  throw new OperatorError(
    `${file} is ${size === 0 ? 'empty' : 'missing'}, but ${rest} shows that it was a database; put it back, or ${RESTORE_ADVICE}. To begin a new shop, move ${rest} away.`,
  );
}

/** The file next to a database for its generated pepper. */
export function pepperOf(file: string): string {
  return `${file}.pepper`;
}

/** Node's own recursive mkdir never ends where the system makes no folder although its parent exists, as in /proc. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

function refuseOldSqlite(database: DatabaseSync): void {
  const { version } = database.prepare('SELECT sqlite_version() AS version').get() as { version: string };
  const parts = version.split('.').map(Number);
  const difference = OLDEST_SQLITE.map((oldest, i) => (parts[i] ?? 0) - oldest).find((d) => d !== 0) ?? 0;
  if (difference < 0) {
    throw new OperatorError(
      `SQLite ${version} can lose a commit when its log is reset; run a newer Node or Bun, with SQLite ${OLDEST_SQLITE.join('.')} or later.`,
    );
  }
}

/**
 * Repeats what another process prevents. Two that begin the log of a new file at the same time wait for each other, and
 * one of them gets SQLITE_BUSY immediately, whatever its time limit is.
 */
function whenFree(work: () => void): void {
  const endMs = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || performance.now() >= endMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}

function configure(database: DatabaseSync, file: string): DatabaseSync {
  for (const [pragma, value] of Object.entries(REQUIRED_PRAGMAS))
    whenFree(() => database.exec(`PRAGMA ${pragma} = ${value}`));
  // Read back: a file system or a compile-time default may refuse a setting silently.
  for (const [pragma, value] of Object.entries(REQUIRED_PRAGMAS)) {
    const row = database.prepare(`PRAGMA ${pragma}`).get() as Record<string, unknown>;
    if (row[pragma] !== value) {
      throw new OperatorError(
        `${file}: SQLite keeps ${pragma} at ${String(row[pragma])} where ${value} is needed for durable commits; use a local disk.`,
      );
    }
  }
  // Shrinks the log again after its largest size.
  database.exec('PRAGMA journal_size_limit = 67108864');
  return database;
}
