import { parentPort, workerData } from 'node:worker_threads';
import { isDiskFull } from '../../domain/disk.ts';
import { isBusy, isDamaged, requireSound } from './file/busy.ts';
import { withReserve } from './file/disk-reserve.ts';
import { ServedFiles } from './file/served-files.ts';
import { LedgerWriter } from './ledger-writer.ts';
import { openDatabase, WRITER_BUSY_TIMEOUT_MS } from './open.ts';
import { type BatchReply, type PackedMessage, packReply, unpackMessage } from './packed-messages.ts';
import { prepare, USES } from './statements.ts';
import { overwriteFailedCommit, undoFailedCommit } from './transaction.ts';
import { AccountEventWriter, UsageWriter } from './usage-writer.ts';
import type { FailureKind, WriterMessage, WriterReply } from './writer-messages.ts';
import type { WriterData } from './writer-thread.ts';

/**
 * The writing thread has the only connection of the serving process that changes the database. Commits wait for the disk
 * here, so that the serving thread never waits for it.
 */
const { file, rules, identities, isAfterCrash } = workerData as WriterData;
const database = openDatabase(file, { busyTimeoutMs: WRITER_BUSY_TIMEOUT_MS });
const files = new ServedFiles(file, identities);
const ledger = new LedgerWriter(database, rules);
const usage = new UsageWriter(database);
const accountEvents = new AccountEventWriter(database);
const statements = prepare(database, USES);
const begin = database.prepare('BEGIN IMMEDIATE');
const commit = database.prepare('COMMIT');

function writeAll(writes: readonly WriterMessage[]): WriterReply[] {
  const requests = writes.flatMap((write) => (write.kind === 'changeStock' ? [write.request] : []));
  const answers = ledger.write(requests).values();
  return writes.map((write) => {
    if (write.kind === 'changeStock') return answers.next().value ?? null;
    if (write.kind === 'saveBan') accountEvents.saveBan(write.ban);
    else if (write.kind === 'purgeUsage') usage.purge(write.nowMs);
    else if (write.kind === 'checkFile') requireSound(database, write.newestSequence);
    else {
      usage.save(write);
      for (const quota of write.quotas) accountEvents.noteQuota(quota);
      for (const use of write.keyUses) statements.saveKeyUse.run({ ...use });
      for (const use of write.sessionUses) statements.saveSessionUse.run({ ...use });
    }
    return null;
  });
}

/** Whether no failed COMMIT could be there after a crash. */
let isCertain = !isAfterCrash;
/** Whether the last batch that needed room found none. */
let isFull = false;

function commitBatch(writes: readonly WriterMessage[]): BatchReply {
  isCertain ||= overwriteFailedCommit(database);
  if (!isCertain) return { failure: 'An earlier commit is still unconfirmed.', kind: 'uncertain' };
  // One page shows whether there is room again: a batch of counts may change nothing, and would prove nothing.
  isFull &&= !overwriteFailedCommit(database);
  if (isFull) return { failure: 'The disk is still full.', kind: 'full' };
  let results: WriterReply[];
  try {
    begin.run();
    results = writeAll(writes);
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    return failed(error, failureKind(error));
  }
  try {
    commit.run();
  } catch (error) {
    isCertain = undoFailedCommit(database, error);
    return failed(error, isCertain ? failureKind(error) : 'unconfirmed');
  }
  ledger.noteCommit();
  try {
    const failure = files.findFault();
    return failure === undefined ? { results: results.map(packReply) } : { failure, kind: 'lost' };
  } catch (error) {
    return failed(error, 'unchecked');
  }
}

function failureKind(error: unknown): FailureKind {
  if (isDamaged(error)) return 'damaged';
  if (isDiskFull(error)) return 'full';
  return isBusy(error) ? 'busy' : 'not_written';
}

function failed(error: unknown, kind: FailureKind): BatchReply {
  isFull = kind === 'full';
  return { failure: (error as Error).message, kind };
}

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
parentPort?.on('message', (message: readonly PackedMessage[] | 'close') => {
  if (message === 'close') {
    database.close();
    parentPort?.close();
  } else {
    parentPort?.postMessage(commitBatch(message.map(unpackMessage)));
  }
});
parentPort?.postMessage({ identities: files.identities });
