import { parseNumber, parsePetIdArgument } from '@petstore-inventory/shared/terminal/arguments';
import { addGroup } from '@petstore-inventory/shared/terminal/commands';
import { type LimitOptions, mostOf, withLimit } from '@petstore-inventory/shared/terminal/list-limit';
import {
  ORDER_STATES,
  ORDER_STATUSES,
  type OrderState,
  type OrderStatus,
} from '@petstore-inventory/shared/words';
import { type Command, Option } from 'commander';
import type { AdminStore } from '../../domain/admin-store.ts';
import { onlySet } from '../../domain/only-set.ts';
import { type OrderFilter, ordersInState } from '../../domain/orders/order-store.ts';
import type { Order } from '../../domain/orders/orders.ts';
import { addCommand } from '../command.ts';
import { type Moment, parsePastTime } from '../parse-time.ts';
import { databaseCommand } from '../with-database.ts';
import { addExpire } from './expire.ts';
import { describeOrder, describeOrders, findOrder } from './format-order.ts';

const PAGE = 100;

interface ListOptions extends LimitOptions {
  readonly status?: OrderStatus;
  readonly pet?: bigint;
  readonly state?: OrderState;
  readonly reference?: string;
  readonly since?: Moment;
  readonly oldestFirst?: true;
}

/** Adds the commands for orders. */
export function addOrders(program: Command): void {
  const orders = addGroup(program, 'orders', 'orders of customers, and the units that they reserve');
  addList(orders);
  addShow(orders);
  addExpire(orders);
}

function addList(orders: Command): void {
  withLimit(
    addCommand(orders, 'list', {
      summary: 'list orders, newest first',
      example: 'orders list --status placed --pet 42',
    })
      .addOption(new Option('--status <status>', 'only orders with this status').choices(ORDER_STATUSES))
      .addOption(
        new Option(
          '--state <state>',
          'only orders that expire within 15 minutes, or that are delivered in part',
        ).choices(ORDER_STATES),
      )
      .option('--pet <pet-id>', 'only orders with a line of this pet', parsePetIdArgument)
      .option('--reference <text>', "only orders with this referenceId, the client's own name of an order")
      .option(
        '--since <time>',
        'only orders placed at this UTC time or later, or in the last 90m, 7d, …',
        parsePastTime,
      )
      .option('--oldest-first', 'begin with the oldest'),
    'orders',
  ).action(
    databaseCommand(async ({ store }, options: ListOptions) =>
      describeOrders(await firstOrders(store, options)),
    ),
  );
}

function addShow(orders: Command): void {
  addCommand(orders, 'show', {
    summary: 'show an order with its lines',
    example: 'orders show 17',
  })
    .argument('<order-id>', 'number of the order, as orders list shows it', parseNumber)
    .action(
      databaseCommand(async ({ store }, orderId: number) => describeOrder(await findOrder(store, orderId))),
    );
}

/** Orders by pages, because a page may be short or empty before the last one. */
async function firstOrders(
  store: AdminStore,
  { status, state, pet, reference, since, oldestFirst, ...options }: ListOptions,
): Promise<{ orders: Order[]; isWhole: boolean }> {
  const filter: OrderFilter = {
    ...onlySet<OrderFilter>({
      status,
      petId: pet,
      referenceId: reference,
      createdSinceMs: since?.(await store.now()),
    }),
    ...ordersInState(state, await store.now()),
  };
  const limit = mostOf(options);
  const found: Order[] = [];
  let next: number | undefined;
  const [order, bound] = oldestFirst ? (['asc', 'after'] as const) : (['desc', 'before'] as const);
  do {
    const page = await store.orders.listOrders({
      filter: next === undefined ? filter : { ...filter, [bound]: next },
      order,
      limit: Math.min(PAGE, limit - found.length),
    });
    found.push(...page.orders);
    next = page.next;
  } while (next !== undefined && found.length < limit);
  return { orders: found, isWhole: next === undefined };
}
