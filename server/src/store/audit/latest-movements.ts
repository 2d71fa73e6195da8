/** Number of tables for the pets. None becomes so large that its growth takes long. */
const TABLES = 256;
const MIN_TABLE = 64;
/** Pets per segment. Segments are never copied, so no single pet takes long. */
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

/** The state of a pet after a movement. */
export interface LastMovement {
  readonly sequence: number;
  readonly version: number;
  readonly quantity: number;
  /** `null`: it was deleted. */
  readonly status: string | null;
  readonly recordedAtMs: number;
  readonly reserved: number;
  readonly alertLevel: string | null;
}

/** Numbers the different texts of a column: a few, unless somebody changed the database. */
class Texts {
  readonly #texts: (string | null)[] = [];
  readonly #numbers = new Map<string | null, number>();

  numberOf(text: string | null): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#texts.push(text) - 1;
      this.#numbers.set(text, number);
    }
    return number;
  }

  at(number: number): string | null {
    return this.#texts[number] as string | null;
  }
}

/** The columns of some pets. They never grow, because each growth leaves a copy to the garbage collector. */
class Segment {
  readonly sequences = new Float64Array(SEGMENT);
  readonly versions = new Float64Array(SEGMENT);
  readonly quantities = new Float64Array(SEGMENT);
  readonly recordedAtMs = new Float64Array(SEGMENT);
  readonly reserved = new Float64Array(SEGMENT);
  readonly statuses = new Uint32Array(SEGMENT);
  readonly alertLevels = new Uint32Array(SEGMENT);
}

/**
 * The newest movement of each pet, in columns: for a million pets, objects and a `Map` would need four times the
 * memory. A pet's place is the number of pets before it.
 */
export class LastMovements {
  readonly #places = new PlacesOfPets();
  readonly #segments: Segment[] = [];
  readonly #texts = new Texts();

  /** The number of pets. */
  get size(): number {
    return this.#places.size;
  }

  placeOf(petId: bigint): number | undefined {
    return this.#places.get(petId);
  }

  petIdAt(place: number): bigint {
    return this.#places.petIdAt(place);
  }

  at(place: number): LastMovement {
    const segment = this.#segments[Math.floor(place / SEGMENT)] as Segment;
    const row = place % SEGMENT;
    return {
      sequence: segment.sequences[row] as number,
      version: segment.versions[row] as number,
      quantity: segment.quantities[row] as number,
      status: this.#texts.at(segment.statuses[row] as number),
      recordedAtMs: segment.recordedAtMs[row] as number,
      reserved: segment.reserved[row] as number,
      alertLevel: this.#texts.at(segment.alertLevels[row] as number),
    };
  }

  get(petId: bigint): LastMovement | undefined {
    const place = this.#places.get(petId);
    return place === undefined ? undefined : this.at(place);
  }

  set(petId: bigint, last: LastMovement): void {
    const { sequence, version, quantity, status, recordedAtMs, reserved, alertLevel } = last;
    const place = this.#places.add(petId);
    const number = Math.floor(place / SEGMENT);
    this.#segments[number] ??= new Segment();
    const segment = this.#segments[number];
    const row = place % SEGMENT;
    segment.sequences[row] = sequence;
    segment.versions[row] = version;
    segment.quantities[row] = quantity;
    segment.statuses[row] = this.#texts.numberOf(status);
    segment.alertLevels[row] = this.#texts.numberOf(alertLevel);
    segment.recordedAtMs[row] = recordedAtMs;
    segment.reserved[row] = reserved;
  }
}
