import { constants, crc32, deflateRawSync } from 'node:zlib';
import { gzipTagPrefix, type InventoryList, type ListContent } from '../../domain/store.ts';

/** One item of the list as JSON, after a comma, in SQL of both SQLite and PostgreSQL. Both write int64 exactly. */
export const ITEM_JSON = `',{"petId":' || pet_id || ',"quantity":' || quantity || ',"status":"' || status || '"}'`;

/** Up to this size a list is kept as one piece; beyond it, chunks are streamed. */
const JOINED_BYTES = 256 * 1024;
const STREAMED_PIECE_BYTES = 64 * 1024;
/**
 * A piece of gzip is smaller, because it is made of ten times its bytes, which take some milliseconds to compress.
 */
const GZIP_PIECE_BYTES = 24 * 1024;

const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;

/** What a database returns for a range of pets: each item's JSON after a comma. */
export interface ChunkRow {
  readonly json: Uint8Array;
  readonly itemCount: number;
  readonly lastPetId: bigint;
}

export interface Chunk extends ChunkRow {
  /** `json` as a byte-aligned piece of a deflate stream (RFC 1951), made for the first reader. */
  deflated: Uint8Array | undefined;
}

export function newChunk({ json, itemCount, lastPetId }: ChunkRow): Chunk {
  return { json, itemCount, lastPetId, deflated: undefined };
}

/** The list of one moment as JSON and as gzip, out of immutable chunks. */
export class ListSnapshot implements InventoryList {
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
    // The comma before the first item becomes the opening bracket; the closing one is appended.
    this.byteLength = Math.max(bytes, 1) + 1;
  }

  /**
   * The bounds of the chunks and the version of zlib determine the bytes; both differ over time and between
   * processes.
   */
  get gzipTag(): string {
    this.#gzipTag ??= gzipTagPrefix(this.tag) + crc32(this.#layout()).toString(36);
    return this.#gzipTag;
  }

  json(): ListContent {
    if (this.byteLength > JOINED_BYTES) return inPieces(this.#json(), STREAMED_PIECE_BYTES);
    // A string: Node sends headers and text with one write, but headers and bytes with a more expensive vectored one.
    this.#text ??= Buffer.concat([...this.#json()]).toString('latin1');
    return this.#text;
  }

  gzip(): ListContent {
    if (this.byteLength > JOINED_BYTES) return inPieces(this.#gzip(), GZIP_PIECE_BYTES);
    this.#gzipped ??= Buffer.concat([...this.#gzip()]);
    return this.#gzipped;
  }

  *parts(): Generator<Uint8Array> {
    for (const { json } of this.#chunks) yield json;
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
    const known = this.#checksum;
    let checksum = 0;
    // Piece by piece, because the checksum of a large list takes some hundredths of a second.
    const sum = (bytes: Uint8Array) => {
      if (known === undefined) checksum = crc32(bytes, checksum);
      return bytes;
    };
    yield Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff);
    yield deflated(sum(Uint8Array.of(OPENING_BRACKET)));
    for (const [i, chunk] of this.#chunks.entries()) {
      if (i === 0) yield deflated(sum(chunk.json.subarray(1)));
      else {
        sum(chunk.json);
        chunk.deflated ??= deflated(chunk.json);
        yield chunk.deflated;
      }
    }
    yield deflateRawSync(sum(Uint8Array.of(CLOSING_BRACKET)));
    const trailer = Buffer.alloc(8);
    this.#checksum = known ?? checksum;
    trailer.writeUInt32LE(this.#checksum, 0);
    trailer.writeUInt32LE(this.byteLength % 2 ** 32, 4);
    yield trailer;
  }
}

/**
 * Compresses to a piece that ends on a byte boundary and refers to nothing before it, so that pieces can be joined. It is
 * copied, because zlib returns a view of a buffer of 16 KB, ten times as much as a chunk needs.
 */
function deflated(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(deflateRawSync(bytes, { finishFlush: constants.Z_FULL_FLUSH, level: 4 }));
}

/** Joins small pieces to pieces worth a system call. */
function* inPieces(pieces: Iterable<Uint8Array>, pieceBytes: number): Generator<Uint8Array> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  for (const piece of pieces) {
    held.push(piece);
    heldBytes += piece.byteLength;
    if (heldBytes >= pieceBytes) {
      yield Buffer.concat(held);
      held = [];
      heldBytes = 0;
    }
  }
  if (heldBytes > 0) yield Buffer.concat(held);
}
