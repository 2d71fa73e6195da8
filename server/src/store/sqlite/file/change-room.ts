import { randomFillSync } from 'node:crypto';
import { closeSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';

/** What a usual change needs in the log. */
const CHANGE_BYTES = 65_536;

/** Where a usual change finds room: on the disk, or perhaps in the log, which SQLite writes again from its beginning. */
export type ChangeRoom = 'disk' | 'log' | 'none';

/**
 * Looks for more room than a page takes: a commit of one page may still fit where no change does. Free blocks as the system
 * counts them prove nothing, because some are for root. Any error but a full disk is left to the first change.
 */
export function findChangeRoom(file: string): ChangeRoom {
  try {
    writeUnnamed(`${file}-room`);
    return 'disk';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') return 'disk';
    const logBytes = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    return logBytes < CHANGE_BYTES ? 'none' : 'log';
  }
}

/** Without its name the file goes away with the process, whenever that ends. */
function writeUnnamed(file: string): void {
  // What a killed process left, if anything.
  rmSync(file, { force: true });
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    rmSync(file);
    // Random bytes take as much room on file systems that compress.
    writeFileSync(descriptor, randomFillSync(Buffer.allocUnsafe(CHANGE_BYTES)));
  } finally {
    closeSync(descriptor);
  }
}
