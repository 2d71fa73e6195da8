import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AlertLevel, InventoryItem, ListInventoryQuery, PetStatus } from '../../src/index.ts';
import { parseDelta, parseNumber, parsePast, parsePetIds, parseSome, parseUnits } from '../arguments.ts';
import { addCommand, JSON_LINES } from '../command.ts';
import type { Context } from '../context.ts';
import { LIST_TIMEOUT_MS, type Run, runCommand } from '../run.ts';
import type { Paint } from '../terminal/paint.ts';
import { tableLines } from '../terminal/table.ts';
import { thousands } from '../terminal/texts.ts';
import { ALERT_LEVELS, PET_STATUSES } from '../words.ts';

/** The most items of a page. */
const MAX_PAGE = 1_000;
const MAX_PETS = 1_000;

/** Options that select the moment of a list. */
export interface MomentOptions {
  readonly asOf?: Date;
  readonly atSequence?: number;
}

interface ListOptions extends MomentOptions {
  readonly pet?: readonly bigint[];
  readonly status?: PetStatus;
  readonly alert?: readonly AlertLevel[];
  readonly minQuantity?: number;
  readonly maxQuantity?: number;
  readonly maxAvailable?: number;
  readonly since?: Date;
  readonly limit?: number;
}

/** Adds the list of the stock. */
export function addList(program: Command, context: Context): void {
  withMoment(
    addCommand(program, 'list', {
      summary: 'list the stock of all pets',
      notes: 'Without --limit the list is one request, however long it is, and is the stock of one moment.',
      json: JSON_LINES,
      examples: ['list', 'list --alert low,out --limit 20', 'list --pet 7,42 --json', 'list --as-of 7d'],
    }),
  )
    .option(
      '--pet <pet-ids>',
      `only these pets, with commas between them; up to ${MAX_PETS}`,
      parseListedPets,
    )
    .addOption(new Option('--status <status>', 'only pets of this status').choices(PET_STATUSES))
    .option(
      '--alert <levels>',
      `only pets of these levels: ${ALERT_LEVELS.join(',')}`,
      parseSome(ALERT_LEVELS),
    )
    .option('--min-quantity <n>', 'only pets with this many units or more', parseUnits)
    .option('--max-quantity <n>', 'only pets with this many units or fewer', parseUnits)
    .option('--max-available <n>', 'only pets with this many available units or fewer', parseDelta)
    .option(
      '--since <time>',
      'only pets changed at this UTC time or later, or in the last 90m, 7d, …',
      parsePast,
    )
    .option('--limit <n>', 'at most this many pets', parseNumber)
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

function parseListedPets(text: string, earlier?: readonly bigint[]): readonly bigint[] {
  const pets = parsePetIds(text, earlier);
  if (pets.length <= MAX_PETS) return pets;
  throw new InvalidArgumentError(`Give at most ${MAX_PETS} pets.`);
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
export function queryOf(options: ListOptions): ListInventoryQuery {
  const { pet, status, alert, minQuantity, maxQuantity, maxAvailable, since, asOf, atSequence } = options;
  return {
    petId: pet,
    status,
    alert,
    quantityGte: minQuantity,
    quantityLte: maxQuantity,
    availableLte: maxAvailable,
    updatedSince: since,
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
