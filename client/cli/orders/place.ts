import { type Command, Option } from 'commander';
import type { OrderPlacement, OrderPlacementLine } from '../../src/index.ts';
import { parseFuture } from '../arguments.ts';
import { addCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { runCommand } from '../run.ts';
import { type ExplanationOptions, explanationOf, withExplanation } from '../stock/change-options.ts';
import { printOrder } from './format-order.ts';
import { parseWholeLine } from './line-arguments.ts';

interface PlaceOptions extends ExplanationOptions {
  readonly expires?: Date;
  readonly neverExpires?: true;
  readonly idempotencyKey?: string;
}

/** Adds the placement of an order. */
export function addPlace(orders: Command, context: Context): void {
  withExplanation(
    addCommand(orders, 'place', {
      summary: 'place an order, which reserves its units',
      notes: 'All units are reserved, or none.',
      examples: ['orders place 42=2 7=1 --reference web-1017', 'orders place 42=1 --expires 2d'],
    }),
  )
    .argument('<lines...>', 'a pet and its units, such as 42=2', parseWholeLine)
    .option(
      '--expires <time>',
      'when it expires unless it is approved: a UTC time, or in 30m, 2d, …',
      parseFuture,
    )
    .addOption(new Option('--never-expires', 'keep it until it is cancelled').conflicts('expires'))
    .option(
      '--idempotency-key <key>',
      'a name for this order: repeated with it, it is placed once, for 24 hours',
    )
    .action((lines: readonly OrderPlacementLine[], options: PlaceOptions, command: Command) =>
      runCommand(context, command, async ({ client, printer, request, wait }) => {
        const { expires, neverExpires, idempotencyKey } = options;
        const body: OrderPlacement = {
          lines,
          ...explanationOf(options),
          expiresAt: neverExpires ? null : expires,
        };
        const { data, etag } = await wait('Placing the order', () =>
          client.placeOrder(body, { ...request, idempotencyKey }).withResponse(),
        );
        await printOrder(printer, data, etag);
      }),
    );
}
