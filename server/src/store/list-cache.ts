import { constants, crc32, deflateRawSync } from 'node:zlib';
import type { LedgerHead } from '../domain/ledger.ts';
import { gzipTagPrefix, type InventoryList, type ListContent } from '../domain/store.ts';

/** Items in a fresh chunk. Fewer make a change cheaper, more make a whole list cheaper. */
export const CHUNK_ITEMS = 256;
/** After changes to more pets than this, reading everything anew is cheaper than marking one by one. */
export const PETS_WORTH_MARKING = 20_000;
/** A chunk that grew beyond this is cut when it is remade. */
export const LARGEST_CHUNK_ITEMS = 2 * CHUNK_ITEMS;
/** Up to this size a list is kept as one piece; beyond it, chunks are streamed. */
const JOINED_BYTES = 256 * 1024;
const STREAMED_PIECE_BYTES = 64 * 1024;

const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;

/** The name of a list: another sequence, or the same one reached at another time (a restored backup), is another list. */
export function listTag(head: LedgerHead): string {
  return `${head.sequence.toString(36)}-${head.recordedAtMs.toString(36)}`;
}

/** What a database hands over for a range of pets: each item's JSON with a comma before it. */
export interface ChunkRow {
  readonly json: Uint8Array;
  readonly itemCount: number;
  readonly lastPetId: bigint;
}

interface Chunk extends ChunkRow {
  /** `json` as a byte-aligned piece of a deflate stream (RFC 1951), made when first asked for. */
  deflated: Uint8Array | undefined;
}

/** The pets of one stale chunk: those after `after` up to and including `last`. */
export interface StaleRange {
  readonly after: bigint | undefined;
  readonly last: bigint | undefined;
}

/**
 * The list as byte chunks in ascending order of petId. A change marks its chunk, and only marked chunks are
 * made again. Chunks are immutable, so a list that is being sent stays the snapshot that it was.
 */
export class ListCache {
  #chunks: readonly Chunk[] = [];
  /** The chunks to be made again, by position; an empty cache is one stale chunk of all pets. */
  #stale = new Set<number>([0]);

  /** Marks the chunk of a pet, whether the pet is in it already or belongs into it now. */
  markChanged(petId: bigint): void {
    this.#stale.add(this.#positionOf(petId));
  }

  get staleCount(): number {
    return this.#stale.size;
  }

  /** The stale ranges from the highest down, so that replacing one does not move those still to do. */
  staleRanges(): StaleRange[] {
    return this.#stalePositions().map((position) => this.#rangeOf(position));
  }

  /** Puts freshly read rows in place of the highest stale chunk. */
  replaceHighestStale(rows: readonly ChunkRow[]): void {
    const [position] = this.#stalePositions();
    if (position === undefined) return;
    const fresh = rows.map((row) => ({ ...row, deflated: undefined }));
    this.#chunks = this.#chunks.toSpliced(position, 1, ...fresh);
    this.#stale.delete(position);
  }

  /** Puts what a first, whole reading found in place of everything. */
  replaceAll(rows: readonly ChunkRow[]): void {
    this.#chunks = rows.map((row) => ({ ...row, deflated: undefined }));
    this.#stale.clear();
  }

  snapshot(tag: string): InventoryList {
    return new ListSnapshot(tag, this.#chunks);
  }

  #stalePositions(): number[] {
    return [...this.#stale].sort((a, b) => b - a);
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

  #rangeOf(position: number): StaleRange {
    const isLast = position >= this.#chunks.length - 1;
    return {
      after: this.#chunks[position - 1]?.lastPetId,
      last: isLast ? undefined : this.#chunks[position]?.lastPetId,
    };
  }
}

class ListSnapshot implements InventoryList {
  readonly tag: string;
  readonly itemCount: number;
  readonly byteLength: number;
  readonly #chunks: readonly Chunk[];
  #text: string | undefined;
  #gzipped: Uint8Array | undefined;
  #gzipTag: string | undefined;
  #checksum: number | undefined;

  constructor(tag: string, chunks: readonly Chunk[]) {
    this.tag = tag;
    this.#chunks = chunks;
    let bytes = 0;
    let items = 0;
    for (const { json, itemCount } of chunks) {
      bytes += json.byteLength;
      items += itemCount;
    }
    this.itemCount = items;
    // The comma before the first item becomes the opening bracket; the closing one comes on top.
    this.byteLength = Math.max(bytes, 1) + 1;
  }

  /** Where the chunks begin, and what compresses them, decides the bytes; both differ over time and processes. */
  get gzipTag(): string {
    this.#gzipTag ??= gzipTagPrefix(this.tag) + crc32(this.#layout()).toString(36);
    return this.#gzipTag;
  }

  json(): ListContent {
    if (this.byteLength > JOINED_BYTES) return inPieces(this.#json());
    // A string: Node sends headers and text with one write, headers and bytes with a dearer vectored one.
    this.#text ??= Buffer.concat([...this.#json()]).toString('latin1');
    return this.#text;
  }

  gzip(): ListContent {
    if (this.byteLength > JOINED_BYTES) return inPieces(this.#gzip());
    this.#gzipped ??= Buffer.concat([...this.#gzip()]);
    return this.#gzipped;
  }

  #layout(): string {
    return `${process.versions.zlib} ${this.#chunks.map(({ itemCount }) => itemCount).join(' ')}`;
  }

  *#json(): Generator<Uint8Array> {
    yield Uint8Array.of(OPENING_BRACKET);
    for (const [i, { json }] of this.#chunks.entries()) yield i === 0 ? json.subarray(1) : json;
    yield Uint8Array.of(CLOSING_BRACKET);
  }

  /**
   * One gzip member out of chunks that were compressed apart. Several members would be allowed (RFC 1952
   * section 2.2), but browsers read only the first.
   */
  *#gzip(): Generator<Uint8Array> {
    yield Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);
    yield deflated(Uint8Array.of(OPENING_BRACKET));
    for (const [i, chunk] of this.#chunks.entries()) {
      if (i === 0) yield deflated(chunk.json.subarray(1));
      else {
        chunk.deflated ??= deflated(chunk.json);
        yield chunk.deflated;
      }
    }
    yield deflateRawSync(Uint8Array.of(CLOSING_BRACKET));
    const trailer = Buffer.alloc(8);
    this.#checksum ??= this.#json().reduce((checksum, piece) => crc32(piece, checksum), 0);
    trailer.writeUInt32LE(this.#checksum, 0);
    trailer.writeUInt32LE(this.byteLength % 2 ** 32, 4);
    yield trailer;
  }
}

/** Compresses to a piece that ends on a byte boundary and refers to nothing before it, so that pieces can be joined. */
function deflated(bytes: Uint8Array): Uint8Array {
  return deflateRawSync(bytes, { finishFlush: constants.Z_FULL_FLUSH, level: 4 });
}

/** Joins small pieces into ones worth a system call. */
function* inPieces(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  for (const piece of pieces) {
    held.push(piece);
    heldBytes += piece.byteLength;
    if (heldBytes >= STREAMED_PIECE_BYTES) {
      yield Buffer.concat(held);
      held = [];
      heldBytes = 0;
    }
  }
  if (heldBytes > 0) yield Buffer.concat(held);
}
