import { parentPort, workerData } from 'node:worker_threads';
import { fitMemoryToLoad } from '../../process/fit-memory-to-load.ts';
import { BatchCommits } from './batch-commits.ts';
import { findChangeRoom } from './file/change-room.ts';
import { withReserve } from './file/disk-reserve.ts';
import { ServedFiles } from './file/served-files.ts';
import { openDatabase, WRITER_BUSY_TIMEOUT_MS } from './open.ts';
import { type PackedMessage, unpackMessage } from './packed-messages.ts';
import type { WriterData } from './writer-thread.ts';

/**
 * The writing thread has the only connection of the serving process that changes the database. Commits wait for the disk
 * here, so that the serving thread never waits for it.
 */
const { file, rules, identities, isAfterCrash = false } = workerData as WriterData;
const database = openDatabase(file, { busyTimeoutMs: WRITER_BUSY_TIMEOUT_MS });
const files = new ServedFiles(file, identities);
/**
 * Ends the leases of uploads and of imports. Only one process serves a file, and this one has just begun, so their owner
 * is gone. Without it they would block others until they expire.
 */
function endLeases(): void {
  const { held } = database
    .prepare(
      'SELECT EXISTS (SELECT 1 FROM imports WHERE lease_until > 0 UNION ALL SELECT 1 FROM bulk_changes WHERE lease_until > 0) AS held',
    )
    .get() as { held: number };
  if (held === 0) return;
  try {
    for (const table of ['imports', 'bulk_changes']) {
      withReserve(file, () => database.exec(`UPDATE ${table} SET lease_until = 0 WHERE lease_until > 0`));
    }
  } catch {
    // Leases expire by themselves. A database that cannot be written now must still be served.
  }
}

if (!isAfterCrash) endLeases();
const commits = new BatchCommits(database, {
  rules,
  files,
  isAfterCrash,
  findRoom: () => findChangeRoom(file),
});
const isFull = commits.findFullDisk();
parentPort?.on('message', (message: readonly PackedMessage[] | 'close') => {
  if (message === 'close') {
    database.close();
    parentPort?.close();
  } else {
    parentPort?.postMessage(commits.commit(message.map(unpackMessage)));
  }
});
parentPort?.postMessage({ identities: files.identities, isFull });
fitMemoryToLoad();
