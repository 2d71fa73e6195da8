import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Eventually } from '../../domain/eventually.ts';
import type { LedgerHead } from '../../domain/ledger.ts';
import type { InventoryList, InventoryPage } from '../../domain/store.ts';
import {
  CHUNK_ITEMS,
  type ChunkRow,
  LARGEST_CHUNK_ITEMS,
  ListCache,
  listTag,
  PETS_WORTH_MARKING,
  type StaleRange,
} from '../list-cache.ts';
import { openReader } from './open.ts';
import { READ } from './statements.ts';

/** More stale chunks than this are made in slices, with other requests served in between. */
const CHUNKS_AT_ONCE = 64;

/**
 * Keeps the list cache in step with the ledger, on a connection of its own: while a long reading goes on in
 * slices, its transaction holds one moment of the database without hiding new keys from other questions.
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
  list(head: LedgerHead): Eventually<InventoryList> {
    // A reading that began before this question may show an older moment, so it is waited for and asked again.
    if (this.#reading) return this.#reading.then(() => this.list(head));
    if (this.#current && this.#sequence >= head.sequence) return this.#current;
    return this.#refresh();
  }

  page(after: bigint | undefined, limit: number): Eventually<InventoryPage> {
    // The connection is in the middle of a reading in slices, which must see one moment to its end.
    if (this.#reading) return this.#reading.then(() => this.page(after, limit));
    this.#database.exec('BEGIN');
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

  #refresh(): Eventually<InventoryList> {
    this.#database.exec('BEGIN');
    try {
      const head = this.#readHead();
      const isWhole = !this.#mark(head);
      if (!isWhole && this.#cache.staleCount <= CHUNKS_AT_ONCE) {
        this.#remakeStale();
        return this.#finish(head);
      }
      const reading = this.#readInSlices(isWhole)
        .then(() => this.#finish(head))
        .catch((error) => {
          this.#abandon();
          throw error;
        })
        .finally(() => {
          this.#reading = undefined;
        });
      // Callers that only wait for it must not turn its failure into an unhandled one.
      this.#reading = reading.catch(() => undefined);
      return reading;
    } catch (error) {
      this.#abandon();
      throw error;
    }
  }

  /** Marks what the ledger says has changed; false when everything is to be read anew. */
  #mark(head: LedgerHead): boolean {
    if (this.#sequence < 0 || head.sequence < this.#sequence) return false;
    // Else the reading of movements would grow with the ledger, however few pets they are of.
    if (head.sequence - this.#sequence >= PETS_WORTH_MARKING) return false;
    const rows = this.#changedPets.all({ sequence: this.#sequence });
    for (const { petId } of rows) this.#cache.markChanged(petId as bigint);
    return true;
  }

  #remakeStale(): void {
    const ranges = this.#cache.staleRanges();
    for (const range of ranges)
      this.#cache.replaceHighestStale([...this.#readRange(range, LARGEST_CHUNK_ITEMS)]);
    this.#onRebuild(ranges.length);
  }

  async #readInSlices(isWhole: boolean): Promise<void> {
    const ranges = isWhole ? [{ after: undefined, last: undefined }] : this.#cache.staleRanges();
    let sinceYield = 0;
    for (const range of ranges) {
      const rows: ChunkRow[] = [];
      for (const row of this.#readRange(range, isWhole ? CHUNK_ITEMS : LARGEST_CHUNK_ITEMS)) {
        rows.push(row);
        this.#onRebuild(1);
        sinceYield += 1;
        if (sinceYield === CHUNKS_AT_ONCE) {
          sinceYield = 0;
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
      if (isWhole) this.#cache.replaceAll(rows);
      else this.#cache.replaceHighestStale(rows);
    }
  }

  #finish(head: LedgerHead): InventoryList {
    this.#database.exec('ROLLBACK');
    this.#sequence = head.sequence;
    this.#current = this.#cache.snapshot(listTag(head));
    return this.#current;
  }

  /** After a failed reading nothing in the cache is trusted. */
  #abandon(): void {
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    this.#sequence = -1;
    this.#current = undefined;
  }

  #readHead(): LedgerHead {
    return this.#head.get() as unknown as LedgerHead;
  }

  *#readRange({ after, last }: StaleRange, limit: number): Generator<ChunkRow> {
    let from = after;
    for (;;) {
      const chunk = this.#readChunk({ after: from, last }, limit);
      if (!chunk) return;
      yield chunk;
      if (chunk.itemCount < limit) return;
      from = chunk.lastPetId;
    }
  }

  #readChunk({ after, last }: StaleRange, limit: number): ChunkRow | undefined {
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
