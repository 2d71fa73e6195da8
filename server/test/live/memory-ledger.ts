import { serviceUnavailable } from '../../src/domain/errors.ts';
import type { LedgerHead, Movement } from '../../src/domain/ledger/ledger.ts';
import { FIRST_HASH, movementHash } from '../../src/domain/ledger/ledger.ts';
import type { Ledger, MovementPage, MovementQuery } from '../../src/domain/ledger-store.ts';
import type { LiveStore } from '../../src/http/live/live-hub.ts';
import { movementJson } from '../../src/wire/movement-json.ts';
import { UNRESERVED } from '../writes/stock-fixtures.ts';

type ReadLedger = Pick<Ledger, 'head' | 'retentionStart' | 'prunesAfter' | 'findMovement' | 'listMovements'>;

/** A ledger in memory with the part of the store interface that live readers use, and the same guarantees. */
export class MemoryLedger implements Omit<LiveStore, 'ledger'> {
  readonly ledger = this.#port() as Ledger;
  /** Whether it answers no question. */
  isGone = false;
  /** Whether commits send no notification. */
  isSilent = false;
  version = 1;
  /** How many pages were read. */
  pagesRead = 0;
  #movements: Movement[] = [];
  readonly #events: string[] = [];
  #start = 0;
  #edition = 0;
  readonly #listeners = new Set<() => void>();

  get length(): number {
    return this.#movements.length;
  }

  get listenerCount(): number {
    return this.#listeners.size;
  }

  /** The events that a reader after a sequence must receive: id and data of each. */
  eventsAfter(sequence: number): readonly string[] {
    for (const movement of this.#movements.slice(this.#events.length)) {
      this.#events.push(`${movement.sequence} ${movementJson(movement)}`);
    }
    return this.#events.slice(sequence);
  }

  /** Commits movements of one pet in order, and notifies listeners. */
  append(count: number): void {
    for (let i = 0; i < count; i += 1) this.#movements.push(this.#next());
    if (this.isSilent) return;
    for (const listener of this.#listeners) listener();
  }

  /** Deletes movements up to a sequence, except every tenth. */
  prune(sequence: number): void {
    this.#start = sequence;
  }

  /** Becomes one that went another way after a sequence, and is longer. */
  divergeAfter(sequence: number, more: number): void {
    this.cutTo(sequence);
    this.#events.length = Math.min(this.#events.length, sequence);
    this.#edition += 1;
    this.append(more);
  }

  /** Becomes one that ends earlier. */
  cutTo(length: number): void {
    this.#movements = this.#movements.slice(0, length);
  }

  onMovements(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Throws immediately while the ledger is gone, as a database in the process does. */
  accessVersion(): number {
    if (this.isGone) throw serviceUnavailable('The database does not answer.');
    return this.version;
  }

  headNow(): LedgerHead {
    const { sequence = 0, recordedAtMs = 0 } = this.#movements.at(-1) ?? {};
    return { sequence, recordedAtMs };
  }

  #next(): Movement {
    const previous = this.#movements.at(-1);
    const sequence = (previous?.sequence ?? 0) + 1;
    const fields = {
      ...UNRESERVED,
      sequence,
      previousSequence: sequence > 10 ? sequence - 10 : null,
      petId: 9_007_199_254_740_993n + BigInt(sequence % 10),
      version: Math.ceil(sequence / 10),
      kind: 'set' as const,
      quantityBefore: 0,
      quantityAfter: sequence,
      statusBefore: 'available' as const,
      statusAfter: 'available' as const,
      reason: null,
      note: sequence % 3 === 0 ? 'zähl\nung ' : null,
      referenceDocumentUri: null,
      referenceId: null,
      occurredAtMs: null,
      actor: 'key_1',
      requestId: `r-${this.#edition}-${sequence}`,
      recordedAtMs: 1_000 * (this.#edition + 1) + sequence,
      revertedSequence: null,
    };
    const hash = movementHash(previous?.hash ?? FIRST_HASH, fields);
    return { ...fields, actorName: 'till', hash };
  }

  #port(): ReadLedger {
    return {
      head: () => this.#answer(() => this.headNow()),
      retentionStart: () => this.#answer(() => ({ sequence: this.#start, recordedAtMs: 0 })),
      prunesAfter: () => this.#answer(() => []),
      findMovement: (sequence) => this.#answer(() => this.#find(sequence)),
      listMovements: (query) => this.#answer(() => this.#page(query)),
    };
  }

  /** Answers every second query immediately, as a database in the process does; the others later. */
  #answer<T>(read: () => T): T | Promise<T> {
    if (this.isGone) return Promise.reject(serviceUnavailable('The database does not answer.'));
    return this.pagesRead % 2 === 0 ? read() : new Promise((resolve) => setImmediate(() => resolve(read())));
  }

  #find(sequence: number): Movement | undefined {
    return sequence > this.#start || sequence % 10 === 0 ? this.#movements[sequence - 1] : undefined;
  }

  #page({ filter, limit }: MovementQuery): MovementPage {
    this.pagesRead += 1;
    const after = filter.after ?? 0;
    const following = this.#movements.slice(after, after < this.#start ? undefined : after + limit + 1);
    const kept = following.filter(({ sequence }) => sequence > this.#start || sequence % 10 === 0);
    const movements = kept.slice(0, limit);
    return { movements, next: kept.length > limit ? movements.at(-1)?.sequence : undefined };
  }
}
