import { closeSync, existsSync, openSync, statSync } from 'node:fs';

const OTHERS_MAY_ACCESS = 0o077;
/** The mode of a file that only its owner may read and write. */
export const PRIVATE = 0o600;

/**
 * Creates an empty file that only its owner may read and write, whatever the umask. SQLite gives its files next to a
 * database the mode of the database. An existing file is unchanged, and is not even opened: closing it again would
 * release the POSIX locks of this process's connections to it.
 */
export function createPrivately(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'a', PRIVATE));
}

/** A sentence for the operator when others than its owner may read or write a file. */
export function findExposure(file: string): string | undefined {
  if (process.platform === 'win32' || (statSync(file).mode & OTHERS_MAY_ACCESS) === 0) return undefined;
  return `${file} can be read or written by others than its owner; run chmod 600 ${file}*, unless that is intended.`;
}
