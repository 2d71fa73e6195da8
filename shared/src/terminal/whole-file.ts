import {
  closeSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

const ONLY_OWNER = 0o600;

/** How the name of a file that is not complete ends: with the process that writes it. */
const UNFINISHED = /^\.petstore-([1-9]\d*)\.part$/;
/** A file that was not written for so long is of a killed process. Its process may be on another machine, or in another container. */
const ABANDONED_MS = 600_000;

/** Who may read a file besides its owner: `all` leaves that to the umask. */
export type Readers = 'owner' | 'all';

/** A file that is being written. */
interface WholeFile {
  write(piece: string | Uint8Array): void;
  /** Keeps all that was written. */
  finish(): void;
  /** Keeps nothing. */
  discard(): void;
}

/**
 * Begins a file that has its name only when it is complete and durable. What has this name before stays until then. A link
 * stays a link. A pipe or a device, such as /dev/null, is not replaced: it receives the pieces.
 */
export function openWholeFile(file: string, readers: Readers = 'owner'): WholeFile {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined || found.isFile() ? besideFile(file, found, readers) : inPlace(file);
}

function besideFile(file: string, found: Stats | undefined, readers: Readers): WholeFile {
  const target = found ? realpathSync(file) : file;
  const unfinished = `${target}.petstore-${process.pid}.part`;
  // A file that a killed process left may be readable for others.
  rmSync(unfinished, { force: true });
  const descriptor = openSync(unfinished, 'wx', readers === 'owner' ? ONLY_OWNER : undefined);
  // By the clock of the file system, which may be that of another machine.
  removeAbandoned(target, fstatSync(descriptor).mtimeMs - ABANDONED_MS);
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(descriptor);
    isOpen = false;
  };
  const discard = (): void => {
    close();
    rmSync(unfinished, { force: true });
  };
  return {
    // Unlike writeSync, it goes on after a disk took only a part, and fails when the disk is full.
    write: (piece) => writeFileSync(descriptor, piece),
    finish: () => {
      try {
        fsyncSync(descriptor);
        close();
        renameSync(unfinished, target);
        flushFolder(dirname(target));
      } catch (error) {
        discard();
        throw error;
      }
    },
    discard,
  };
}

/** Removes what killed processes left of a file. Where that is not possible, the file is written all the same. */
function removeAbandoned(target: string, beforeMs: number): void {
  for (const path of unfinishedOf(target)) {
    try {
      const found = lstatSync(path);
      if (found.isFile() && found.mtimeMs < beforeMs) rmSync(path);
    } catch {
      // It is of another user, or another process has removed it.
    }
  }
}

/** The parts of a file that no process of this machine writes. */
function unfinishedOf(target: string): readonly string[] {
  const [folder, name] = [dirname(resolve(target)), basename(target)];
  try {
    const names = readdirSync(folder).filter((found) => {
      const [, processId] = found.startsWith(name) ? (UNFINISHED.exec(found.slice(name.length)) ?? []) : [];
      return processId !== undefined && !isAlive(Number(processId));
    });
    return names.map((found) => join(folder, found));
  } catch {
    // This user may not read the folder.
    return [];
  }
}

function isAlive(processId: number): boolean {
  if (processId === process.pid) return true;
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Makes a new name durable. Not every file system can, and Windows keeps renames in order. */
function flushFolder(folder: string): void {
  if (process.platform === 'win32') return;
  try {
    const descriptor = openSync(folder, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // The file is complete and has its name.
  }
}

/** Whether two names are of one file that is there. */
export function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map((file) => statSync(file, { throwIfNoEntry: false, bigint: true }));
  return first !== undefined && first.dev === second?.dev && first.ino === second.ino;
}

function inPlace(file: string): WholeFile {
  const descriptor = openSync(file, 'w');
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(descriptor);
    isOpen = false;
  };
  return { write: (piece) => writeFileSync(descriptor, piece), finish: close, discard: close };
}

/** Writes a file that has its name only when it is complete. */
export function writeWholeFile(file: string, pieces: Iterable<string | Uint8Array>, readers?: Readers): void {
  const whole = openWholeFile(file, readers);
  try {
    for (const piece of pieces) whole.write(piece);
  } catch (error) {
    whole.discard();
    throw error;
  }
  whole.finish();
}
