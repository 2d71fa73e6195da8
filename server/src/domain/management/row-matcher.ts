import { type ImportProblem, importProblem } from '@petstore-inventory/shared/pet-file/import-problems';
import type { PetField } from '@petstore-inventory/shared/pet-file/headings';
import type { FileRow, PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import { MAX_INT64 } from '@petstore-inventory/shared/pet-id';
import { shownValue } from '@petstore-inventory/shared/shown-value';
import { barcodeKeyOf, type CodeFacts, type CodeKey, keyText, skuKey, type TypedCode } from './pet-codes.ts';

/** A row whose pet cannot be found, or whose codes it cannot have. */
interface UnmatchedRow {
  readonly field: PetField;
  readonly problem: ImportProblem;
}

interface RowCode extends TypedCode {
  readonly field: 'sku' | 'barcodes';
}

function codesOfRow({ codes }: FileRow): readonly RowCode[] {
  const { sku = null, barcodes = null } = codes ?? {};
  return [
    ...(sku === null ? [] : [{ ...skuKey(sku), field: 'sku' as const, typed: sku }]),
    ...(barcodes ?? []).map((typed) => ({ ...barcodeKeyOf(typed), field: 'barcodes' as const, typed })),
  ];
}

/** The codes of rows, whose owners a match needs. */
export function codeKeysOf(rows: Iterable<{ readonly row: FileRow }>): readonly CodeKey[] {
  return Array.from(rows, ({ row }) => codesOfRow(row)).flat();
}

/**
 * Finds the pets of the rows of one file, in their order. A row is of the pet with its petId; without one, of the pet with
 * its SKU, and without one of that with its barcodes. What names the pet does not change it. A code that no pet has names
 * a new pet, which gets the next petId of the shop and of the rows so far. A later row may name that petId: see `retryAfter`.
 */
export class RowMatcher {
  /** The line of each code so far. */
  readonly #lines = new Map<string, number>();
  /** Runs of petIds that new pets got, ascending: the first of each, and the last. */
  readonly #made: { readonly first: bigint; last: bigint }[] = [];
  readonly #after: bigint;
  #nextId: bigint | undefined;
  #greatest = 0n;
  #isTaken = false;

  /** @param after The petIds of new pets are greater than this one. */
  constructor(after = 0n) {
    this.#after = after;
  }

  /**
   * The greatest petId that the file names, if a row names one that a new pet of an earlier row got: another matcher, with
   * this value, gives new pets others. Known after the last row.
   */
  get retryAfter(): bigint | undefined {
    return this.#isTaken ? this.#greatest : undefined;
  }

  /** @returns The row with its pet, or what is wrong with it. */
  match(row: FileRow, line: number, { owners, newestId }: CodeFacts): PetRow | UnmatchedRow {
    const codes = codesOfRow(row);
    this.#nextId ??= greater(newestId ?? 0n, this.#after) + 1n;
    if (row.petId !== undefined) this.#noteId(row.petId, this.#nextId);
    for (const code of codes) {
      const earlierLine = this.#lines.get(keyText(code));
      if (earlierLine !== undefined) {
        const values = { code: shownValue(code.typed), earlierLine };
        return { field: code.field, problem: importProblem('repeated_code', values) };
      }
      this.#lines.set(keyText(code), line);
    }
    return row.petId === undefined
      ? this.#byCode(row, codes, owners)
      : set({ ...row, petId: row.petId }, codes, owners);
  }

  /** Notes a petId that the file names. */
  #noteId(petId: bigint, nextId: bigint): void {
    this.#greatest = greater(this.#greatest, petId);
    if (petId >= nextId) this.#nextId = this.#greatest + 1n;
    else if (!this.#isTaken) this.#isTaken = this.#isMade(petId);
  }

  #isMade(petId: bigint): boolean {
    let [low, high] = [0, this.#made.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#made[middle]?.last ?? 0n) < petId) low = middle + 1;
      else high = middle;
    }
    const run = this.#made[low];
    return run !== undefined && run.first <= petId;
  }

  #byCode(row: FileRow, codes: readonly RowCode[], owners: CodeFacts['owners']): PetRow | UnmatchedRow {
    const field = codes.some((code) => code.field === 'sku') ? 'sku' : 'barcodes';
    const naming = codes.filter((code) => code.field === field);
    const pets = [...new Set(naming.flatMap((code) => owners.get(keyText(code)) ?? []))];
    const [petId, otherId] = pets;
    if (petId !== undefined && otherId !== undefined) {
      return { field, problem: importProblem('codes_of_two_pets', { petId, otherId }) };
    }
    if (petId === undefined) return this.#newPet(row, codes, owners);
    const { sku = null, barcodes = null } = row.codes ?? {};
    const kept = field === 'sku' ? { sku: null, barcodes } : { sku, barcodes: null };
    const { codes: _codes, ...rest } = row;
    const hasOther = kept.sku !== null || kept.barcodes !== null;
    const others = codes.filter((code) => code.field !== field);
    const namedBy = naming.map(({ kind, code }) => ({
      kind,
      code,
      isOwned: owners.has(keyText({ kind, code })),
    }));
    return set({ ...rest, petId, namedBy, ...(hasOther && { codes: kept }) }, others, owners);
  }

  #newPet(row: FileRow, codes: readonly RowCode[], owners: CodeFacts['owners']): PetRow | UnmatchedRow {
    const petId = this.#nextId ?? 1n;
    if (petId > MAX_INT64) return { field: 'petId', problem: importProblem('no_pet_id_left') };
    const found = set({ ...row, petId, namedBy: [] }, codes, owners);
    if ('problem' in found) return found;
    this.#nextId = petId + 1n;
    const run = this.#made.at(-1);
    if (run?.last === petId - 1n) run.last = petId;
    else this.#made.push({ first: petId, last: petId });
    return found;
  }
}

const greater = (a: bigint, b: bigint) => (a > b ? a : b);

/**
 * How many new pets may have a mistyped code: all that only a code names, where more rows found their pets by one.
 * @param found The rows of pets that are there.
 */
export function doubtfulPets(created: number, found: number): number {
  return found > created ? created : 0;
}

/** The row, unless another pet has one of the codes that it sets. */
function set(row: PetRow, codes: readonly RowCode[], owners: CodeFacts['owners']): PetRow | UnmatchedRow {
  for (const code of codes) {
    const petId = owners.get(keyText(code));
    if (petId === undefined || petId === row.petId) continue;
    const values = { code: shownValue(code.typed), petId };
    return { field: code.field, problem: importProblem('code_in_use', values) };
  }
  return row;
}
