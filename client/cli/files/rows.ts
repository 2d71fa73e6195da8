import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { barcodeKey } from '@petstore-inventory/shared/barcodes';
import { importProblem } from '@petstore-inventory/shared/pet-file/import-problems';
import type { PetRow, FileRow as ReadRow } from '@petstore-inventory/shared/pet-file/pet-row';
import { MappingFileError, parseMapping, readingOf } from '@petstore-inventory/shared/pet-file/mapping';
import { readPets, type RowProblem } from '@petstore-inventory/shared/pet-file/read';
import { describeFacts, type Reading } from '@petstore-inventory/shared/pet-file/reading';
import { PetFileError } from '@petstore-inventory/shared/pet-file/refused-file';
import { safe } from '@petstore-inventory/shared/terminal/safe-text';
import { shownValue } from '@petstore-inventory/shared/shown-value';
import type { ImportFormat } from '@petstore-inventory/shared/words';
import type { FileOptions } from '@petstore-inventory/shared/terminal/file-options';
import type { CatalogPet, PetStatus } from '../../src/index.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandFailure } from '../failure.ts';
import type { Run } from '../run.ts';

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

/**
 * Reads a file as `petstore-server pets import` does. Pets that only a code names are found in the catalog, which is read
 * as a whole: a request for a thousand pets, not one for each row.
 * @throws CommandFailure that names lines and fields
 */
export async function readRows(
  { client, request, wait }: Pick<Run, 'client' | 'request' | 'wait'>,
  file: string,
  isAdding: boolean,
  options: FileOptions & { readonly mapping?: string } = {},
): Promise<FileRows> {
  const { format, goodRows } = options;
  const given = readingOptions(options);
  try {
    const reading = readPets(file, {
      mode: isAdding ? 'add' : 'set',
      ...given,
      format,
    });
    if (!goodRows || reading.read.length === 0) reading.requireGood();
    const owners: Owners = new Map();
    if (reading.read.some(({ row }) => row.petId === undefined)) {
      await wait('Reading the catalog', async () => {
        for await (const pet of client.catalog.list({ limit: PETS_PER_PAGE }, request)) addCodes(owners, pet);
      });
    }
    reading.match(({ row }) => matched(row, owners));
    if (!goodRows || reading.pets.length === 0) reading.requireGood();
    const pets = reading.pets.map(({ row }) => row);
    const has = {
      name: pets.some(({ name }) => name !== null),
      category: pets.some(({ category }) => category !== null),
      codes: pets.some(({ codes }) => codes !== undefined),
      thresholds: pets.some(({ thresholds }) => thresholds !== undefined),
      supplier: pets.some(({ supplier }) => supplier !== undefined),
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

/** How the file is read: by the options, then by the mapping of a file. @throws CommandFailure */
function readingOptions(options: FileOptions & { readonly mapping?: string }): Reading {
  const { ignore = [], column, decimal, encoding, sheet, mapping: file } = options;
  const given = { ignored: [...FAULT_COLUMNS, ...ignore], columns: column, decimal, encoding, sheet };
  if (file === undefined) return given;
  try {
    return readingOf(parseMapping(readMapping(file)), given);
  } catch (error) {
    if (!(error instanceof MappingFileError)) throw error;
    throw new CommandFailure(
      `${safe(file)}: ${error.message} Write it with petstore-server pets mappings show NAME --json.`,
      EXIT.wrongUsage,
      error,
    );
  }
}

const MAX_MAPPING_BYTES = 1_000_000;

function readMapping(file: string): string {
  try {
    if (statSync(file).size > MAX_MAPPING_BYTES) throw new MappingFileError('the file is too large.');
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof MappingFileError) throw error;
    throw new MappingFileError('it cannot be read; give the file of a mapping.', { cause: error });
  }
}

/** The pets that have a code. */
type Owners = Map<string, bigint>;

const PETS_PER_PAGE = 1_000;

function addCodes(owners: Owners, { petId, sku, barcodes }: CatalogPet): void {
  if (sku !== null) owners.set(skuName(sku), petId);
  for (const barcode of barcodes) owners.set(barcodeName(barcode), petId);
}

const skuName = (sku: string) => `sku ${sku.normalize('NFC')}`;
const barcodeName = (barcode: string) => `barcode ${barcodeKey(barcode)}`;

/** A row with its pet, which its SKU names, or without one its barcodes. */
function matched(row: ReadRow, owners: Owners): PetRow | RowProblem {
  const { petId, codes, ...rest } = row;
  if (petId !== undefined) return { ...row, petId };
  const { sku = null, barcodes = null } = codes ?? {};
  const field = sku === null ? 'barcodes' : 'sku';
  const names = sku === null ? (barcodes ?? []).map(barcodeName) : [skuName(sku)];
  const [found, other] = new Set(names.flatMap((name) => owners.get(name) ?? []));
  if (found === undefined) {
    const code = shownValue(sku ?? barcodes?.join(', ') ?? '');
    return { field, problem: importProblem('unknown_code', { code }) };
  }
  if (other === undefined) return { ...rest, petId: found };
  return { field, problem: importProblem('codes_of_two_pets', { petId: found, otherId: other }) };
}

function digestOf(rows: readonly FileRow[]): string {
  const hash = createHash('sha256');
  for (const { petId, quantity, status } of rows) hash.update(`${petId},${quantity},${status}\n`);
  return hash.digest('hex');
}
