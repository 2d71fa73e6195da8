import { parsePetIdArgument, parseTimeMs } from '@petstore-inventory/shared/terminal/arguments';
import { addGroup } from '@petstore-inventory/shared/terminal/commands';
import { csvInside } from '@petstore-inventory/shared/terminal/csv-inside';
import { safeJson } from '@petstore-inventory/shared/terminal/safe-text';
import { count } from '@petstore-inventory/shared/terminal/texts';
import {
  EXPORT_SEPARATORS,
  type ExportSeparator,
  REPORT_FORMATS,
  REPORT_GROUPINGS,
  type ReportFormat,
  type ReportGrouping,
  type ReportPer,
  REPORT_PERIODS,
} from '@petstore-inventory/shared/words';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Config, readConfig } from '../config.ts';
import { bigintAsDigits } from '../domain/bigint-json.ts';
import type { AdminStore } from '../domain/admin-store.ts';
import { dayBegin, isTimeZone } from '../domain/management/reports/calendar.ts';
import { movementBounds, movementRows } from '../domain/management/reports/movement-report.ts';
import { membersIn, reportTexts } from '../domain/management/reports/report-file.ts';
import { stockRows, stockSequence } from '../domain/management/reports/stock-report.ts';
import { varianceRows } from '../domain/management/reports/variance-report.ts';
import {
  EMPTY_MOVEMENTS,
  EMPTY_STOCK,
  EMPTY_VARIANCE,
  movementRowMembers,
  reportColumns,
  stockRowMembers,
  varianceRowMembers,
} from '../wire/report-json.ts';
import { workbookFile } from '../wire/workbook-file.ts';
import { addCommand } from './command.ts';
import { STANDARD_OUTPUT, writePieces } from './file-target.ts';
import { type Output, runCommand } from './output.ts';
import { type Moment, parsePastTime } from './parse-time.ts';
import { withDatabase } from './with-database.ts';

export interface FileOptions {
  readonly format?: ReportFormat;
  readonly separator?: ExportSeparator;
}

interface ReportOptions extends FileOptions {
  readonly by: ReportGrouping;
  readonly category?: string;
  readonly pet?: bigint;
}

interface StockOptions extends ReportOptions {
  readonly asOf?: Moment;
  readonly sequence?: number;
}

/** A bound of a period: a date begins in the time zone of the report. */
type Bound = (timeZone: string) => number;

interface PeriodOptions extends ReportOptions {
  readonly from?: Bound;
  readonly to?: Bound;
}

interface MovementOptions extends PeriodOptions {
  readonly per: ReportPer;
  readonly timeZone: string;
}

/** The rows of a report, as they are read. */
interface Rows {
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<readonly Readonly<Record<string, string | number | bigint | null>>[]>;
}

/** Adds the reports that are computed from the ledger. */
export function addReports(program: Command): void {
  const reports = addGroup(
    program,
    'report',
    'stock at a moment, movements per month or day, variance of stock-takes',
  );
  addStock(reports);
  addMovements(reports);
  addVariance(reports);
}

function addStock(reports: Command): void {
  addReport<StockOptions>(
    reports,
    {
      name: 'stock',
      summary: 'write the stock at a moment, as CSV or as a workbook',
      notes: 'Names and categories are those of now.',
      example: 'report stock --as-of 2026-11-01T00:00:00+01:00 stock.csv',
      by: 'category',
    },
    async (store, { by, asOf, sequence: given, ...filter }) => {
      const atMs = asOf?.(await store.now());
      const sequence = await stockSequence(store.reports, { atMs, sequence: given });
      const rows = stockRows(store.reports, { by, sequence, ...filterOf(filter) });
      return { columns: reportColumns(EMPTY_STOCK, by), rows: membersIn(rows, stockRowMembers) };
    },
  )
    .option('--as-of <time>', 'the stock at this time, or so long ago; by default now', parsePastTime)
    .addOption(
      new Option('--sequence <number>', 'the stock after this movement')
        .argParser(parseSequence)
        .conflicts('asOf'),
    );
}

function addMovements(reports: Command): void {
  withPeriod(
    addReport<MovementOptions>(
      reports,
      {
        name: 'movements',
        summary:
          'write the movements per month or day, kind and reason, with the units that they added and took',
        notes:
          'Months and days are those of the time zone in which a movement was recorded. Categories are those of now.',
        example: 'report movements --by category --from 2026-01-01 --time-zone Europe/Berlin',
        by: 'total',
      },
      async (store, { by, per, from, to, timeZone, ...filter }) => {
        const period = { fromMs: from?.(timeZone), toMs: to?.(timeZone) };
        const bounds = await movementBounds(store.reports, period);
        const rows = movementRows(store.reports, { by, per, timeZone, ...bounds, ...filterOf(filter) });
        return {
          columns: reportColumns(EMPTY_MOVEMENTS, by, per),
          rows: membersIn(rows, movementRowMembers),
        };
      },
    ),
    'movements recorded',
    'the time zone',
  )
    .addOption(new Option('--per <period>', 'what a row is of').choices(REPORT_PERIODS).default('month'))
    .addOption(
      new Option('--time-zone <zone>', 'of the months and days, such as Europe/Berlin or +02:00')
        .argParser(parseTimeZone)
        .default('UTC'),
    );
}

function addVariance(reports: Command): void {
  withPeriod(
    addReport<PeriodOptions>(
      reports,
      {
        name: 'variance',
        summary: 'write what stock-takes expected and counted',
        notes:
          'The newest stock-take comes first. surplus and shortage are the sums of pets with more, and with fewer.',
        example: 'report variance --by category --from 2026-01-01',
        by: 'total',
      },
      ({ stocktakes }, { by, from, to, ...filter }) => {
        const period = { fromMs: from?.('UTC'), toMs: to?.('UTC') };
        const rows = varianceRows(stocktakes, { by, ...period, ...filterOf(filter) });
        return { columns: reportColumns(EMPTY_VARIANCE, by), rows: membersIn(rows, varianceRowMembers) };
      },
    ),
    'stock-takes started',
    'UTC',
  );
}

interface Description {
  readonly name: string;
  readonly summary: string;
  readonly notes: string;
  readonly example: string;
}

function addReport<Options extends ReportOptions>(
  reports: Command,
  { by, ...description }: Description & { readonly by: ReportGrouping },
  rowsOf: (store: AdminStore, options: Options) => Rows | Promise<Rows>,
): Command {
  return addFileCommand(reports, description, rowsOf)
    .addOption(new Option('--by <grouping>', 'what rows are about').choices(REPORT_GROUPINGS).default(by))
    .option('--category <category>', 'only pets of exactly this category, by its words')
    .option('--pet <pet-id>', 'only this pet', parsePetIdArgument);
}

/** Adds a command that writes rows to a file, as CSV or as a workbook. */
export function addFileCommand<Options extends FileOptions>(
  group: Command,
  { name, ...description }: Description,
  rowsOf: (store: AdminStore, options: Options) => Rows | Promise<Rows>,
): Command {
  return addCommand(group, name, {
    ...description,
    json: 'write a JSON array of the rows, or with a file the result as one JSON value; errors as {"error": "…", "errors": […]}',
  })
    .addOption(
      new Option('--format <format>', 'by default that of the name of the file').choices(REPORT_FORMATS),
    )
    .addOption(
      new Option(
        '--separator <name>',
        'between the fields of CSV for a spreadsheet, with the mark of UTF-8',
      ).choices(EXPORT_SEPARATORS),
    )
    .argument('[file]', 'a new or existing file; - is standard output', STANDARD_OUTPUT)
    .action(async (file: string, given: Options, command: Command) => {
      const isChosen = given.format !== undefined || given.separator !== undefined;
      const { format = file.toLowerCase().endsWith('.xlsx') ? 'xlsx' : 'csv' } = given;
      const fault = isChosen || format !== 'csv' ? undefined : csvInside(file, REPORT_FORMATS);
      if (fault !== undefined) return command.error(`error: ${fault}`);
      const options = { ...given, format };
      const isJson = command.opts().json === true;
      const write = (config: Config) =>
        withDatabase(config, async (store) =>
          writeReport(file, await rowsOf(store, options), options, isJson),
        );
      if (file === STANDARD_OUTPUT) await write(readConfig(process.env));
      else await runCommand(command, write);
    });
}

/** Writes the rows as they are read. */
async function writeReport(
  file: string,
  { columns, rows }: Rows,
  { format, separator }: FileOptions & { readonly format: ReportFormat },
  isJson: boolean,
): Promise<Output> {
  let written = 0;
  const counted = (async function* () {
    for await (const part of rows) {
      written += part.length;
      yield part;
    }
  })();
  const texts =
    isJson && file === STANDARD_OUTPUT
      ? jsonTexts(counted)
      : reportTexts({ format, separator, columns }, counted);
  const isTable = format === 'xlsx' && !(isJson && file === STANDARD_OUTPUT);
  await writePieces(file, isTable ? workbookFile(texts) : texts);
  return { value: { file, format, rows: written }, text: `${count(written, 'row')} written to ${file}.` };
}

async function* jsonTexts(parts: Rows['rows']): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const part of parts) {
    for (const row of part) {
      yield `${separator}${safeJson(JSON.stringify(row, bigintAsDigits))}`;
      separator = ',\n';
    }
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

function filterOf({ category, pet }: Pick<ReportOptions, 'category' | 'pet'>) {
  return { category, petId: pet };
}

function withPeriod(command: Command, what: string, zone: string): Command {
  return command
    .option('--from <time>', `only ${what} from this time on; a date begins in ${zone}`, parseBound)
    .option('--to <time>', `only ${what} before this time`, parseBound);
}

function parseBound(text: string): Bound {
  const atMs = parseTimeMs(text);
  if (atMs === undefined) {
    throw new InvalidArgumentError('Give a time such as 2026-12-31T23:59:59Z, or a date.');
  }
  return text.includes('T') ? () => Math.ceil(atMs) : (timeZone) => dayBegin(text, timeZone);
}

function parseSequence(text: string): number {
  if (/^(?:0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Give the sequence of a movement, such as 4711.');
}

function parseTimeZone(text: string): string {
  if (isTimeZone(text)) return text;
  throw new InvalidArgumentError('Give a time zone such as UTC, Europe/Berlin or +02:00.');
}
