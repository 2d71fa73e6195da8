import { PET_STATUSES } from '../domain/inventory.ts';

/** What a movement left a pet with. */
export interface LastMovement {
  readonly sequence: number;
  readonly version: number;
  readonly quantity: number;
  readonly status: string;
  readonly recordedAtMs: number;
}

/**
 * The newest movement of each pet, kept in columns: of a million pets, objects would take twice the memory. A pet's
 * place counts the pets that came before it.
 */
export class LastMovements {
  readonly #places = new Map<bigint, number>();
  readonly #sequences: number[] = [];
  readonly #versions: number[] = [];
  readonly #quantities: number[] = [];
  readonly #statuses: string[] = [];
  readonly #recordedAtMs: number[] = [];

  /** How many pets there are. */
  get size(): number {
    return this.#places.size;
  }

  placeOf(petId: bigint): number | undefined {
    return this.#places.get(petId);
  }

  /** The pets with their places, in the order of these. */
  places(): Iterable<readonly [bigint, number]> {
    return this.#places;
  }

  at(place: number): LastMovement {
    return {
      sequence: this.#sequences[place] as number,
      version: this.#versions[place] as number,
      quantity: this.#quantities[place] as number,
      status: this.#statuses[place] as string,
      recordedAtMs: this.#recordedAtMs[place] as number,
    };
  }

  get(petId: bigint): LastMovement | undefined {
    const place = this.#places.get(petId);
    return place === undefined ? undefined : this.at(place);
  }

  set(petId: bigint, { sequence, version, quantity, status, recordedAtMs }: LastMovement): void {
    let place = this.#places.get(petId);
    if (place === undefined) {
      place = this.#places.size;
      this.#places.set(petId, place);
    }
    this.#sequences[place] = sequence;
    this.#versions[place] = version;
    this.#quantities[place] = quantity;
    // Each row brings a text of its own; the same few are kept once.
    this.#statuses[place] = PET_STATUSES.find((known) => known === status) ?? status;
    this.#recordedAtMs[place] = recordedAtMs;
  }
}
