import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { OperatorError } from '../domain/errors.ts';

/** The id of the process that writes, or wrote, a file of this name; SQLite has a journal next to it. */
const PARTIAL_OWNER = /\.partial-(\d+)(?:-journal)?$/;

/**
 * Writes a new file under another name, and gives it its name only after it is complete and durable, so a file with the
 * final name is always whole. Only its owner may read it: backups leave the folder that protects the original.
 * @throws OperatorError when the file exists, or cannot be written.
 */
export async function writeComplete(file: string, write: (partial: string) => Promise<void>): Promise<void> {
  const target = resolve(file);
  refusePlace(target);
  const partial = `${target}.partial-${process.pid}`;
  try {
    removeAbandoned(target);
    // The writer fills an empty file; a file that it makes itself is readable by others until it is complete.
    closeSync(openSync(partial, 'a', 0o600));
    await write(partial);
    // Windows flushes only files that are open for writing.
    flush(partial, 'r+');
    refusePlace(target);
    renameSync(partial, target);
    // Windows cannot flush a folder; its file systems keep renames in order.
    if (process.platform !== 'win32') flush(dirname(target), 'r');
  } catch (error) {
    removePartial(file);
    if (error instanceof OperatorError) throw error;
    throw new OperatorError(`The backup cannot be written to ${file} (${(error as Error).message}).`, {
      cause: error,
    });
  }
}

/** Removes what this process wrote of a file that is not complete. */
export function removePartial(file: string): void {
  const partial = `${resolve(file)}.partial-${process.pid}`;
  for (const name of [partial, `${partial}-journal`]) {
    // Even with `force`, a file in the place of the folder is an error.
    if (existsSync(name)) rmSync(name, { force: true });
  }
}

/** What is at a path that an operator named. Where a part of it is a file, Node finds nothing, and Bun throws. */
export function statNamed(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function refusePlace(target: string): void {
  const found = statNamed(target);
  if (found?.isDirectory()) throw new OperatorError(`${target} is a folder; name a new file in it.`);
  if (found) throw new OperatorError(`${target} exists already; name a new file.`);
  const folder = dirname(target);
  if (statNamed(folder)?.isDirectory()) return;
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

export function flush(path: string, flags: 'r' | 'r+'): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
