import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { PruneResult } from '../../domain/store.ts';
import { DELETE_PORTION, type PrunableLedger, pruneLedger, SET_START } from '../prune-ledger.ts';
import { SqliteAuditSource } from './audit-source.ts';
import { inWriteTransaction } from './transaction.ts';

class SqliteLedger extends SqliteAuditSource implements PrunableLedger {
  readonly #database: DatabaseSync;
  readonly #setStart: StatementSync;
  readonly #deletePortion: StatementSync;

  constructor(database: DatabaseSync) {
    super(database);
    this.#database = database;
    this.#setStart = database.prepare(SET_START);
    this.#deletePortion = database.prepare(DELETE_PORTION);
  }

  async setStart(sequence: number): Promise<void> {
    inWriteTransaction(this.#database, () => this.#setStart.run({ $1: sequence }));
  }

  async deletePortion(after: number, upTo: number): Promise<number> {
    const beginMs = performance.now();
    const { changes } = inWriteTransaction(this.#database, () =>
      this.#deletePortion.run({ $1: after, $2: upTo }),
    );
    // SQLite has no queue for its lock: a service that waits for it looks again now and then.
    await delay(performance.now() - beginMs);
    return Number(changes);
  }
}

/** Forgets the movements recorded before a moment, as `AdminStore.pruneMovements` says. */
export function pruneMovements(database: DatabaseSync, beforeMs: number): Promise<PruneResult> {
  return pruneLedger(new SqliteLedger(database), beforeMs);
}
