import { closeSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { ReportProgress } from '@petstore-inventory/shared/report-progress';
import { OperatorError } from '../../../domain/errors.ts';
import { workerModule } from '../../../domain/release-files.ts';
import { createPrivately } from '../file/private-file.ts';
import type { CopyFiles } from './copy-worker.ts';

const PROGRESS_INTERVAL_MS = 100;
const MEGABYTE = 1_000_000;

/** The id of the process that writes, or wrote, a file of this name; SQLite has a journal next to it. */
const PARTIAL_OWNER = /\.partial-(\d+)(?:-journal)?$/;

/**
 * Copies one moment of the database to a new file, while others write. The copy has another name until it is
 * complete, checked and durable, so a file with the final name is always a backup. Only its owner may read it,
 * whatever the mode of the database: copies leave the folder that protects the original.
 * @throws OperatorError when the file exists, or cannot be written.
 */
export async function writeBackup(
  { source, sourceBytes }: { readonly source: string; readonly sourceBytes: number },
  file: string,
  progress?: ReportProgress,
): Promise<void> {
  const target = resolve(file);
  refusePlace(target);
  const partial = `${target}.partial-${process.pid}`;
  try {
    removeAbandoned(target);
    // VACUUM INTO fills an empty file; a file that it makes itself is readable by others until it is complete.
    createPrivately(partial);
    const total = Math.ceil(sourceBytes / MEGABYTE);
    const timer = setInterval(() => {
      progress?.('Copying megabytes', Math.floor(statSync(partial).size / MEGABYTE), total);
    }, PROGRESS_INTERVAL_MS);
    await copyInThread({ source, copy: partial }).finally(() => clearInterval(timer));
    progress?.('Checking megabytes', 0, total);
    requireIntegrity(partial);
    // Windows flushes only files that are open for writing.
    flush(partial, 'r+');
    refusePlace(target);
    renameSync(partial, target);
    // Windows cannot flush a folder; its file systems keep renames in order.
    if (process.platform !== 'win32') flush(dirname(target), 'r');
  } catch (error) {
    rmSync(partial, { force: true });
    rmSync(`${partial}-journal`, { force: true });
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`The backup cannot be written to ${file} (${(error as Error).message}).`, {
      cause: error,
    });
  }
}

/** In another thread, because SQLite blocks its own until the copy is complete. */
function copyInThread(files: CopyFiles): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerModule('copy-worker', import.meta.url), { workerData: files });
    worker.once('error', reject);
    worker.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`the copying thread ended with ${code}`));
    });
  });
}

function refusePlace(target: string): void {
  const found = statSync(target, { throwIfNoEntry: false });
  if (found?.isDirectory()) throw new OperatorError(`${target} is a folder; name a new file in it.`);
  if (found) throw new OperatorError(`${target} exists already; name a new file.`);
  const folder = dirname(target);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new OperatorError(`There is no folder ${folder}; make it first.`);
}

/** Removes what killed backups to the same file left. */
function removeAbandoned(target: string): void {
  const prefix = `${basename(target)}.partial-`;
  for (const name of readdirSync(dirname(target))) {
    const [, processId] = name.startsWith(prefix) ? (PARTIAL_OWNER.exec(name) ?? []) : [];
    if (processId === undefined) continue;
    if (Number(processId) === process.pid || !isAlive(Number(processId))) rmSync(join(dirname(target), name));
  }
}

export function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function requireIntegrity(file: string): void {
  const copy = new DatabaseSync(file, { readOnly: true });
  try {
    const { integrity_check: verdict } = copy.prepare('PRAGMA integrity_check(1)').get() as {
      integrity_check: string;
    };
    if (verdict !== 'ok') {
      throw new OperatorError(
        `The copy is damaged (${verdict}) and was removed; run petstore-server verify on the database.`,
      );
    }
  } finally {
    copy.close();
  }
}

export function flush(path: string, flags: 'r' | 'r+'): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
