import { MAX_INT64, MIN_INT64, petIdAfter } from '@petstore-inventory/shared/pet-id';
import type pg from 'pg';
import type { LedgerHead } from '../../domain/ledger/ledger.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { InventoryList } from '../../domain/store.ts';
import {
  CHUNK_ITEMS,
  freshChunkItems,
  ListCache,
  listTag,
  PETS_WORTH_MARKING,
  type PetRange,
  type StaleRange,
} from '../list/list-cache.ts';
import type { ChunkRow } from '../list/list-snapshot.ts';
import { type Connection, isRetryable } from './connection.ts';
import { READ } from './statements.ts';

/** Chunks per query. */
const CHUNKS_PER_QUERY = 64;

/** A chunk in a row of the statements `chunks` and `page`. */
export interface ChunkText {
  readonly itemCount: number;
  readonly lastPetId: string;
  readonly json: string;
}

/** The parameters of both: the first and the last pet, items in total, and items per chunk. */
export function chunkParameters({ after, last }: PetRange, items: number, chunkItems: number): unknown[] {
  // No int64 comes after the largest one: a range that ends before it begins.
  const first = petIdAfter(after);
  if (first === undefined) return [String(MAX_INT64), String(MIN_INT64), items, chunkItems];
  return [String(first), String(last ?? MAX_INT64), items, chunkItems];
}

/** Keeps the list cache up to date with the ledger, on a connection of its own. */
export class ListReader {
  readonly #connection: Connection;
  readonly #onRebuild: (chunks: number) => void;
  readonly #cache = new ListCache();
  #current: InventoryList | undefined;
  #head: LedgerHead = { sequence: -1, recordedAtMs: 0 };
  #reading: Promise<InventoryList> | undefined;

  constructor(connection: Connection, onRebuild: (chunks: number) => void) {
    this.#connection = connection;
    this.#onRebuild = onRebuild;
  }

  /** The list at this head of the ledger or a later one. */
  list(head: LedgerHead): MaybePromise<InventoryList> {
    if (this.#current && this.#head.sequence >= head.sequence) return this.#current;
    // A reading that began before this call may show an older moment, so another one follows it.
    if (this.#reading) return this.#reading.then(() => this.list(head));
    this.#reading = this.#refresh()
      .catch((error: unknown) => {
        if (!isRetryable(error)) throw error;
        return this.#refresh();
      })
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  /** Discards the cache: the next list is read from the database, which may be another server now. */
  forget(): void {
    this.#current = undefined;
    this.#head = { sequence: -1, recordedAtMs: 0 };
  }

  async #refresh(): Promise<InventoryList> {
    const client = await this.#connection.client();
    const before = this.#head;
    try {
      const [, newest, changed] = await Promise.all([
        client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'),
        client.query<LedgerHead & pg.QueryResultRow>(READ.head),
        client.query<[petId: string]>({
          ...READ.changedPets,
          values: [before.sequence, before.sequence < 0 ? 0 : PETS_WORTH_MARKING],
          rowMode: 'array',
        }),
      ]);
      const head = newest.rows[0] as LedgerHead;
      const isWhole =
        before.sequence < 0 ||
        head.sequence < before.sequence ||
        head.sequence - before.sequence >= PETS_WORTH_MARKING;
      if (isWhole) await this.#readAll(client);
      else {
        for (const [petId] of changed.rows) this.#cache.markChanged(BigInt(petId));
        await this.#remakeStale(client);
      }
      const list = this.#cache.snapshot(listTag(head));
      this.#head = head;
      this.#current = list;
      return list;
    } catch (error) {
      this.forget();
      this.#connection.forgetEnded(client, error);
      throw error;
    } finally {
      client.query('ROLLBACK').catch(() => undefined);
    }
  }

  async #readAll(client: pg.Client): Promise<void> {
    const rows: ChunkRow[] = [];
    for await (const chunks of read(client, { after: undefined, last: undefined }, CHUNK_ITEMS)) {
      rows.push(...chunks);
      this.#onRebuild(chunks.length);
    }
    this.#cache.replaceAll(rows);
  }

  async #remakeStale(client: pg.Client): Promise<void> {
    const ranges = this.#cache.staleRanges();
    const fresh: ChunkRow[][] = [];
    while (fresh.length < ranges.length) {
      const some = takeChunks(ranges, fresh.length, CHUNKS_PER_QUERY);
      fresh.push(...(await Promise.all(some.map((range) => readWhole(client, range)))));
      this.#onRebuild(some.reduce((chunks, { chunkCount }) => chunks + chunkCount, 0));
    }
    this.#cache.replaceStale(fresh);
  }
}

/** The ranges from a position on with this many chunks together, or a single one with more. */
function takeChunks(ranges: readonly StaleRange[], from: number, chunks: number): readonly StaleRange[] {
  let to = from;
  for (let taken = 0; to < ranges.length && taken < chunks; to += 1) taken += ranges[to]?.chunkCount ?? 0;
  return ranges.slice(from, to);
}

async function readWhole(client: pg.Client, range: StaleRange): Promise<ChunkRow[]> {
  const rows: ChunkRow[] = [];
  for await (const chunks of read(client, range, freshChunkItems(range))) rows.push(...chunks);
  return rows;
}

/** Reads a range, some chunks at a time. */
async function* read(client: pg.Client, range: PetRange, chunkItems: number): AsyncGenerator<ChunkRow[]> {
  const items = chunkItems * CHUNKS_PER_QUERY;
  let { after } = range;
  for (;;) {
    const values = chunkParameters({ ...range, after }, items, chunkItems);
    const { rows } = await client.query<ChunkText>({ ...READ.chunks, values });
    const chunks = rows.map(({ itemCount, lastPetId, json }) => ({
      itemCount,
      lastPetId: BigInt(lastPetId),
      json: ownBytes(json),
    }));
    if (chunks.length > 0) yield chunks;
    const newest = chunks.at(-1);
    if (!newest || chunks.length < CHUNKS_PER_QUERY || newest.itemCount < chunkItems) return;
    if (newest.lastPetId === MAX_INT64) return;
    after = newest.lastPetId;
  }
}

/** Not `Buffer.from`: a chunk that is kept would keep the buffer that Node shares between small ones, of 64 kB. */
function ownBytes(json: string): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(json.length);
  bytes.write(json, 'latin1');
  return bytes;
}
