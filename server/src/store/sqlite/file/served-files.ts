import { lstatSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';

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
