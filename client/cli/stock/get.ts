import type { Paint } from '@petstore-inventory/shared/terminal/paint';
import { safe } from '@petstore-inventory/shared/terminal/safe-text';
import { facts } from '@petstore-inventory/shared/terminal/table';
import { readableTime, thousands } from '@petstore-inventory/shared/terminal/texts';
import type { Command } from 'commander';
import type { InventoryDetail } from '../../src/index.ts';
import { addCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { runCommand } from '../run.ts';
import { parsePet, PET, PET_NOTES, type PetArgument, petIdOf } from './pet-argument.ts';

/** Adds the stock of one pet. */
export function addGet(program: Command, context: Context): void {
  addCommand(program, 'get', {
    summary: 'show the stock of a pet',
    notes: `With --json the result has the etag, for --if-match of a change. ${PET_NOTES}`,
    examples: ['get 42', 'get 4006381333931', 'get 42 --json'],
  })
    .argument('<pet>', PET, parsePet)
    .action((pet: PetArgument, _options, command: Command) =>
      runCommand(context, command, async (run) => {
        const { client, printer, request, wait } = run;
        const petId = await petIdOf(run, pet);
        const { data, etag } = await wait('Reading the pet', () =>
          client.getInventoryItem(petId, request).withResponse(),
        );
        await printer.print({ ...data, etag: etag ?? null }, describeItem(data, etag, printer.paint));
      }),
    );
}

function describeItem(item: InventoryDetail, etag: string | undefined, paint: Paint): string {
  const { petId, name, quantity, reserved, available, status, alertLevel, lowStockAt, restockAt } = item;
  const title = name === null ? `Pet ${petId}` : `Pet ${petId}, ${safe(name)}`;
  return [
    `${paint.style('bold', title)}: ${thousands(quantity)} on hand, ${paint.state(safe(status))}`,
    '',
    facts([
      ['category', safe(item.category ?? '')],
      ['reserved', thousands(reserved)],
      [
        'available',
        `${thousands(available)}${alertLevel === null ? '' : ` (${paint.state(safe(alertLevel))})`}`,
      ],
      ['lasts', item.daysOfStock === null ? '' : `${item.daysOfStock} days at the present rate of sales`],
      ['low at', lowStockAt === null ? '' : thousands(lowStockAt)],
      ['restock at', restockAt === null ? '' : thousands(restockAt)],
      ['changed', `${readableTime(item.updatedAt)} (version ${item.version})`],
      ['etag', safe(etag ?? '')],
    ]),
  ].join('\n');
}
