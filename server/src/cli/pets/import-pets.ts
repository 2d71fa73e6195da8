import { type MappedColumn, PET_FIELDS } from '@petstore-inventory/shared/pet-file/headings';
import { type MappingValues, mappingNameFault, readingOf } from '@petstore-inventory/shared/pet-file/mapping';
import type { ReadPets } from '@petstore-inventory/shared/pet-file/read';
import { describeFacts, type FileFacts, type Reading } from '@petstore-inventory/shared/pet-file/reading';
import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import { restFileOf } from '@petstore-inventory/shared/pet-file/rest-file';
import { STANDARD_INPUT, shownFile } from '@petstore-inventory/shared/pet-file/shown-file';
import { shownValue } from '@petstore-inventory/shared/shown-value';
import { safe } from '@petstore-inventory/shared/terminal/safe-text';
import { type FileOptions, withFileOptions } from '@petstore-inventory/shared/terminal/file-options';
import { Progress, withProgress } from '@petstore-inventory/shared/terminal/progress';
import { isSameFile } from '@petstore-inventory/shared/terminal/whole-file';
import { count, thousands } from '@petstore-inventory/shared/terminal/texts';
import type { ImportMode } from '@petstore-inventory/shared/words';
import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import { requireRightClock } from '../../domain/actions/clock.ts';
import type { AdminStore, ImportResult } from '../../domain/admin-store.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { ImportRow, PetValues } from '../../domain/management/imports.ts';
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import { requireMapping, unknownMapping } from '../../domain/management/import-mappings.ts';
import { codeKeysOf, doubtfulPets, RowMatcher } from '../../domain/management/row-matcher.ts';
import { addCommand } from '../command.ts';
import {
  acceptanceOf,
  type ClockOptions,
  type DryRunOption,
  dryRunOutput,
  withAcceptClock,
  withDryRun,
} from '../options.ts';
import { type Output, runCommand } from '../output.ts';
import { serviceSettings, withDatabase } from '../with-database.ts';
import { writeFile } from '../file-target.ts';

/** The author that the ledger records for a change by the command line. */
const ACTOR = 'cli';

/** Adds the import of files of pets. */
export function addImport(pets: Command): void {
  const importing = addCommand(pets, 'import', {
    summary: 'create and update pets from a file, all or none, or the good rows',
    notes:
      `The file is CSV with a header, .xlsx, a JSON array or NDJSON; - is standard input. Its fields are ${PET_FIELDS.join(', ')}.\n` +
      'CSV may have commas, semicolons, tabs or bars, and be UTF-8, UTF-16 or Windows-1252. Known headings in English and German are read, such as EAN or Bestand.\n' +
      'A row is of the pet with its petId; without one, of that with its sku, or of that with its barcodes. A code that no pet has makes a new pet.\n' +
      'Pets that are not in the file do not change, nor does a value whose field is empty, null or missing.\n' +
      'With --add, quantities are added to those of the pets; negative ones take units away.\n' +
      'A row with lowStockAt sets both thresholds. The text none as lowStockAt removes them: the default applies.\n' +
      'A supplier sets who sells the pet; what is ordered of it stays. The text none removes it.',
    example: 'pets import pets.csv',
  });
  withFileOptions(withDryRun(withAcceptClock(importing), 'the pets that would change'))
    .argument('<file>', 'a .csv, .tsv, .xlsx, .json, .ndjson or .jsonl file, or - for standard input')
    .option('--mapping <name>', 'read the columns by this remembered mapping; pets mappings list shows them')
    .option('--save-mapping <name>', 'remember under this name how the columns of this file are read')
    .option('--add', 'add the quantities to those of the pets, instead of replacing them')
    .action((file: string, options: ClockOptions & DryRunOption & ModeOption, command: Command) =>
      runCommand(command, async (config) => {
        if (options.dryRun) {
          return withProgress(command, (progress) => planPetFile(config, file, options, progress));
        }
        const { created, changed, unchanged, doubtful, leftOut, badRows, facts } = await withProgress(
          command,
          (progress) => importPetFile(config, file, { ...options, progress }),
        );
        const left = badRows
          ? [`${count(badRows.count, 'row')} left out, and written to ${safe(badRows.file)}:`]
          : [];
        const isPartial = options.goodRows === true;
        return {
          value: {
            created,
            changed,
            unchanged,
            ...(doubtful > 0 && { newPetsToCheck: doubtful }),
            ...factsJson(facts),
            ...(isPartial && { leftOut: badRows?.count ?? 0, badRowsFile: badRows?.file ?? null }),
          },
          text: [
            `${count(created + changed + unchanged, 'pet')} imported from ${shownFile(file)}: ${thousands(created)} new, ${thousands(changed)} changed, ${thousands(unchanged)} unchanged.`,
            ...factLines(facts),
            ...doubtLines(doubtful),
            ...(options.saveMapping ? [`The mapping ${safe(options.saveMapping)} is remembered.`] : []),
            ...left,
            ...leftOut,
          ].join('\n'),
        };
      }),
    );
}

interface ModeOption extends FileOptions {
  readonly add?: boolean;
  readonly mapping?: string;
  readonly saveMapping?: string;
}

function modeOf({ add }: ModeOption): ImportMode {
  return add ? 'add' : 'set';
}

/** How the file is read: by the options, then by a remembered mapping. */
async function readingOptions(config: Config, options: ModeOption): Promise<Reading> {
  const { ignore, column, decimal, encoding, sheet, mapping: name, saveMapping } = options;
  if (saveMapping !== undefined) requireName(saveMapping);
  const given = { ignored: ignore, columns: column, decimal, encoding, sheet };
  if (name === undefined) return given;
  requireName(name);
  const find = async ({ importMappings }: AdminStore) => importMappings.find(name);
  const mapping = await withDatabase(config, find, { sample: 'accept' });
  if (mapping === undefined) throw unknownMapping(name);
  return readingOf(mapping, given);
}

function requireName(name: string): void {
  const fault = mappingNameFault(name);
  if (fault !== undefined) throw new OperatorError(`The name ${shownValue(name)} ${fault}`);
}

/** What a mapping remembers of a file. */
function mappingOf(reading: ReadPets, { ignored = [], columns, encoding, sheet }: Reading): MappingValues {
  const leftOut = ignored.map((heading): MappedColumn => ({ heading, field: null }));
  return {
    columns: reading.columns ?? [...(columns ?? []), ...leftOut],
    decimal: reading.facts.decimal,
    encoding: encoding ?? null,
    sheet: sheet ?? null,
  };
}

async function saveMapping(
  { importMappings }: AdminStore,
  reading: ReadPets,
  given: Reading,
  { saveMapping: name }: ModeOption,
): Promise<void> {
  if (name === undefined) return;
  const mapping = mappingOf(reading, given);
  requireMapping({ ...mapping, name });
  await importMappings.set(name, mapping, CLI_AUTHOR);
}

interface ImportOptions extends ClockOptions, ModeOption {
  readonly progress?: Progress;
  /** Whether a database with sample data is refused, as it is by default. */
  readonly sample?: 'accept' | 'refuse';
}

/** What an import did, with the rows that it left out. */
interface FileResult extends ImportResult {
  readonly facts: FileFacts;
  /** New pets whose code may be mistyped. */
  readonly doubtful: number;
  readonly leftOut: readonly string[];
  readonly badRows: { readonly count: number; readonly file: string } | undefined;
}

/** Imports a file of pets. The file is read and checked before the database is opened. */
export async function importPetFile(
  config: Config,
  file: string,
  options: ImportOptions = {},
): Promise<FileResult> {
  const { progress = new Progress(undefined), sample = 'refuse' } = options;
  progress.show(`Reading ${shownFile(file)}`);
  const { maxQuantity } = await serviceSettings(config);
  const given = await readingOptions(config, options);
  const reading = await readFile(file, { ...options, given }, maxQuantity);
  const work = async (store: AdminStore) => {
    await requireRightClock(store, acceptanceOf(options));
    await matchRows(store, reading, options);
    await refuseSums(store, reading, options, maxQuantity);
    const badRows = keepBadRows(file, reading, options);
    await saveMapping(store, reading, given, options);
    const rows = reading.pets.map(({ row }) => row);
    progress.show(`Importing ${count(rows.length, 'pet')}`, rows.length);
    const sums = options.add ? { maxQuantity } : undefined;
    const result = await store.importPets(progress.count(rows), ACTOR, undefined, sums);
    const doubtful = doubtfulOf(rows);
    return { ...result, doubtful, leftOut: reading.faultLines, badRows, facts: reading.facts };
  };
  return withDatabase(config, work, { sample });
}

/** New pets whose code may be mistyped, of the rows that only a code names. */
function doubtfulOf(rows: readonly PetRow[]): number {
  const named = rows.filter(({ namedBy }) => namedBy !== undefined);
  const created = named.filter(({ namedBy }) => namedBy?.length === 0).length;
  return doubtfulPets(created, named.length - created);
}

function doubtLines(doubtful: number): readonly string[] {
  return doubtful === 0 ? [] : [`${count(doubtful, 'new pet')} made by a code: check for mistyped codes.`];
}

interface FileReading extends ModeOption {
  readonly given: Reading;
}

async function readFile(file: string, options: FileReading, maxQuantity: number): Promise<ReadPets> {
  // Every command loads this module, the service too, and few read a workbook.
  const { readPets } = await import('@petstore-inventory/shared/pet-file/read');
  const { format, given } = options;
  const reading = readPets(file, { ...given, format, maxQuantity, mode: modeOf(options) });
  if (!options.goodRows || reading.read.length === 0) reading.requireGood();
  return reading;
}

/** Finds the pets of the rows by their codes. */
async function matchRows({ importJobs }: AdminStore, reading: ReadPets, options: ModeOption): Promise<void> {
  const facts = await importJobs.findCodes(codeKeysOf(reading.read));
  const first = new RowMatcher();
  for (const { row, line } of reading.read) first.match(row, line, facts);
  const matcher = new RowMatcher(first.retryAfter);
  reading.match(({ row, line }) => matcher.match(row, line, facts));
  requireRows(reading, options);
}

/** @throws RefusedFile if a row is wrong, unless it may be left out and others are good */
function requireRows(reading: ReadPets, { goodRows }: ModeOption): void {
  if (!goodRows || reading.pets.length === 0) reading.requireGood();
}

/** Refuses rows that cannot be added to the stock. A sale may still be faster: then the import refuses the file. */
async function refuseSums(
  { importJobs }: AdminStore,
  reading: ReadPets,
  options: ModeOption,
  maxQuantity: number,
): Promise<void> {
  if (!options.add) return;
  const sums = new Map<bigint, number>();
  for (let start = 0; start < reading.pets.length; start += ROWS_PER_BATCH) {
    const rows = reading.pets.slice(start, start + ROWS_PER_BATCH).map(({ row }) => row);
    for (const { petId, found } of await importJobs.findWrongSums(rows, maxQuantity)) sums.set(petId, found);
  }
  reading.refuseSums(sums);
  requireRows(reading, options);
}

/** Writes the rows that are left out, before the others are imported. */
function keepBadRows(file: string, reading: ReadPets, { badRows }: ModeOption): FileResult['badRows'] {
  if (reading.wrongRowCount === 0) return undefined;
  const target = badRows ?? restFileOf(file === STANDARD_INPUT ? 'stdin.csv' : file, reading.format);
  if (isSameFile(file, target)) {
    throw new OperatorError(
      `--bad-rows names ${safe(file)} itself; name another file. Nothing was imported.`,
    );
  }
  writeFile(target, reading.badRows);
  return { count: reading.wrongRowCount, file: target };
}

const ROWS_PER_BATCH = 2_000;
const MAX_SHOWN = 10;

/** Compares a file of pets with the stock. Returns the counts and the first differences. */
async function planPetFile(
  config: Config,
  file: string,
  options: ModeOption,
  progress: Progress,
): Promise<Output> {
  progress.show(`Reading ${shownFile(file)}`);
  const { maxQuantity } = await serviceSettings(config);
  const mode = modeOf(options);
  const given = await readingOptions(config, options);
  const reading = await readFile(file, { ...options, given }, maxQuantity);
  const shown: ImportRow[] = [];
  const counts = { created: 0, changed: 0 };
  const compare = async (store: AdminStore) => {
    await matchRows(store, reading, options);
    await refuseSums(store, reading, options, maxQuantity);
    const rows = reading.pets;
    for (let start = 0; start < rows.length; start += ROWS_PER_BATCH) {
      progress.report('Comparing pets', start, rows.length);
      const differing = await store.importJobs.compare(rows.slice(start, start + ROWS_PER_BATCH), { mode });
      for (const row of differing) {
        counts[row.effect === 'new' ? 'created' : 'changed'] += 1;
        if (shown.length < MAX_SHOWN) shown.push(row);
      }
    }
  };
  await withDatabase(config, compare, { sample: 'refuse' });
  const { pets, wrongRowCount: leftOut } = reading;
  const doubtful = doubtfulOf(pets.map(({ row }) => row));
  const unchanged = pets.length - counts.created - counts.changed;
  const hidden = counts.created + counts.changed - shown.length;
  return dryRunOutput(
    {
      ...counts,
      unchanged,
      ...(doubtful > 0 && { newPetsToCheck: doubtful }),
      ...factsJson(reading.facts),
      ...(options.goodRows && { leftOut }),
      differences: shown.map(differenceJson),
    },
    [
      `${count(pets.length, 'pet')} in ${shownFile(file)}: ${thousands(counts.created)} new, ${thousands(counts.changed)} to change, ${thousands(unchanged)} unchanged.`,
      ...factLines(reading.facts),
      ...doubtLines(doubtful),
      ...shown.map(describeDifference),
      ...(hidden > 0 ? [`  … and ${thousands(hidden)} more`] : []),
      ...(leftOut > 0 ? [`${count(leftOut, 'row')} left out:`, ...reading.faultLines] : []),
    ].join('\n'),
  );
}

function factsJson(facts: FileFacts): { readonly reading?: FileFacts } {
  return describeFacts(facts) === undefined ? {} : { reading: facts };
}

function factLines(facts: FileFacts): readonly string[] {
  const sentence = describeFacts(facts);
  return sentence === undefined ? [] : [safe(sentence)];
}

function differenceJson({ petId, effect, before, after }: ImportRow): object {
  return { petId, effect, before, after };
}

function describeDifference({ petId, before, after }: ImportRow): string {
  const fields = Object.keys(after ?? {}) as (keyof PetValues)[];
  const changes = fields
    .filter((field) => shown(after?.[field]) !== shown(before?.[field]))
    .map((field) =>
      before === null
        ? `${field} ${shown(after?.[field])}`
        : `${field} ${shown(before[field])} -> ${shown(after?.[field])}`,
    );
  return `  ${before === null ? 'new' : 'changed'} pet ${petId}: ${changes.join(', ')}`;
}

function shown(value: PetValues[keyof PetValues] | undefined): string {
  const isNone = value === null || value === undefined || (Array.isArray(value) && value.length === 0);
  return isNone ? 'none' : JSON.stringify(value);
}
