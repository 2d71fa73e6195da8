import { parseNumber } from '@petstore-inventory/shared/terminal/arguments';
import { withProgress } from '@petstore-inventory/shared/terminal/progress';
import { count } from '@petstore-inventory/shared/terminal/texts';
import type { Command } from 'commander';
import { requireRightClock } from '../../domain/actions/clock.ts';
import type { AdminStore } from '../../domain/admin-store.ts';
import { OperatorError } from '../../domain/errors.ts';
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import { onlySet } from '../../domain/only-set.ts';
import type { OrderFilter } from '../../domain/orders/order-store.ts';
import type { Order } from '../../domain/orders/orders.ts';
import type { OrderResult } from '../../domain/write-command.ts';
import { addCommand } from '../command.ts';
import { requireYes, withYes, type YesOptions } from '../confirm.ts';
import {
  acceptanceOf,
  type ClockOptions,
  type DryRunOption,
  dryRunOutput,
  withAcceptClock,
  withDryRun,
} from '../options.ts';
import type { Output } from '../output.ts';
import { databaseCommand } from '../with-database.ts';
import { findOrder, noSuchOrder, orderValue, sumOf } from './format-order.ts';

const PAGE = 100;

/** Adds the command that expires placed orders. */
export function addExpire(orders: Command): void {
  const expire = addCommand(orders, 'expire', {
    summary: 'expire placed orders, and release the units that they reserve',
    notes:
      'Without an order it expires all placed orders whose time has passed, as the running service does each second.\n' +
      'With an order it expires that one, also before its time. An order with another status is refused.',
    example: 'orders expire 17',
  });
  withYes(withDryRun(withAcceptClock(expire), 'what would expire'))
    .argument('[order-id]', 'number of a placed order', parseNumber)
    .action(
      databaseCommand(
        async (
          { store, command },
          orderId: number | undefined,
          options: ClockOptions & DryRunOption & YesOptions,
        ) => {
          await requireRightClock(store, acceptanceOf(options));
          if (options.dryRun) return orderId === undefined ? previewDue(store) : previewOne(store, orderId);
          if (orderId !== undefined) return expireNow(store, orderId, options);
          return withProgress(command, (progress) => {
            progress.show('Expiring orders');
            return expireDue(store);
          });
        },
      ),
    );
}

async function expireDue(store: AdminStore): Promise<Output> {
  let expired = 0;
  let isMore = true;
  while (isMore) {
    const { orderIds } = await store.orders.dueOrders(PAGE);
    let done = 0;
    for (const orderId of orderIds) {
      // A running service may have expired it meanwhile.
      if ((await expire(store, orderId, false)).code === 'done') done += 1;
    }
    expired += done;
    isMore = done > 0;
  }
  const text = expired === 0 ? 'No placed order is due.' : `${count(expired, 'order')} expired.`;
  return { value: { expired }, text };
}

/** Counts what `expireDue` would expire now. */
async function previewDue(store: AdminStore): Promise<Output> {
  const nowMs = await store.now();
  let due = 0;
  let before: number | undefined;
  do {
    const filter = onlySet<OrderFilter>({ expiresBeforeMs: nowMs + 1, before });
    const page = await store.orders.listOrders({ filter, order: 'desc', limit: PAGE });
    due += page.orders.length;
    before = page.next;
  } while (before !== undefined);
  const text = due === 0 ? 'No placed order is due.' : `${count(due, 'order')} would expire.`;
  return dryRunOutput({ expired: due }, text);
}

/** @throws OperatorError as `expireNow` does. */
async function previewOne(store: AdminStore, orderId: number): Promise<Output> {
  const order = await findOrder(store, orderId);
  if (order.status !== 'placed') throw notPlaced(order);
  const units = count(sumOf(order, 'quantity'), 'unit');
  return dryRunOutput({ orderId, expired: 1 }, `Order ${orderId} would expire; ${units} would be released.`);
}

function notPlaced({ orderId, status }: Order): OperatorError {
  return new OperatorError(
    `Order ${orderId} is ${status}. Only a placed order can expire; nothing was changed.`,
  );
}

async function expireNow(store: AdminStore, orderId: number, options: YesOptions): Promise<Output> {
  const placed = await findOrder(store, orderId);
  if (placed.status !== 'placed') throw notPlaced(placed);
  await requireYes(options, {
    what: 'orders expire ends the order for good',
    question: () => `Expire order ${orderId}, and release ${count(sumOf(placed, 'quantity'), 'unit')}?`,
    done: 'changed',
  });
  const { code, order } = await expire(store, orderId, true);
  if (!order) throw noSuchOrder(orderId);
  if (code === 'done') {
    const units = count(sumOf(order, 'quantity'), 'unit');
    return { value: orderValue(order), text: `Order ${orderId} is expired; ${units} released.` };
  }
  throw notPlaced(order);
}

async function expire(store: AdminStore, orderId: number, isForced: boolean): Promise<OrderResult> {
  const result = await store.write({ kind: 'step', step: 'expire', orderId, isForced }, CLI_AUTHOR);
  if (result.kind !== 'order') throw new Error(`A step of an order was answered with ${result.kind}.`);
  return result;
}
