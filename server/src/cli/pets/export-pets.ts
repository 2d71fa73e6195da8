import { csvInside } from '@petstore-inventory/shared/terminal/csv-inside';
import { type Progress, withProgress } from '@petstore-inventory/shared/terminal/progress';
import { count } from '@petstore-inventory/shared/terminal/texts';
import {
  EXPORT_COLUMNS,
  EXPORT_FORMATS,
  EXPORT_SEPARATORS,
  type ExportColumn,
  type ExportFormat,
  type ExportSeparator,
} from '@petstore-inventory/shared/words';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Config, readConfig } from '../../config.ts';
import type { AdminStore } from '../../domain/admin-store.ts';
import { OperatorError } from '../../domain/errors.ts';
import { type ExportQuery, exportFrame, sheetFault } from '../../domain/management/pet-export.ts';
import { workbookFile } from '../../wire/workbook-file.ts';
import { addCommand } from '../command.ts';
import { STANDARD_OUTPUT, writePieces } from '../file-target.ts';
import { type Output, runCommand } from '../output.ts';
import { withDatabase } from '../with-database.ts';
import { filterOf, type FilterOptions, withFilters } from './list-pets.ts';

interface ExportOptions extends FilterOptions {
  readonly query?: string;
  readonly format?: ExportFormat;
  readonly columns?: readonly ExportColumn[];
  readonly separator?: ExportSeparator;
}

/** Adds the export of a file of pets. */
export function addExport(pets: Command): void {
  const exporting = addCommand(pets, 'export', {
    summary: 'write pets to a file that pets import reads',
    notes:
      'Quantity and status are those of one moment, however long the export takes. An import of the file changes nothing.\n' +
      'In CSV a name or category that a spreadsheet would run as a formula begins with an apostrophe, which an import removes.',
    example: 'pets export pets.csv',
    json: 'print the result as one JSON value, and errors as {"error": "…", "errors": […]}; not with -',
  });
  withFilters(exporting)
    .addOption(
      new Option('--format <format>', 'by default that of the name of the file').choices(EXPORT_FORMATS),
    )
    .addOption(
      new Option(
        '--separator <name>',
        'between the fields of CSV for a spreadsheet, with the mark of UTF-8',
      ).choices(EXPORT_SEPARATORS),
    )
    .option(
      '--columns <names>',
      `the columns, with commas between them: ${EXPORT_COLUMNS.join(', ')}; by default all but sku, barcodes and supplier`,
      parseColumns,
    )
    .option('--query <words>', 'only pets with these words, or this code')
    .argument('[file]', 'a new or existing file; - is standard output', STANDARD_OUTPUT)
    .action(async (file: string, options: ExportOptions, command: Command) => {
      const format = options.format ?? formatOf(file);
      if (file === STANDARD_OUTPUT && command.opts().json) {
        return command.error('error: name a file with --json');
      }
      const { columns, separator, query } = options;
      const isChosen = options.format !== undefined || separator !== undefined;
      const fault = isChosen || format !== 'csv' ? undefined : csvInside(file, EXPORT_FORMATS);
      if (fault !== undefined) return command.error(`error: ${fault}`);
      const work = async (store: AdminStore, progress: Progress) => {
        const filter = await filterOf(store, options);
        const words = query === undefined || query.trim() === '' ? {} : { query };
        return exportTo(store, file, { ...filter, ...words, format, columns, separator }, progress);
      };
      return runExport(command, file, work);
    });
}

function parseColumns(text: string): readonly ExportColumn[] {
  const wanted = new Set(text.split(',').map((name) => name.trim()));
  const columns = EXPORT_COLUMNS.filter((name) => wanted.has(name));
  if (columns.length === wanted.size) return columns;
  throw new InvalidArgumentError(`Give some of ${EXPORT_COLUMNS.join(', ')}, with commas between them.`);
}

function formatOf(file: string): ExportFormat {
  const ending = file.slice(file.lastIndexOf('.') + 1).toLowerCase();
  if (ending === 'jsonl') return 'ndjson';
  return EXPORT_FORMATS.find((format) => format === ending) ?? 'csv';
}

type Work = (store: AdminStore, progress: Progress) => Promise<Output>;

/** Prints the result, except where the export itself is on standard output. */
async function runExport(command: Command, file: string, work: Work): Promise<void> {
  const run = (config: Config) =>
    withProgress(command, (progress) =>
      withDatabase(config, (store) => work(store, progress), { left: 'accept' }),
    );
  if (file === STANDARD_OUTPUT) await run(readConfig(process.env));
  else await runCommand(command, run);
}

async function exportTo(
  { pets }: AdminStore,
  file: string,
  query: Omit<ExportQuery, 'after' | 'sequence'>,
  progress: Progress,
): Promise<Output> {
  const all = await pets.count();
  const fault = await sheetFault(pets, query);
  if (fault !== undefined) throw new OperatorError(fault);
  let [sequence, written] = [0, 0];
  async function* texts(): AsyncGenerator<string> {
    const { begin, end } = exportFrame(query);
    yield begin;
    let read = 0;
    let part = await pets.exportPage(query);
    ({ sequence } = part);
    let isFirst = true;
    for (;;) {
      yield isFirst && query.format === 'json' ? part.text.slice(1) : part.text;
      isFirst &&= part.text === '';
      read += part.read;
      written += part.count;
      progress.report('Exporting pets', read, all);
      if (part.next === undefined) break;
      part = await pets.exportPage({ ...query, sequence, after: part.next });
    }
    yield end;
  }
  await writePieces(file, query.format === 'xlsx' ? workbookFile(texts()) : texts());
  return {
    value: { file, format: query.format, sequence, pets: written },
    text: `${count(written, 'pet')} exported to ${file}, as after movement ${sequence}.`,
  };
}
