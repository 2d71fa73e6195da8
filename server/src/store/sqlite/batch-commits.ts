import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isDiskFull } from '../../domain/disk.ts';
import type { StockRules } from '../../domain/ledger/ledger-transaction.ts';
import type { ChangeRoom } from './file/change-room.ts';
import { isBusy, isDamaged, requireSound } from './file/busy.ts';
import type { ServedFiles } from './file/served-files.ts';
import { LedgerWriter } from './ledger-writer.ts';
import { type BatchReply, packReply } from './packed-messages.ts';
import { prepare, USES } from './statements.ts';
import { findFullDisk, overwriteFailedCommit, undoFailedCommit } from './transaction.ts';
import { AccountEventWriter, UsageWriter } from './usage-writer.ts';
import type { FailureKind, WriterMessage, WriterReply } from './writer-messages.ts';

interface CommitOptions {
  readonly rules: StockRules;
  readonly files: Pick<ServedFiles, 'findFault'>;
  /** Whether an earlier writing thread ended unexpectedly: its last commit may be there after a crash. */
  readonly isAfterCrash: boolean;
  readonly findRoom: () => ChangeRoom;
}

/** Commits batches of writes on the only connection of the serving process that changes the database. */
export class BatchCommits {
  readonly #database: DatabaseSync;
  readonly #files: CommitOptions['files'];
  readonly #findRoom: CommitOptions['findRoom'];
  readonly #ledger: LedgerWriter;
  readonly #usage: UsageWriter;
  readonly #accountEvents: AccountEventWriter;
  readonly #statements: Record<keyof typeof USES, StatementSync>;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  /** Whether no failed COMMIT could be there after a crash. */
  #isCertain: boolean;
  /** Whether the last batch that needed room found none. */
  #isFull = false;

  constructor(database: DatabaseSync, { rules, files, isAfterCrash, findRoom }: CommitOptions) {
    this.#database = database;
    this.#files = files;
    this.#ledger = new LedgerWriter(database, rules);
    this.#usage = new UsageWriter(database);
    this.#accountEvents = new AccountEventWriter(database);
    this.#statements = prepare(database, USES);
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
    this.#isCertain = !isAfterCrash;
    this.#findRoom = findRoom;
  }

  /** Whether a change would be refused for a full disk. A service that starts on one must not be ready. */
  findFullDisk(): boolean {
    const room = this.#findRoom();
    this.#isFull = room === 'none' || (room === 'log' && findFullDisk(this.#database));
    return this.#isFull;
  }

  /** Commits all writes together, or none of them. Never throws. */
  commit(writes: readonly WriterMessage[]): BatchReply {
    this.#isCertain ||= overwriteFailedCommit(this.#database);
    if (!this.#isCertain) return { failure: 'An earlier commit is still unconfirmed.', kind: 'uncertain' };
    // A batch of counts may change nothing, and would prove nothing.
    this.#isFull &&= this.#findRoom() === 'none' || !overwriteFailedCommit(this.#database);
    if (this.#isFull) return { failure: 'The disk is still full.', kind: 'full' };
    let results: WriterReply[];
    try {
      this.#begin.run();
      results = this.#writeAll(writes);
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      return this.#failed(error, failureKind(error));
    }
    try {
      this.#commit.run();
    } catch (error) {
      this.#isCertain = undoFailedCommit(this.#database, error);
      return this.#failed(error, this.#isCertain ? failureKind(error) : 'unconfirmed');
    }
    this.#ledger.noteCommit();
    try {
      const failure = this.#files.findFault();
      if (failure !== undefined) return { failure, kind: 'lost' };
      const head = writes.every(({ kind }) => kind === 'changeStock') ? this.#ledger.newHead : undefined;
      return { results: results.map(packReply), ...(head && { head }) };
    } catch (error) {
      return this.#failed(error, 'unchecked');
    }
  }

  #writeAll(writes: readonly WriterMessage[]): WriterReply[] {
    const requests = writes.flatMap((write) => (write.kind === 'changeStock' ? [write.request] : []));
    const answers = this.#ledger.write(requests).values();
    return writes.map((write) => {
      if (write.kind === 'changeStock') return answers.next().value ?? null;
      this.#writeOther(write);
      return null;
    });
  }

  #writeOther(write: Exclude<WriterMessage, { kind: 'changeStock' }>): void {
    if (write.kind === 'saveBan') this.#accountEvents.saveBan(write.ban);
    else if (write.kind === 'purgeUsage') this.#usage.purge(write.nowMs);
    else if (write.kind === 'checkFile') requireSound(this.#database, write.newestSequence);
    else {
      this.#usage.save(write);
      for (const quota of write.quotas) this.#accountEvents.noteQuota(quota);
      for (const use of write.keyUses) this.#statements.saveKeyUse.run({ ...use });
      for (const use of write.sessionUses) this.#statements.saveSessionUse.run({ ...use });
    }
  }

  #failed(error: unknown, kind: FailureKind): BatchReply {
    this.#isFull = kind === 'full';
    return { failure: (error as Error).message, kind };
  }
}

function failureKind(error: unknown): FailureKind {
  if (isDamaged(error)) return 'damaged';
  if (isDiskFull(error)) return 'full';
  return isBusy(error) ? 'busy' : 'not_written';
}
