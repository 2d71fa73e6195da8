import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Thresholds } from '@petstore-inventory/shared/thresholds';
import type { ChainHead } from '../../domain/ledger/ledger.ts';
import type { Stock } from '../../domain/ledger/stock.ts';
import type { BatchOutcome } from '../ledger/apply-batch.ts';

/** Bounds the memory. A batch adds 1,000 pets at most, or those of one larger request. */
const MAX_PETS = 20_000;

/** The newest order line of a pet, and how many it has. */
export interface PetLines {
  readonly newestId: number | null;
  readonly count: number;
}

/**
 * The ledger's head, and the stock and the newest lines of pets, that the last commits of this connection wrote, and the
 * thresholds of the shop. The next batch does not read them again.
 *
 * The kept values are valid until another connection commits. `PRAGMA data_version` changes with each commit of another
 * connection, in this process or another, and never with a commit of its own connection (sqlite.org/pragma.html). It
 * is read under the write lock, so that no other commit can follow before the batch's own. A batch without a commit
 * discards everything.
 */
export class WrittenStock {
  readonly #dataVersion: StatementSync;
  readonly #stock = new Map<bigint, Stock>();
  readonly #lines = new Map<bigint, PetLines>();
  readonly #maxPets: number;
  #head: ChainHead | undefined;
  /** The thresholds of pets without their own. */
  thresholds: Thresholds | undefined;
  #version: unknown;
  #isCommitted = true;

  /** @param maxPets Another number for tests. */
  constructor(database: DatabaseSync, maxPets = MAX_PETS) {
    this.#maxPets = maxPets;
    this.#dataVersion = database.prepare('PRAGMA data_version');
  }

  /** Begins a batch. The caller holds the write lock. */
  begin(): void {
    const { data_version: version } = this.#dataVersion.get() as { data_version: number };
    if (!this.#isCommitted || version !== this.#version || this.#stock.size > this.#maxPets) {
      this.#stock.clear();
      this.#lines.clear();
      this.#head = undefined;
      this.thresholds = undefined;
    }
    this.#version = version;
    this.#isCommitted = false;
  }

  get head(): ChainHead | undefined {
    return this.#head;
  }

  stockOf(petId: bigint): Stock | undefined {
    return this.#stock.get(petId);
  }

  linesOf(petId: bigint): PetLines | undefined {
    return this.#lines.get(petId);
  }

  /** Keeps the newest line of a pet, which is valid only after the commit of the batch. */
  noteLines(petId: bigint, lines: PetLines): void {
    this.#lines.set(petId, lines);
  }

  /** Keeps the results of the batch, which are valid only after its commit. */
  note({ movements, changed }: Pick<BatchOutcome, 'movements' | 'changed'>): void {
    this.#head = movements.at(-1) ?? this.#head;
    for (const [petId, stock] of changed) this.#stock.set(petId, stock);
  }

  noteCommit(): void {
    this.#isCommitted = true;
  }
}
