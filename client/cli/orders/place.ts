import { type Command, Option } from 'commander';
import type { OrderPlacement, OrderPlacementLine } from '../../src/index.ts';
import { parseFuture } from '../arguments.ts';
import { addCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { runCommand } from '../run.ts';
import { type ExplanationOptions, explanationOf, withExplanation } from '../stock/change-options.ts';
import { PET_NOTES } from '../stock/pet-argument.ts';
import { printOrder } from './format-order.ts';
import { type LineArgument, linesOf, parseWholeLine } from './line-arguments.ts';

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
      notes: `All units are reserved, or none. ${PET_NOTES}`,
      examples: ['orders place 42=2 7=1 --reference web-1017', 'orders place 4006381333931=1 --expires 2d'],
    }),
  )
    .argument('<lines...>', 'a pet (petId, SKU or barcode) and its units, such as 42=2', parseWholeLine)
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
    .action((lines: readonly LineArgument[], options: PlaceOptions, command: Command) =>
      runCommand(context, command, async (run) => {
        const { client, printer, request, wait } = run;
        const { expires, neverExpires, idempotencyKey } = options;
        const body: OrderPlacement = {
          lines: (await linesOf(run, lines)) as readonly OrderPlacementLine[],
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
