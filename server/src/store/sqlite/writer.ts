import { parentPort, workerData } from 'node:worker_threads';
import { isBusy } from './busy.ts';
import { LedgerWriter } from './ledger-writer.ts';
import { openDatabase } from './open.ts';
import { prepare, WRITE } from './statements.ts';
import type { WriterData } from './writer-thread.ts';
import type { BatchAnswer, Write, WriteResult } from './writes.ts';

/**
 * The writing thread: the one connection of the serving process that changes the database. Commits wait for
 * the disk here, so that the thread that answers requests never does.
 */
const { file, rules } = workerData as WriterData;
const database = openDatabase(file);
const ledger = new LedgerWriter(database, rules);
const statements = prepare(database, {
  saveUsage: WRITE.saveUsage,
  saveKeyUse: WRITE.saveKeyUse,
  saveBan: WRITE.saveBan,
});
const begin = database.prepare('BEGIN IMMEDIATE');
const commit = database.prepare('COMMIT');

function writeAll(writes: readonly Write[]): WriteResult[] {
  const requests = writes.flatMap((write) => (write.kind === 'changeStock' ? [write.request] : []));
  const answers = ledger.write(requests).values();
  return writes.map((write) => {
    if (write.kind === 'changeStock') return answers.next().value ?? null;
    if (write.kind === 'saveBan') statements.saveBan.run({ ...write.ban });
    else {
      for (const count of write.counts) statements.saveUsage.run({ ...count });
      for (const use of write.keyUses) statements.saveKeyUse.run({ ...use });
    }
    return null;
  });
}

function commitBatch(writes: readonly Write[]): BatchAnswer {
  try {
    begin.run();
    const results = writeAll(writes);
    commit.run();
    return { results };
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    return { failure: (error as Error).message, isBusy: isBusy(error) };
  }
}

parentPort?.on('message', (message: readonly Write[] | 'close') => {
  if (message === 'close') {
    database.close();
    parentPort?.close();
  } else {
    parentPort?.postMessage(commitBatch(message));
  }
});
parentPort?.postMessage('ready');
