import { ALERT_LEVELS, PET_STATUSES } from '@petstore-inventory/shared/words';
import { PlacesOfPets } from '../list/pet-positions.ts';

/** The state of a pet after a movement. */
export interface LastMovement {
  readonly sequence: number;
  readonly version: number;
  readonly quantity: number;
  readonly status: string;
  readonly recordedAtMs: number;
  readonly reserved: number;
  readonly alertLevel: string | null;
}

/** Pets per segment. Segments are never copied, so no single pet takes long. */
const SEGMENT = 16_384;

/** The columns of some pets. */
class Segment {
  readonly sequences = new Float64Array(SEGMENT);
  readonly versions = new Float64Array(SEGMENT);
  readonly quantities = new Float64Array(SEGMENT);
  readonly recordedAtMs = new Float64Array(SEGMENT);
  readonly reserved = new Float64Array(SEGMENT);
  readonly statuses: string[] = [];
  readonly alertLevels: (string | null)[] = [];
}

/**
 * The newest movement of each pet, in columns: for a million pets, objects and a `Map` would need four times the
 * memory. A pet's place is the number of pets before it.
 */
export class LastMovements {
  readonly #places = new PlacesOfPets();
  readonly #segments: Segment[] = [];

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
      status: segment.statuses[row] as string,
      recordedAtMs: segment.recordedAtMs[row] as number,
      reserved: segment.reserved[row] as number,
      alertLevel: segment.alertLevels[row] as string | null,
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
    // Each row has its own copy of a text; the same few are kept one time each.
    segment.statuses[row] = PET_STATUSES.find((known) => known === status) ?? status;
    segment.alertLevels[row] = ALERT_LEVELS.find((known) => known === alertLevel) ?? alertLevel;
    segment.recordedAtMs[row] = recordedAtMs;
    segment.reserved[row] = reserved;
  }
}
