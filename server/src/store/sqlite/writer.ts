import type { StatementSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import type { StatusPolicy } from '../../domain/inventory.ts';
import { type LedgerHead, movementOf, type QuantityChange, type Stock } from '../../domain/ledger.ts';
import { openDatabase } from './open.ts';
import { WRITE } from './statements.ts';
import type { BatchAnswer, Write, WriteResult } from './writes.ts';

/**
 * The writing thread: the one connection of the serving process that changes the database. Commits wait for
 * the disk here, so that the thread that answers requests never does.
 */
const { file, statusPolicy } = workerData as { file: string; statusPolicy: StatusPolicy };
const database = openDatabase(file);

function prepare<Names extends keyof typeof WRITE>(names: readonly Names[]): Record<Names, StatementSync> {
  return Object.fromEntries(names.map((name) => [name, database.prepare(WRITE[name])])) as Record<
    Names,
    StatementSync
  >;
}

const statements = prepare(Object.keys(WRITE) as (keyof typeof WRITE)[]);
const begin = database.prepare('BEGIN IMMEDIATE');
const commit = database.prepare('COMMIT');

/** The newest movement; read under the write lock, for another process may have written in between. */
let head: LedgerHead = { sequence: 0, recordedAtMs: 0 };

function setQuantity(change: QuantityChange): WriteResult {
  const stock = statements.stock.get(change.petId) as Stock | undefined;
  if (!stock) return null;
  const movement = movementOf(change, stock, head, statusPolicy);
  if (!movement) return stock.status;
  const { sequence, petId, quantityAfter, statusAfter, recordedAtMs } = movement;
  statements.recordMovement.run(
    sequence,
    movement.previousSequence,
    petId,
    movement.kind,
    movement.quantityBefore,
    quantityAfter,
    movement.statusBefore,
    statusAfter,
    movement.actor,
    movement.requestId,
    recordedAtMs,
  );
  statements.setQuantity.run(quantityAfter, statusAfter, sequence, recordedAtMs, petId);
  head = movement;
  return statusAfter;
}

function apply(write: Write): WriteResult {
  switch (write.kind) {
    case 'setQuantity':
      return setQuantity(write.change);
    case 'saveBan':
      statements.saveBan.run({ ...write.ban });
      return null;
    case 'saveCounts':
      for (const count of write.counts) statements.saveUsage.run({ ...count });
      for (const use of write.keyUses) statements.saveKeyUse.run({ ...use });
      return null;
  }
}

function commitBatch(writes: readonly Write[]): BatchAnswer {
  try {
    begin.run();
    head = statements.newestMovement.get() as unknown as LedgerHead;
    const results = writes.map(apply);
    commit.run();
    return { results };
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    const { message, errcode } = error as Error & { errcode?: number };
    // The low byte of SQLite's code is the primary one: 5 is SQLITE_BUSY.
    return { failure: message, isBusy: (errcode ?? 0) % 256 === 5 };
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
