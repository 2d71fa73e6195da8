import { parsePetIdArgument, parseUnits } from '@petstore-inventory/shared/terminal/arguments';
import { addGroup } from '@petstore-inventory/shared/terminal/commands';
import { type LimitOptions, moreOf, mostOf, withLimit } from '@petstore-inventory/shared/terminal/list-limit';
import { parseAlertLevels } from '@petstore-inventory/shared/terminal/stock-filters';
import { thousands } from '@petstore-inventory/shared/terminal/texts';
import { ALERT_LEVELS, type AlertLevel, REORDER_FILTERS } from '@petstore-inventory/shared/words';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { requireRightClock } from '../../domain/actions/clock.ts';
import type { AdminStore } from '../../domain/admin-store.ts';
import { availableOf } from '../../domain/ledger/stock.ts';
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import { membersIn } from '../../domain/management/reports/report-file.ts';
import {
  isDay,
  outstandingOf,
  type ReorderChange,
  type ReorderQuery,
  type ReorderRow,
  reorderRows,
  suggestedOf,
} from '../../domain/management/reorders.ts';
import { REORDER_COLUMNS, reorderFields, reorderMembers } from '../../wire/reorder-json.ts';
import { addCommand } from '../command.ts';
import { acceptanceOf, type ClockOptions, withAcceptClock } from '../options.ts';
import { type Output, paint, shownTable } from '../output.ts';
import { addFileCommand, type FileOptions } from '../reports.ts';
import { databaseCommand } from '../with-database.ts';

const NONE = 'none';

interface FilterOptions extends Omit<ReorderQuery, 'alertLevels'> {
  readonly alert?: readonly AlertLevel[];
}

interface ListOptions extends FilterOptions, LimitOptions {}

interface ExportOptions extends FilterOptions, FileOptions {}

interface SetOptions extends ClockOptions {
  readonly supplier?: string;
  readonly ordered?: number | typeof NONE;
  /** A day, or `none`. */
  readonly expected?: string;
}

/** Adds the commands about what to order. */
export function addReorders(pets: Command): void {
  const reorders = addGroup(pets, 'reorders', 'what is low, and what is ordered of it');
  withFilters(
    withLimit(
      addCommand(reorders, 'list', {
        summary: 'list what to order, the most urgent pet first',
        notes:
          'SUGGESTED are the units that a pet needs to be low no more, besides those that are ON THE WAY.\n' +
          'Units arrive by any change of the stock with the reason received.',
        example: "pets reorders list --state to_order --supplier 'Zoo Wholesale'",
      }),
      'pets',
    ),
  ).action(databaseCommand(({ store }, options: ListOptions) => listReorders(store, options)));
  withFilters(
    addFileCommand<ExportOptions>(
      reorders,
      {
        name: 'export',
        summary: 'write what to order, as CSV or as a workbook',
        notes: 'The rows are those of pets reorders list, all of them.',
        example: "pets reorders export --supplier 'Zoo Wholesale' order.xlsx",
      },
      ({ reorders: store }, options) => ({
        columns: REORDER_COLUMNS,
        rows: membersIn(reorderRows(store, queryOf(options)), reorderFields),
      }),
    ),
  );
  withAcceptClock(
    addCommand(reorders, 'set', {
      summary: 'mark a pet as ordered, correct that, or set its supplier',
      notes:
        '--ordered none: the units were not ordered after all. A second --ordered corrects the first one, as long as units of it are on their way.',
      example: 'pets reorders set 42 --ordered 140 --expected 2026-12-03',
    }),
  )
    .argument('<pet-id>', 'the pet', parsePetIdArgument)
    .option('--ordered <n>', 'units that are ordered, or none', parseOrdered)
    .option('--expected <day>', 'the day on which they are expected, or none', parseDay)
    .option('--supplier <text>', 'who sells the pet; an empty text removes it')
    .action(
      databaseCommand(
        async ({ store }, petId: bigint, options: SetOptions) => {
          await requireRightClock(store, acceptanceOf(options));
          const row = await store.reorders.update(petId, changeOf(options), CLI_AUTHOR);
          return { value: reorderMembers(row), text: tableOf([row]) };
        },
        {
          check: (command, _petId, options) => {
            if (Object.values(changeOf(options)).every((value) => value === undefined))
              command.error('error: give --ordered, --expected or --supplier');
          },
        },
      ),
    );
}

function withFilters(command: Command): Command {
  return command
    .addOption(
      new Option('--state <state>', 'which pets of the list').choices(REORDER_FILTERS).default('all'),
    )
    .option('--supplier <text>', 'only pets of exactly this supplier; an empty text: of none', (text) =>
      text.trim(),
    )
    .option('--category <category>', 'only pets of exactly this category')
    .option(
      '--alert <levels>',
      `only pets of these alert levels: ${ALERT_LEVELS.join(',')}`,
      parseAlertLevels,
    );
}

function queryOf({ state, supplier, category, alert }: FilterOptions): ReorderQuery {
  return { state, supplier, category, alertLevels: alert };
}

async function listReorders(store: AdminStore, options: ListOptions): Promise<Output> {
  const limit = mostOf(options);
  const found: ReorderRow[] = [];
  for await (const rows of reorderRows(store.reorders, queryOf(options))) {
    for (const row of rows) found.push(row);
    if (found.length > limit) break;
  }
  const shown = found.slice(0, limit);
  const { state, supplier, category, alert } = options;
  const isWhole = state === 'all' && [supplier, category, alert].every((filter) => filter === undefined);
  const none = isWhole ? 'Nothing must be ordered.' : 'No pet of the reorder list matches.';
  const text = shown.length === 0 ? none : tableOf(shown);
  return { value: shown.map(reorderMembers), text, ...moreOf(found.length > limit, 'pets') };
}

function tableOf(rows: readonly ReorderRow[]): string {
  return shownTable(
    ['PET', 'NAME', 'SUPPLIER', 'ALERT', 'AVAILABLE', 'DAYS', 'SUGGESTED', 'ON THE WAY', 'EXPECTED'],
    rows.map((row) => [
      `${row.petId}`,
      row.name ?? '',
      row.supplier ?? '',
      paint.state(row.alertLevel ?? ''),
      thousands(availableOf(row)),
      row.daysOfStock === null ? '' : row.daysOfStock.toFixed(1),
      thousands(suggestedOf(row)),
      row.open ? thousands(outstandingOf(row)) : '',
      row.open?.expectedOn ?? '',
    ]),
  );
}

function changeOf({ supplier, ordered, expected }: SetOptions): ReorderChange {
  return {
    supplier,
    ordered: ordered === NONE ? null : ordered,
    expectedOn: expected === NONE ? null : expected,
  };
}

function parseOrdered(text: string): number | typeof NONE {
  if (text === NONE) return NONE;
  const units = parseUnits(text);
  if (units > 0) return units;
  throw new InvalidArgumentError('Give a whole number, 1 or more, or none.');
}

function parseDay(text: string): string {
  if (text === NONE || isDay(text)) return text;
  throw new InvalidArgumentError('Give a day such as 2026-12-03, or none.');
}
