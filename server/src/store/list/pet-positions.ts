/** Number of tables for the pets. None becomes so large that its growth takes long. */
const TABLES = 256;
const MIN_TABLE = 64;
const SEGMENT = 16_384;

/**
 * Numbers pets in the order in which they come, in 20 bytes each. A `Map` from bigints takes 100, and some hundredths
 * of a second in one turn of the event loop whenever it grows at a million.
 */
export class PlacesOfPets {
  /** By place. */
  readonly #petIds: BigInt64Array[] = [];
  /** Open addressing: each entry is a place and one more, or 0 where there is none. */
  readonly #tables = Array.from({ length: TABLES }, () => new Uint32Array(MIN_TABLE));
  readonly #counts = new Uint32Array(TABLES);
  readonly #petId = new BigInt64Array(1);
  readonly #halves = new Uint32Array(this.#petId.buffer);
  size = 0;

  get(petId: bigint): number | undefined {
    const hash = this.#hash(petId);
    const table = this.#tables[hash % TABLES] as Uint32Array;
    const entry = table[this.#find(table, hash, petId)] as number;
    return entry === 0 ? undefined : entry - 1;
  }

  /** The pet's place, which is a new one if it has none. */
  add(petId: bigint): number {
    const hash = this.#hash(petId);
    const number = hash % TABLES;
    const table = this.#tables[number] as Uint32Array;
    const position = this.#find(table, hash, petId);
    const entry = table[position] as number;
    if (entry !== 0) return entry - 1;
    const place = this.size;
    this.size += 1;
    this.#petIds[Math.floor(place / SEGMENT)] ??= new BigInt64Array(SEGMENT);
    (this.#petIds[Math.floor(place / SEGMENT)] as BigInt64Array)[place % SEGMENT] = petId;
    table[position] = place + 1;
    const count = (this.#counts[number] as number) + 1;
    this.#counts[number] = count;
    if (2 * count > table.length) this.#grow(number);
    return place;
  }

  petIdAt(place: number): bigint {
    return this.#petIds[Math.floor(place / SEGMENT)]?.[place % SEGMENT] as bigint;
  }

  /** Where the pet's entry is, or the free one that it would take. */
  #find(table: Uint32Array, hash: number, petId: bigint): number {
    const mask = table.length - 1;
    for (let position = (hash >>> 8) & mask; ; position = (position + 1) & mask) {
      const entry = table[position] as number;
      if (entry === 0 || this.petIdAt(entry - 1) === petId) return position;
    }
  }

  #grow(number: number): void {
    const old = this.#tables[number] as Uint32Array;
    const table = new Uint32Array(2 * old.length);
    for (const entry of old) {
      if (entry === 0) continue;
      const petId = this.petIdAt(entry - 1);
      table[this.#find(table, this.#hash(petId), petId)] = entry;
    }
    this.#tables[number] = table;
  }

  /** Mixes all bits, because petIds may follow each other at any distance (the finaliser of MurmurHash3). */
  #hash(petId: bigint): number {
    this.#petId[0] = petId;
    const low = this.#halves[0] as number;
    const high = this.#halves[1] as number;
    let hash = low ^ Math.imul(high, 0x9e3779b1);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    return (hash ^ (hash >>> 16)) >>> 0;
  }
}
