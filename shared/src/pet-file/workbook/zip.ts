import { Inflate } from 'fflate';

/** Why an archive cannot be read. */
export class DamagedArchive extends Error {
  override name = 'DamagedArchive';
}

export interface ZipEntry {
  readonly name: string;
  /** The size that it says it has unpacked. It never has more. */
  readonly byteCount: number;
  readonly packedCount: number;
  readonly isDeflated: boolean;
  readonly crc: number;
  readonly offset: number;
}

const END_MARK = 0x06054b50;
const END_LENGTH = 22;
const MAX_COMMENT = 65_535;
const DIRECTORY_MARK = 0x02014b50;
const DIRECTORY_LENGTH = 46;
const FILE_MARK = 0x04034b50;
const FILE_LENGTH = 30;
const MAX_ENTRIES = 10_000;
const IS_ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;
/** Deflate makes at most 1,032 bytes of one, so that this is the memory of a step. */
const PACKED_PER_STEP = 4_096;

/** The files of a zip archive, by its directory. @throws DamagedArchive */
export function zipEntries(archive: Uint8Array): ReadonlyMap<string, ZipEntry> {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = endOfDirectory(view);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  const entries = new Map<string, ZipEntry>();
  if (count > MAX_ENTRIES) throw new DamagedArchive('too many files');
  for (let number = 0; number < count; number += 1) {
    if (at + DIRECTORY_LENGTH > end || view.getUint32(at, true) !== DIRECTORY_MARK)
      throw new DamagedArchive('no directory');
    const nameLength = view.getUint16(at + 28, true);
    const start = at + DIRECTORY_LENGTH;
    const entry = entryAt(view, at, new TextDecoder().decode(archive.subarray(start, start + nameLength)));
    if (entries.has(entry.name)) throw new DamagedArchive('a file is there twice');
    entries.set(entry.name, entry);
    at = start + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function entryAt(view: DataView, at: number, name: string): ZipEntry {
  const method = view.getUint16(at + 10, true);
  if (method !== STORED && method !== DEFLATED) throw new DamagedArchive('unknown compression');
  if (view.getUint16(at + 8, true) & IS_ENCRYPTED) throw new DamagedArchive('encrypted');
  return {
    name,
    isDeflated: method === DEFLATED,
    crc: view.getUint32(at + 16, true),
    packedCount: view.getUint32(at + 20, true),
    byteCount: view.getUint32(at + 24, true),
    offset: view.getUint32(at + 42, true),
  };
}

/** The directory is at the end, before a comment. */
function endOfDirectory(view: DataView): number {
  const last = view.byteLength - END_LENGTH;
  for (let at = last; at >= 0 && at >= last - MAX_COMMENT; at -= 1)
    if (view.getUint32(at, true) === END_MARK) return at;
  throw new DamagedArchive('no end of the directory');
}

/** Unpacks a file in steps. @throws DamagedArchive also where its bytes are not those that were packed */
export function* unpacked(archive: Uint8Array, entry: ZipEntry): Generator<Uint8Array> {
  const packed = packedBytes(archive, entry);
  let [byteCount, crc] = [0, -1];
  for (const bytes of entry.isDeflated ? inflated(packed) : [packed]) {
    byteCount += bytes.length;
    if (byteCount > entry.byteCount) throw new DamagedArchive('more bytes than it says');
    crc = nextCrc(crc, bytes);
    yield bytes;
  }
  if (byteCount !== entry.byteCount || (crc ^ -1) >>> 0 !== entry.crc)
    throw new DamagedArchive('other bytes than were packed');
}

function packedBytes(archive: Uint8Array, { offset, packedCount }: ZipEntry): Uint8Array {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  if (offset + FILE_LENGTH > view.byteLength || view.getUint32(offset, true) !== FILE_MARK)
    throw new DamagedArchive('no file');
  const start = offset + FILE_LENGTH + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
  if (start + packedCount > view.byteLength) throw new DamagedArchive('the file ends early');
  return archive.subarray(start, start + packedCount);
}

function* inflated(packed: Uint8Array): Generator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  const inflate = new Inflate((piece) => pieces.push(piece));
  for (let start = 0; start < packed.length; start += PACKED_PER_STEP) {
    const end = start + PACKED_PER_STEP;
    try {
      inflate.push(packed.subarray(start, end), end >= packed.length);
    } catch {
      throw new DamagedArchive('no deflated bytes');
    }
    yield* pieces;
    pieces = [];
  }
}

const CRC_TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  return crc;
});

function nextCrc(before: number, bytes: Uint8Array): number {
  let crc = before;
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return crc;
}
