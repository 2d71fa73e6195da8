import { parseNumber } from '@petstore-inventory/shared/terminal/arguments';
import type { Command } from 'commander';
import type { ApiPromise, ConditionalWriteOptions, Order, PartLine } from '../../src/index.ts';
import type { PetstoreClient } from '../../src/petstore-client.ts';
import { addCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { runCommand } from '../run.ts';
import {
  type ExplanationOptions,
  explanationOf,
  guardsOf,
  type WriteGuards,
  withExplanation,
  withGuards,
} from '../stock/change-options.ts';
import { printOrder } from './format-order.ts';
import { type LineArgument, linesOf, parseLine } from './line-arguments.ts';

type StepOptions = ExplanationOptions & WriteGuards;
type Step = (
  client: PetstoreClient,
  guards: ConditionalWriteOptions,
  lines: readonly PartLine[],
) => ApiPromise<Order>;

type RunStep = (
  command: Command,
  options: StepOptions,
  step: Step,
  lines?: readonly LineArgument[],
) => Promise<void>;

/** Adds the steps of an order. */
export function addSteps(orders: Command, context: Context): void {
  const run: RunStep = (command, options, step, given = []) =>
    runCommand(context, command, async (one) => {
      const { client, printer, request, wait } = one;
      const lines = await linesOf(one, given);
      const guards = { ...request, ...guardsOf(options) };
      const { data, etag } = await wait('Changing the order', () =>
        step(client, guards, lines).withResponse(),
      );
      await printOrder(printer, data, etag);
    });
  withGuards(
    addCommand(orders, 'approve', {
      summary: 'accept a placed order, so that it never expires',
      examples: ['orders approve 17'],
    }).argument('<order-id>', 'number of the order', parseNumber),
  ).action((orderId: number, options: StepOptions, command: Command) =>
    run(command, options, (client, guards) => client.approveOrder(orderId, guards)),
  );
  addPartStep(orders, {
    name: 'deliver',
    summary: 'deliver units of an approved order: they leave the stock',
    step: (client, guards, orderId, part) => client.deliverOrder(orderId, part, guards),
    run,
  });
  withGuards(
    withExplanation(
      addCommand(orders, 'cancel', {
        summary: 'cancel an order, which releases its units',
        examples: ['orders cancel 17 --note "customer called"'],
      }).argument('<order-id>', 'number of the order', parseNumber),
    ),
  ).action((orderId: number, options: StepOptions, command: Command) =>
    run(command, options, (client, guards) => client.cancelOrder(orderId, explanationOf(options), guards)),
  );
  addPartStep(orders, {
    name: 'return',
    summary: 'put delivered units of an order back into the stock',
    step: (client, guards, orderId, part) => client.returnOrder(orderId, part, guards),
    run,
  });
}

interface PartStep {
  readonly name: string;
  readonly summary: string;
  readonly step: (
    client: PetstoreClient,
    guards: ConditionalWriteOptions,
    orderId: number,
    part: { readonly lines?: readonly PartLine[] },
  ) => ApiPromise<Order>;
  readonly run: RunStep;
}

/** Adds a step of all units that are left, or of some. */
function addPartStep(orders: Command, { name, summary, step, run }: PartStep): void {
  const command = addCommand(orders, name, {
    summary,
    notes: 'Without lines: all units that are left. A line without a number: all that are left of the pet.',
    examples: [`orders ${name} 17`, `orders ${name} 17 42=1 7`],
  })
    .argument('<order-id>', 'number of the order', parseNumber)
    .argument('[lines...]', 'a pet (petId, SKU or barcode) and its units, such as 42=1', parseLine);
  withGuards(withExplanation(command)).action(
    (orderId: number, given: readonly LineArgument[], options: StepOptions, self: Command) =>
      run(
        self,
        options,
        (client, guards, lines) =>
          step(client, guards, orderId, { ...explanationOf(options), ...(lines.length > 0 && { lines }) }),
        given,
      ),
  );
}
