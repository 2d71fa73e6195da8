import { parseNumber } from '@petstore-inventory/shared/terminal/arguments';
import type { Command } from 'commander';
import { addCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { runCommand } from '../run.ts';
import { printOrder } from './format-order.ts';

/** Adds one order. */
export function addShow(orders: Command, context: Context): void {
  addCommand(orders, 'show', {
    summary: 'show an order with its lines',
    examples: ['orders show 17'],
  })
    .argument('<order-id>', 'number of the order', parseNumber)
    .action((orderId: number, _options, command: Command) =>
      runCommand(context, command, async ({ client, printer, request, wait }) => {
        const { data, etag } = await wait('Reading the order', () =>
          client.getOrder(orderId, request).withResponse(),
        );
        await printOrder(printer, data, etag);
      }),
    );
}
