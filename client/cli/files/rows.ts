import { createHash } from 'node:crypto';
import { readPets } from '@petstore-inventory/shared/pet-file/read';
import { describeFacts } from '@petstore-inventory/shared/pet-file/reading';
import { PetFileError } from '@petstore-inventory/shared/pet-file/refused-file';
import type { ImportFormat } from '@petstore-inventory/shared/words';
import type { FileOptions } from '@petstore-inventory/shared/terminal/file-options';
import type { PetStatus } from '../../src/index.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandFailure } from '../failure.ts';

/** Columns of the file of refused rows, which can be imported again. */
export const FAULT_COLUMNS = ['code', 'message'] as const;

/** A row of a file: a quantity to set, or with `--add` units to add. */
export interface FileRow {
  readonly petId: bigint;
  readonly quantity: number;
  /** `null`: the status stays. */
  readonly status: PetStatus | null;
}

export interface FileRows {
  readonly rows: readonly FileRow[];
  /** Columns with values that an API key cannot change. */
  readonly ignored: readonly string[];
  /** Names the content. The file is not read again: it may be a pipe, or may have changed. */
  readonly digest: string;
  /** The rows that are left out, with what is wrong with them. */
  readonly bad: { readonly count: number; readonly lines: readonly string[]; readonly text: string };
  readonly format: ImportFormat;
  /** What is not plain about the file. */
  readonly facts: string | undefined;
}

/** Reads a file as `petstore-server pets import` does. @throws CommandFailure that names lines and fields */
export function readRows(
  file: string,
  isAdding: boolean,
  { format, ignore = [], decimal, encoding, sheet, goodRows }: FileOptions = {},
): FileRows {
  try {
    const reading = readPets(file, {
      mode: isAdding ? 'add' : 'set',
      ignored: [...FAULT_COLUMNS, ...ignore],
      format,
      decimal,
      encoding,
      sheet,
    });
    if (!goodRows || reading.pets.length === 0) reading.requireGood();
    const pets = reading.pets.map(({ row }) => row);
    const has = {
      name: pets.some(({ name }) => name !== null),
      category: pets.some(({ category }) => category !== null),
      thresholds: pets.some(({ thresholds }) => thresholds !== undefined),
      status: isAdding && pets.some(({ status }) => status !== null),
    };
    const rows = pets.map(({ petId, quantity, status }) => ({
      petId,
      quantity,
      status: isAdding ? null : status,
    }));
    return {
      rows,
      ignored: Object.entries(has).flatMap(([column, isThere]) => (isThere ? [column] : [])),
      digest: digestOf(rows),
      bad: { count: reading.wrongRowCount, lines: reading.faultLines, text: reading.badRows },
      format: reading.format,
      facts: describeFacts(reading.facts),
    };
  } catch (error) {
    if (!(error instanceof PetFileError)) throw error;
    throw new CommandFailure(error.message, EXIT.wrongUsage, error);
  }
}

function digestOf(rows: readonly FileRow[]): string {
  const hash = createHash('sha256');
  for (const { petId, quantity, status } of rows) hash.update(`${petId},${quantity},${status}\n`);
  return hash.digest('hex');
}
