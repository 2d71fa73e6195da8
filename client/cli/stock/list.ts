import { parseUnits } from '@petstore-inventory/shared/terminal/arguments';
import { parseLimit } from '@petstore-inventory/shared/terminal/list-limit';
import type { Paint } from '@petstore-inventory/shared/terminal/paint';
import { type StockFilterOptions, withStockFilters } from '@petstore-inventory/shared/terminal/stock-filters';
import { tableLines } from '@petstore-inventory/shared/terminal/table';
import { thousands } from '@petstore-inventory/shared/terminal/texts';
import { type Command, Option } from 'commander';
import type { InventoryItem, ListInventoryQuery } from '../../src/index.ts';
import { parsePast } from '../arguments.ts';
import { addCommand, JSON_LINES } from '../command.ts';
import type { Context } from '../context.ts';
import { LIST_TIMEOUT_MS, type Run, runCommand } from '../run.ts';

/** The most items of a page. */
const MAX_PAGE = 1_000;

/** Options that select the moment of a list. */
export interface MomentOptions {
  readonly asOf?: Date;
  readonly atSequence?: number;
}

interface ListOptions extends MomentOptions, StockFilterOptions<Date> {
  readonly limit?: number;
}

/** Adds the list of the stock. */
export function addList(program: Command, context: Context): void {
  withStockFilters(
    withMoment(
      addCommand(program, 'list', {
        summary: 'list the stock of all pets',
        notes: 'Without --limit the list is one request, however long it is, and is the stock of one moment.',
        json: JSON_LINES,
        examples: ['list', 'list --alert low,out --limit 20', 'list --pet 7,42 --json', 'list --as-of 7d'],
      }),
    ),
    parsePast,
  )
    .option('--limit <n>', 'at most this many pets', parseLimit)
    .addOption(new Option('--all', 'all pets, as without --limit').conflicts('limit'))
    .action((options: ListOptions, command: Command) =>
      runCommand(context, command, async (run) => {
        const items = await run.wait('Reading the stock', () => readStock(run, options));
        await run.printer.list(items, () =>
          items.length === 0 ? ['No pets match.'] : linesOf(items, run.printer.paint),
        );
      }),
    );
}

/** Adds the options of a past moment. */
export function withMoment(command: Command): Command {
  return command
    .option('--as-of <time>', 'the stock at this UTC time, or before 90m, 7d, …', parsePast)
    .addOption(
      new Option('--at-sequence <n>', 'the stock after this movement')
        .argParser(parseUnits)
        .conflicts('asOf'),
    );
}

async function readStock(
  { client, request }: Pick<Run, 'client' | 'request'>,
  options: ListOptions,
): Promise<readonly InventoryItem[]> {
  const { limit } = options;
  if (limit === undefined) {
    return client.listInventory(queryOf(options), { ...request, timeoutMs: LIST_TIMEOUT_MS });
  }
  const query = { ...queryOf(options), limit: Math.min(limit, MAX_PAGE) };
  const items: InventoryItem[] = [];
  for await (const page of client.listInventory(query, request).pages()) {
    items.push(...page);
    if (items.length >= limit) break;
  }
  return items.slice(0, limit);
}

/** The query of a list, without its pages. */
function queryOf(options: ListOptions): ListInventoryQuery {
  const { petId, status, alert, quantityGte, quantityLte, availableLte, updatedSince } = options;
  const { asOf, atSequence } = options;
  return {
    petId,
    status,
    alert,
    quantityGte,
    quantityLte,
    availableLte,
    updatedSince,
    asOf,
    atSequence,
  };
}

function linesOf(items: readonly InventoryItem[], paint: Paint): Iterable<string> {
  const rows = items.map(({ petId, quantity, status }) => [
    `${petId}`,
    thousands(quantity),
    paint.state(status),
  ]);
  return tableLines(['PET', 'QUANTITY', 'STATUS'], rows, paint);
}
