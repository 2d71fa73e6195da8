import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { FIRST_HASH } from '../../../domain/ledger.ts';
import type { Prune } from '../../../domain/prunes.ts';
import type { PruneResult } from '../../../domain/store.ts';
import { NEWEST_DONE, pruneColumns, RECORD_PRUNE } from '../../ledger/prune-rows.ts';
import { type PrunableLedger, type PrunePlan, placePrune, pruneLedger } from '../../prune/prune.ts';
import { BEGIN_LEDGER, NOTE_DELETION, type Portion } from '../../prune/prune-portions.ts';
import { SqliteAuditSource } from '../audit-source.ts';
import { readChainHead } from '../ledger-writer.ts';
import { numbered, prepare, WRITE } from '../statements.ts';
import { inWriteTransaction } from '../transaction.ts';

const STATEMENTS = {
  ledgerEnd: WRITE.ledgerEnd,
  newest: NEWEST_DONE,
  record: RECORD_PRUNE,
  begin: BEGIN_LEDGER,
  note: NOTE_DELETION,
  deleteMovements: 'DELETE FROM movements WHERE sequence IN (SELECT value FROM json_each($1))',
} as const;

class SqliteLedger extends SqliteAuditSource implements PrunableLedger {
  readonly #database: DatabaseSync;
  readonly #statements: Record<keyof typeof STATEMENTS, StatementSync>;

  constructor(database: DatabaseSync) {
    super(database);
    this.#database = database;
    this.#statements = prepare(database, STATEMENTS);
  }

  async record(plan: PrunePlan): Promise<Prune | undefined> {
    const { ledgerEnd, newest, record, begin } = this.#statements;
    return inWriteTransaction(this.#database, () => {
      const done = newest.get() as { number: number } | undefined;
      if (done?.number !== plan.number - 1) return undefined;
      const prune = placePrune(plan, readChainHead(ledgerEnd), Date.now());
      record.run(numbered(pruneColumns(prune)));
      const { sequence, recordedAtMs, hash } = prune.start;
      begin.run(numbered([sequence, recordedAtMs, bytes(hash), bytes(FIRST_HASH)]));
      return prune;
    });
  }

  async deletePortion({ start, from, to, sequences }: Portion): Promise<number> {
    const { note, deleteMovements } = this.#statements;
    const beginMs = performance.now();
    const deleted = inWriteTransaction(this.#database, () => {
      const { changes } = note.run(numbered([start, from, to.sequence, bytes(to.hash)]));
      if (Number(changes) === 0) return 0;
      return Number(deleteMovements.run(numbered([JSON.stringify(sequences)])).changes);
    });
    // SQLite has no queue for its lock: a service that waits for it looks again now and then.
    await delay(performance.now() - beginMs);
    return deleted;
  }
}

function bytes(hash: string): Buffer {
  return Buffer.from(hash, 'hex');
}

/** Forgets the movements recorded before a moment, as `AdminStore.pruneMovements` says. */
export function pruneMovements(database: DatabaseSync, beforeMs: number): Promise<PruneResult> {
  return pruneLedger(new SqliteLedger(database), beforeMs);
}
