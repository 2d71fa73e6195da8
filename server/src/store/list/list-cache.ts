import type { LedgerHead } from '../../domain/ledger/ledger.ts';
import type { InventoryList } from '../../domain/store.ts';
import { type Chunk, type ChunkRow, ListSnapshot, newChunk } from './list-snapshot.ts';

/** Items in a fresh chunk. Fewer make a change cheaper, more make a whole list cheaper. */
export const CHUNK_ITEMS = 256;
/** After changes to more pets than this, reading the whole list is cheaper than marking one by one. */
export const PETS_WORTH_MARKING = 20_000;
/** A larger chunk is split when it is rebuilt. */
export const MAX_CHUNK_ITEMS = 2 * CHUNK_ITEMS;
/** The tag of a list. It changes with the sequence, and with the time of the same sequence (a restored backup). */
export function listTag(head: LedgerHead): string {
  return `${head.sequence.toString(36)}-${head.recordedAtMs.toString(36)}`;
}

/** A range of pets: those after `after` up to and including `last`. */
export interface PetRange {
  readonly after: bigint | undefined;
  readonly last: bigint | undefined;
}

/** The pets of one or more stale chunks that follow each other. */
export interface StaleRange extends PetRange {
  readonly chunkCount: number;
}

/** Items per chunk when a stale range is rebuilt. A single chunk stays one until it is too large. */
export function freshChunkItems({ chunkCount }: StaleRange): number {
  return chunkCount === 1 ? MAX_CHUNK_ITEMS : CHUNK_ITEMS;
}

/** Stale chunks that follow each other, by position. */
interface StaleRun {
  readonly first: number;
  readonly count: number;
}

/**
 * The list as byte chunks in ascending order of petId. A change marks its chunk, and only marked chunks are rebuilt.
 * Chunks are immutable, so a list that is being sent stays the snapshot that it was.
 */
export class ListCache {
  #chunks: readonly Chunk[] = [];
  /** The chunks to rebuild, by position; an empty cache is one stale chunk of all pets. */
  #stale = new Set<number>([0]);

  /** Marks the chunk of a pet, whether the pet is in it already or is new. */
  markChanged(petId: bigint): void {
    this.#stale.add(this.#positionOf(petId));
  }

  get staleCount(): number {
    return this.#stale.size;
  }

  /** The stale ranges, in ascending order. Where most chunks are stale they are few and long, as for a whole reading. */
  staleRanges(): StaleRange[] {
    return this.#staleRuns().map((run) => this.#rangeOf(run));
  }

  /**
   * Replaces all stale chunks with the rows of each range, in the order of `staleRanges`. It is one pass over the
   * chunks, however many are stale. Until then the cache is unchanged.
   */
  replaceStale(fresh: readonly (readonly ChunkRow[])[]): void {
    const chunks: Chunk[] = [];
    let next = 0;
    const keepUpTo = (position: number) => {
      for (; next < position; next += 1) chunks.push(this.#chunks[next] as Chunk);
    };
    for (const [i, { first, count }] of this.#staleRuns().entries()) {
      keepUpTo(first);
      for (const row of fresh[i] ?? []) chunks.push(newChunk(row));
      next = first + count;
    }
    keepUpTo(this.#chunks.length);
    this.#chunks = chunks;
    this.#stale.clear();
  }

  /** Replaces everything with the rows of a whole reading. */
  replaceAll(rows: readonly ChunkRow[]): void {
    this.#chunks = rows.map(newChunk);
    this.#stale.clear();
  }

  snapshot(tag: string): InventoryList {
    return new ListSnapshot(tag, this.#chunks);
  }

  #staleRuns(): StaleRun[] {
    const runs: { first: number; count: number }[] = [];
    for (const position of [...this.#stale].sort((a, b) => a - b)) {
      const run = runs.at(-1);
      if (run && run.first + run.count === position) run.count += 1;
      else runs.push({ first: position, count: 1 });
    }
    return runs;
  }

  /** The first chunk whose last pet is not before this one; the last chunk takes all that come after. */
  #positionOf(petId: bigint): number {
    let low = 0;
    let high = Math.max(0, this.#chunks.length - 1);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#chunks[middle] as Chunk).lastPetId < petId) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #rangeOf({ first, count }: StaleRun): StaleRange {
    const last = first + count - 1;
    return {
      after: this.#chunks[first - 1]?.lastPetId,
      last: last >= this.#chunks.length - 1 ? undefined : this.#chunks[last]?.lastPetId,
      chunkCount: count,
    };
  }
}
