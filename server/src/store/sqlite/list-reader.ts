import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { LedgerHead } from '../../domain/ledger/ledger.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { InventoryList, InventoryPage } from '../../domain/store.ts';
import { nextStep } from '../../process/turn.ts';
import {
  CHUNK_ITEMS,
  freshChunkItems,
  ListCache,
  listTag,
  PETS_WORTH_MARKING,
  type PetRange,
} from '../list/list-cache.ts';
import type { ChunkRow } from '../list/list-snapshot.ts';
import { openReader } from './open.ts';
import { READ } from './statements.ts';

/** More stale chunks than this are rebuilt in steps, with other requests in between. */
const CHUNKS_AT_ONCE = 64;
/** Movements read per step. */
const MOVEMENTS_AT_ONCE = 1_000;

/**
 * Keeps the list cache up to date with the ledger, on a connection of its own: during a long reading in steps, its
 * transaction sees one moment of the database without hiding new keys from other reads.
 */
export class ListReader {
  readonly #database: DatabaseSync;
  readonly #head: StatementSync;
  readonly #changedPets: StatementSync;
  readonly #chunks: Record<'firstChunk' | 'chunkAfter' | 'chunkUpTo' | 'chunkBetween', StatementSync>;
  readonly #cache = new ListCache();
  readonly #onRebuild: (chunks: number) => void;
  #current: InventoryList | undefined;
  #sequence = -1;
  #reading: Promise<unknown> | undefined;

  constructor(file: string, onRebuild: (chunks: number) => void) {
    this.#database = openReader(file);
    this.#onRebuild = onRebuild;
    this.#head = this.#database.prepare(READ.head);
    this.#changedPets = this.#database.prepare(READ.changedPets);
    this.#changedPets.setReadBigInts(true);
    const prepare = (sql: string) => {
      const statement = this.#database.prepare(sql);
      statement.setReadBigInts(true);
      return statement;
    };
    this.#chunks = {
      firstChunk: prepare(READ.firstChunk),
      chunkAfter: prepare(READ.chunkAfter),
      chunkUpTo: prepare(READ.chunkUpTo),
      chunkBetween: prepare(READ.chunkBetween),
    };
  }

  /** The list at this head of the ledger or a later one. */
  list(head: LedgerHead): MaybePromise<InventoryList> {
    if (this.#current && this.#sequence >= head.sequence) return this.#current;
    // A reading that began before this call may show an older moment, so another one follows it.
    if (this.#reading) return this.#reading.then(() => this.list(head));
    return this.#refresh();
  }

  page(after: bigint | undefined, limit: number): MaybePromise<InventoryPage> {
    // The connection is in a reading in steps, which must see one moment to its end.
    if (this.#reading) return this.#reading.then(() => this.page(after, limit));
    this.#begin();
    try {
      const tag = listTag(this.#readHead());
      const chunk = this.#readChunk({ after, last: undefined }, limit);
      if (!chunk) return { tag, json: '[]', nextAfter: undefined };
      const isMore =
        chunk.itemCount === limit && this.#readChunk({ after: chunk.lastPetId, last: undefined }, 1);
      const json = Buffer.concat([Buffer.from('['), chunk.json.subarray(1), Buffer.from(']')]);
      return { tag, json, nextAfter: isMore ? chunk.lastPetId : undefined };
    } finally {
      this.#database.exec('ROLLBACK');
    }
  }

  async close(): Promise<void> {
    await this.#reading;
    this.#database.close();
  }

  /** Begins a transaction. One whose end failed would otherwise refuse all later ones. */
  #begin(): void {
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    this.#database.exec('BEGIN');
  }

  #refresh(): MaybePromise<InventoryList> {
    this.#begin();
    try {
      const head = this.#readHead();
      const isWhole = !this.#isWorthMarking(head);
      let marked = this.#sequence;
      if (!isWhole && head.sequence - marked <= MOVEMENTS_AT_ONCE) {
        this.#markChanged(marked, head.sequence);
        marked = head.sequence;
        if (this.#cache.staleCount <= CHUNKS_AT_ONCE) {
          this.#remakeStale();
          return this.#finish(head);
        }
      }
      const reading = (isWhole ? this.#readWholeInSteps() : this.#remakeStaleInSteps(marked, head.sequence))
        .then(() => this.#finish(head))
        .catch((error) => {
          this.#abandon();
          throw error;
        })
        .finally(() => {
          this.#reading = undefined;
        });
      // Callers that only wait for it must not cause an unhandled rejection.
      this.#reading = reading.catch(() => undefined);
      return reading;
    } catch (error) {
      this.#abandon();
      throw error;
    }
  }

  /** Whether to read the changes from the ledger, rather than the whole list. */
  #isWorthMarking({ sequence }: LedgerHead): boolean {
    if (this.#sequence < 0 || sequence < this.#sequence) return false;
    // Without a bound, the reading of movements would grow with the ledger, however few pets they are of.
    return sequence - this.#sequence < PETS_WORTH_MARKING;
  }

  #markChanged(after: number, upTo: number): void {
    for (const { petId } of this.#changedPets.all({ after, upTo })) this.#cache.markChanged(petId as bigint);
  }

  #remakeStale(): void {
    const { staleCount } = this.#cache;
    const ranges = this.#cache.staleRanges();
    this.#cache.replaceStale(ranges.map((range) => [...this.#readRange(range, freshChunkItems(range))]));
    this.#onRebuild(staleCount);
  }

  async #readWholeInSteps(): Promise<void> {
    const rows = await this.#readRangeInSteps({ after: undefined, last: undefined }, CHUNK_ITEMS);
    this.#cache.replaceAll(rows);
    this.#onRebuild(rows.length);
  }

  /** The stale chunks, with those that the movements after `marked` make stale. */
  async #remakeStaleInSteps(marked: number, upTo: number): Promise<void> {
    for (let from = marked; from < upTo; from += MOVEMENTS_AT_ONCE) {
      this.#markChanged(from, Math.min(from + MOVEMENTS_AT_ONCE, upTo));
      await nextStep();
    }
    const { staleCount } = this.#cache;
    const fresh: ChunkRow[][] = [];
    for (const range of this.#cache.staleRanges()) {
      fresh.push(await this.#readRangeInSteps(range, freshChunkItems(range)));
    }
    this.#cache.replaceStale(fresh);
    this.#onRebuild(staleCount);
  }

  async #readRangeInSteps(range: PetRange, limit: number): Promise<ChunkRow[]> {
    const rows: ChunkRow[] = [];
    for (const row of this.#readRange(range, limit)) {
      rows.push(row);
      await nextStep();
    }
    return rows;
  }

  #finish(head: LedgerHead): InventoryList {
    this.#database.exec('ROLLBACK');
    this.#sequence = head.sequence;
    this.#current = this.#cache.snapshot(listTag(head));
    return this.#current;
  }

  /** After a failed reading the cache is discarded. */
  #abandon(): void {
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    this.#sequence = -1;
    this.#current = undefined;
  }

  #readHead(): LedgerHead {
    return this.#head.get() as unknown as LedgerHead;
  }

  *#readRange({ after, last }: PetRange, limit: number): Generator<ChunkRow> {
    let from = after;
    for (;;) {
      const chunk = this.#readChunk({ after: from, last }, limit);
      if (!chunk) return;
      yield chunk;
      if (chunk.itemCount < limit) return;
      from = chunk.lastPetId;
    }
  }

  #readChunk({ after, last }: PetRange, limit: number): ChunkRow | undefined {
    const row = (
      after === undefined
        ? last === undefined
          ? this.#chunks.firstChunk.get({ limit })
          : this.#chunks.chunkUpTo.get({ last, limit })
        : last === undefined
          ? this.#chunks.chunkAfter.get({ after, limit })
          : this.#chunks.chunkBetween.get({ after, last, limit })
    ) as { itemCount: bigint; lastPetId: bigint; json: Uint8Array };
    return row.itemCount === 0n ? undefined : { ...row, itemCount: Number(row.itemCount) };
  }
}
