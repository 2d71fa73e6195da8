import type { StockRules } from '../../src/domain/ledger/ledger-transaction.ts';
import { BatchCommits } from '../../src/store/sqlite/batch-commits.ts';
import {
  type BatchReply,
  type PackedMessage,
  unpackMessage,
} from '../../src/store/sqlite/packed-messages.ts';
import type { WriterMessage } from '../../src/store/sqlite/writer-messages.ts';
import type { StartedWriter, WriterData } from '../../src/store/sqlite/writer-thread.ts';
import type { SimulatedConnection } from './connection.ts';
import type { CommitFault, Faults } from './faults.ts';
import { Life, type Scheduler } from './scheduler.ts';
import type { Violations } from './violations.ts';

const NO_FILES = { files: { findFault: () => undefined }, findRoom: () => 'disk' as const };

/** What a simulation observes of commits. */
export interface CommitWitness {
  /** Called when these writes are durable, in their order. */
  committed(writes: readonly WriterMessage[]): void;
}

type OnMessage = (message: BatchReply | { readonly identities: [] }) => void;

interface WriterThreadOptions {
  readonly scheduler: Scheduler;
  readonly faults: Faults;
  readonly life: Life;
  readonly name: string;
  readonly connect: () => SimulatedConnection;
  readonly witness: CommitWitness;
  readonly violations: Violations;
}

/** The disk of an instance, which may still have what was not confirmed. */
export class SimulatedDisk {
  /** A batch whose commit failed, and that a process which starts after a crash would apply. */
  unconfirmed: readonly WriterMessage[] | undefined;
  failsUntilMs = 0;
}

/** A writing thread with the real commits. It can end at any moment. */
export class SimulatedWriterThread implements StartedWriter {
  readonly #options: WriterThreadOptions;
  readonly #life: Life;
  readonly #disk: SimulatedDisk;
  readonly #commits: BatchCommits;
  readonly #connection: SimulatedConnection;
  #onMessage: OnMessage = () => undefined;
  readonly #onExit: (() => void)[] = [];

  constructor(
    options: WriterThreadOptions,
    disk: SimulatedDisk,
    { rules, isAfterCrash = false }: WriterData,
  ) {
    this.#options = options;
    this.#life = new Life(options.life);
    this.#disk = disk;
    this.#connection = options.connect();
    this.#connection.isStillFailing = () => this.#isStillFailing();
    this.#commits = new BatchCommits(this.#connection.asDatabase(), { ...NO_FILES, rules, isAfterCrash });
    this.#later(1, 'opened', () => this.#onMessage({ identities: [] }));
  }

  on(_event: 'message', listener: OnMessage): void {
    this.#onMessage = listener;
  }

  once(event: 'error' | 'exit', listener: (() => void) | ((error: unknown) => void)): void {
    if (event === 'exit') this.#onExit.push(listener as () => void);
  }

  postMessage(message: readonly PackedMessage[] | 'close'): void {
    const { scheduler, faults } = this.#options;
    if (message === 'close') return this.#later(0, 'close', () => this.#exit());
    const writes = message.map(unpackMessage);
    this.#later(scheduler.random.integer(0, 2), 'commit', () => this.#commit(writes, faults.commit()));
  }

  #commit(writes: readonly WriterMessage[], fault: CommitFault): void {
    const { scheduler } = this.#options;
    scheduler.note(`${writes.length} writes ${fault}`);
    if (fault === 'thread ends before') return this.#exit();
    const fails = fault === 'full' || fault === 'unconfirmed';
    this.#connection.nextCommit = fails ? fault : 'none';
    if (fails) this.#disk.failsUntilMs = scheduler.nowMs + scheduler.random.integer(0, 3_000);
    this.#connection.onCommit = () => this.#committed(writes);
    // A full disk has no room for the record that ends the transaction.
    this.#connection.onFailure = () => {
      if (fault === 'unconfirmed') this.#disk.unconfirmed = writes;
    };
    const reply = this.#commits.commit(writes);
    if (fault === 'thread ends after') return this.#exit();
    // Messages between threads are copied.
    this.#later(scheduler.random.integer(0, 2), 'committed', () => this.#onMessage(structuredClone(reply)));
  }

  #committed(writes: readonly WriterMessage[]): void {
    const { violations, witness } = this.#options;
    const isFirst = this.#disk.unconfirmed === undefined;
    violations.require(isFirst, () => 'A commit followed one that a crash may bring back.');
    witness.committed(writes);
  }

  #isStillFailing(): boolean {
    const isFailing = this.#options.scheduler.nowMs < this.#disk.failsUntilMs && !this.#options.faults.isOver;
    if (!isFailing) this.#disk.unconfirmed = undefined;
    return isFailing;
  }

  #exit(): void {
    this.#life.end();
    this.#connection.close();
    this.#options.scheduler.after(0, `${this.#options.name} exit`, this.#options.life, () => {
      for (const listener of this.#onExit) listener();
    });
  }

  #later(ms: number, label: string, happen: () => void): void {
    this.#options.scheduler.after(ms, `${this.#options.name} ${label}`, this.#life, happen);
  }
}

/** Applies a batch again that was not confirmed, as SQLite does when it reads the log after a crash. */
export function recoverUnconfirmed(
  disk: SimulatedDisk,
  connect: () => SimulatedConnection,
  rules: StockRules,
  witness: CommitWitness,
): void {
  const writes = disk.unconfirmed;
  disk.unconfirmed = undefined;
  if (!writes) return;
  const connection = connect();
  connection.onCommit = () => witness.committed(writes);
  const commits = new BatchCommits(connection.asDatabase(), { ...NO_FILES, rules, isAfterCrash: false });
  commits.commit(writes);
  connection.close();
}
