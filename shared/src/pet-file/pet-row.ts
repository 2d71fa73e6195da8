import type { Thresholds } from '../thresholds.ts';
import type { PetStatus } from '../words.ts';

/** Codes of a row; `null`: it has none, and those of the pet stay. */
export interface RowCodes {
  readonly sku: string | null;
  /** The barcodes that replace those of the pet. */
  readonly barcodes: readonly string[] | null;
}

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
  /** `undefined`: the file does not change the codes. */
  readonly codes?: RowCodes | undefined;
  /** `null` removes the supplier of the pet; `undefined`: the file does not change it. */
  readonly supplier?: string | null | undefined;
  /** The codes that name the pet, if no petId does; empty for a new pet. `undefined`: its petId names it. */
  readonly namedBy?: readonly NamingCode[] | undefined;
}

/** A code as the database compares it. */
interface NamingCode {
  readonly kind: 'sku' | 'barcode';
  readonly code: string;
  /** Whether the pet has it. Of several barcodes it may have only some. */
  readonly isOwned: boolean;
}

/** A row as a file has it. Without a petId it is of the pet with its SKU, or without one of that with its barcodes. */
export interface FileRow extends Omit<PetRow, 'petId' | 'namedBy'> {
  readonly petId: bigint | undefined;
}
