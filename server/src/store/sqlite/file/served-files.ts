import { lstatSync, statSync } from 'node:fs';

/**
 * The database and its log hold what was committed. Without the index of the log a second process would write beside
 * this one, and neither would see what the other has locked.
 */
const SUFFIXES = ['', '-wal', '-shm'] as const;

/** Device and inode of each file; `undefined` where there is none. */
export type FileIdentities = readonly (string | undefined)[];

/**
 * The files of a database that is being served. A connection goes on with the files that it has open when their paths
 * are deleted or name other files: then a commit succeeds, and the next start does not find it.
 */
export class ServedFiles {
  readonly #paths: readonly string[];
  readonly identities: FileIdentities;

  /** @param identities What the files were when they were opened; those of now where it is left out. */
  constructor(file: string, identities?: FileIdentities) {
    this.#paths = SUFFIXES.map((suffix) => `${file}${suffix}`);
    this.identities = identities ?? this.#paths.map(identityOf);
  }

  /** A sentence for the operator as soon as a path does not name the file that is open; a few microseconds. */
  findFault(): string | undefined {
    const changed = this.#paths.find((path, i) => identityOf(path) !== this.identities[i]);
    return (
      changed &&
      `${changed} was deleted, moved or replaced while the service uses it, so the service answers 503 to all requests until it is restarted; stop it, put the file back together with its -wal file or restore a backup, and start it again.`
    );
  }
}

/** Of a link its own: the next start looks for the log beside the file that the link names. */
function identityOf(path: string): string | undefined {
  try {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return stats && `${stats.dev}:${stats.ino}`;
  } catch {
    // A folder that may not be searched any more hides the file from the next start too.
    return undefined;
  }
}

/** The bytes of a database and its log on disk. */
export function servedBytes(file: string): number {
  return ['', '-wal'].reduce(
    (sum, suffix) => sum + (statSync(`${file}${suffix}`, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
