import { lstatSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { RESTORE_ADVICE } from './file-fault.ts';
import type { WalIndex } from './wal-index.ts';

/**
 * The database and its log contain what was committed. Without the index of the log, a second process would write at
 * the same time, and neither would see the other's locks.
 */
const SUFFIXES = ['', '-wal', '-shm'] as const;

/** Device and inode of each file; `undefined` for a missing one. */
export type FileIdentities = readonly (string | undefined)[];

/**
 * The files of a served database. A connection continues with its open files when their paths are deleted or name
 * other files. Then a commit succeeds, and the next start does not find it.
 */
export class ServedFiles {
  readonly #paths: readonly string[];
  readonly identities: FileIdentities;

  /** @param identities The files' identities when they were opened; by default those of now. */
  constructor(file: string, identities?: FileIdentities) {
    this.#paths = SUFFIXES.map((suffix) => `${file}${suffix}`);
    this.identities = identities ?? this.#paths.map(identityOf);
  }

  /**
   * A sentence for the operator as soon as a path does not name the file that is open; a few microseconds.
   * @throws Error of the file system, which says nothing about the file: a later call may succeed.
   */
  findFault(): string | undefined {
    const changed = this.#paths.find((path, i) => identityOf(path) !== this.identities[i]);
    return (
      changed &&
      `${changed} was deleted, moved or replaced while the service uses it, so the service answers 503 to all requests until it is restarted; stop it, put the file back together with its -wal file, start it again, and run petstore-server verify; restore a backup only if the file is lost or verify finds faults.`
    );
  }
}

/** There is no such file. Any other error leaves it unknown which file a path names. */
const MISSING: readonly (string | undefined)[] = ['ENOENT', 'ENOTDIR'];

/** The link's own path: the next start looks for the log next to the file that the link names. */
function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = lstatSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch (error) {
    if (MISSING.includes((error as NodeJS.ErrnoException).code)) return undefined;
    throw error;
  }
}

/** The bytes of a database and its log on disk. */
export function servedBytes(file: string): number {
  return ['', '-wal'].reduce(
    (sum, suffix) => sum + (statSync(`${file}${suffix}`, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

/** The bytes that the disk of a file still takes, for other users than root. */
export async function freeBytesOf(file: string): Promise<number> {
  const { bavail, bsize } = await statfs(file);
  return bavail * bsize;
}

/** Windows updates the time of a file's change late. */
const IS_TIME_EXACT = process.platform !== 'win32';

/**
 * Detects that another program wrote to the database file, as `cp` does: device and inode stay. In WAL mode only
 * checkpoints write to that file, and each changes the index of the log: before it, what it will copy, and after it,
 * what it has copied. A file that changed while the index did not was written by another program.
 */
export class OverwrittenFile {
  readonly #file: string;
  readonly #walIndex: WalIndex;
  #known:
    | { readonly checkpoint: string; readonly changedAtNs: bigint | undefined; readonly bytes: bigint }
    | undefined;

  constructor(file: string, walIndex: WalIndex) {
    this.#file = file;
    this.#walIndex = walIndex;
    this.findFault();
  }

  /**
   * A sentence for the operator as soon as the file was overwritten.
   * @throws Error of the file system, which says nothing about the file: a later call may succeed.
   */
  findFault(): string | undefined {
    if (!IS_TIME_EXACT) return undefined;
    const checkpoint = this.#walIndex.readCheckpoint();
    const found = lstatSync(this.#file, { bigint: true, throwIfNoEntry: false });
    const { mtimeNs: changedAtNs, size: bytes = 0n } = found ?? {};
    // A checkpoint that began between the two reads may have changed the file already.
    if (checkpoint === undefined || checkpoint !== this.#walIndex.readCheckpoint()) {
      this.#known = undefined;
      return undefined;
    }
    const known = this.#known;
    if (known?.checkpoint !== checkpoint) this.#known = { checkpoint, changedAtNs, bytes };
    else if (found && bytes < known.bytes) return cut(this.#file, known.bytes, bytes);
    else if (known.changedAtNs !== changedAtNs) return overwritten(this.#file);
    return undefined;
  }
}

/** SQLite makes a served file smaller only in a checkpoint. What is missing may be in the log. */
function cut(file: string, before: bigint, bytes: bigint): string {
  return `${file} was cut, or overwritten with less, by another program while the service uses it: it has ${bytes} of ${before} bytes, so the service answers 503 to all requests until it is restarted; restart it and run petstore-server verify; if the start is refused or verify finds faults, ${RESTORE_ADVICE}.`;
}

function overwritten(file: string): string {
  return `${file} was written by another program while the service uses it, so the service answers 503 to all requests until it is restarted; restart it and run petstore-server verify; only if verify finds faults, stop the service, delete the -wal and -shm files beside it, restore a backup, and start it again.`;
}
