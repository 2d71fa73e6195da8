import { parseLimit } from '@petstore-inventory/shared/terminal/list-limit';
import { ORDER_STATES, ORDER_STATUSES, type OrderState } from '@petstore-inventory/shared/words';
import { type Command, Option } from 'commander';
import type { ListOrdersQuery, Order, OrderStatus } from '../../src/index.ts';
import { parsePast } from '../arguments.ts';
import { addCommand, JSON_LINES } from '../command.ts';
import type { Context } from '../context.ts';
import { type Run, runCommand } from '../run.ts';
import { parsePet, PET, type PetArgument, petIdOf } from '../stock/pet-argument.ts';
import { orderLines } from './format-order.ts';

const DEFAULT_LIMIT = 20;
const MAX_PAGE = 100;

interface ListOptions {
  readonly status?: OrderStatus;
  readonly state?: OrderState;
  readonly pet?: PetArgument;
  readonly reference?: string;
  readonly since?: Date;
  readonly oldestFirst?: true;
  readonly limit: number;
  readonly all?: true;
}

/** Adds the list of orders. */
export function addOrderList(orders: Command, context: Context): void {
  addCommand(orders, 'list', {
    summary: 'list orders, newest first',
    json: JSON_LINES,
    examples: ['orders list', 'orders list --status placed --pet 42 --all'],
  })
    .addOption(new Option('--status <status>', 'only orders with this status').choices(ORDER_STATUSES))
    .addOption(
      new Option(
        '--state <state>',
        'only orders that expire within 15 minutes, or that are delivered in part',
      ).choices(ORDER_STATES),
    )
    .option('--pet <pet>', `only orders with a line of this pet: ${PET}`, parsePet)
    .option('--reference <text>', 'only orders with exactly this reference')
    .option(
      '--since <time>',
      'only orders placed at this UTC time or later, or in the last 90m, 7d, …',
      parsePast,
    )
    .option('--oldest-first', 'the oldest first')
    .option('--limit <n>', 'at most this many orders', parseLimit, DEFAULT_LIMIT)
    .addOption(new Option('--all', 'all orders').conflicts('limit'))
    .action((options: ListOptions, command: Command) =>
      runCommand(context, command, async (run) => {
        const petId = options.pet && (await petIdOf(run, options.pet));
        const most = options.all ? Number.POSITIVE_INFINITY : options.limit;
        const isChosen = command.getOptionValueSource('limit') === 'cli';
        // One more shows whether there are more.
        const found = await run.wait('Reading orders', () => readOrders(run, petId, options, most + 1));
        await run.printer.part(found, { most, isChosen }, (shown) => orderLines(shown, run.printer.paint));
      }),
    );
}

async function readOrders(
  { client, request }: Run,
  petId: bigint | undefined,
  { status, state, reference, since, oldestFirst }: ListOptions,
  most: number,
): Promise<readonly Order[]> {
  const query: ListOrdersQuery = {
    status,
    state,
    petId,
    referenceId: reference,
    createdSince: since,
    order: oldestFirst ? 'asc' : 'desc',
    limit: Math.min(most, MAX_PAGE),
  };
  const found: Order[] = [];
  for await (const order of client.listOrders(query, request)) {
    found.push(order);
    if (found.length >= most) break;
  }
  return found;
}
