import { randomFillSync } from 'node:crypto';
import { renameSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { isDiskFull } from '../../../domain/disk.ts';

/**
 * A deletion needs a few pages of the log. Then the log, which a full disk keeps at a few megabytes, must be copied into the
 * database file, and that may grow by as much.
 */
const RESERVE_BYTES = 8_388_608;

const reserveOf = (file: string): string => `${file}-reserve`;

/**
 * Keeps room on the disk for `withReserve`, in a file next to the database. It is made with the first upload. Random bytes take
 * as much room on file systems that compress.
 */
export function keepReserve(file: string): void {
  const reserve = reserveOf(file);
  if (statSync(reserve, { throwIfNoEntry: false })) return;
  const { bavail, bsize } = statfsSync(file);
  // The reserve must not take the last free space itself.
  if (bavail * bsize < 2 * RESERVE_BYTES) return;
  const unfinished = `${reserve}.part`;
  try {
    writeFileSync(unfinished, randomFillSync(Buffer.allocUnsafe(RESERVE_BYTES)), { mode: 0o600 });
    renameSync(unfinished, reserve);
  } catch {
    rmSync(unfinished, { force: true });
  }
}

/** Gives up the reserve if an error says that the disk is full. Returns whether there was one. */
export function releaseReserve(file: string, error: unknown): boolean {
  const reserve = reserveOf(file);
  if (!isDiskFull(error) || !statSync(reserve, { throwIfNoEntry: false })) return false;
  rmSync(reserve, { force: true });
  return true;
}

/** Runs work that frees room, and again with the room of the reserve if the disk is full. */
export function withReserve<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!releaseReserve(file, error)) throw error;
    return work();
  }
}
