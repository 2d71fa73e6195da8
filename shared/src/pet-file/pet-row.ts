import type { Thresholds } from '../thresholds.ts';
import type { PetStatus } from '../words.ts';

/**
 * A checked row of a file of pets. `null`: the file has no value. An existing pet keeps its own; a new one has no
 * name or category, and is available.
 */
export interface PetRow {
  readonly petId: bigint;
  readonly name: string | null;
  readonly category: string | null;
  readonly quantity: number;
  readonly status: PetStatus | null;
  /** `undefined`: the file does not change the thresholds; a new pet has none of its own. */
  readonly thresholds?: Thresholds | undefined;
}
