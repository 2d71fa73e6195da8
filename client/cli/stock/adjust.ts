import { parseDelta } from '@petstore-inventory/shared/terminal/arguments';
import { thousands } from '@petstore-inventory/shared/terminal/texts';
import type { Command } from 'commander';
import type { Reason } from '../../src/index.ts';
import { addCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { type Run, runCommand } from '../run.ts';
import { type ChangeOptions, explanationOf, guardsOf, withChange } from './change-options.ts';
import { parsePet, PET, PET_NOTES, type PetArgument, petIdOf } from './pet-argument.ts';

export interface AdjustOptions extends ChangeOptions {
  readonly reason: Reason;
  readonly takeReserved?: true;
}

/** Adds the change of a quantity by a number of units. */
export function addAdjust(program: Command, context: Context): void {
  withChange(
    addCommand(program, 'adjust', {
      summary: 'add units to the stock of a pet, or take some away',
      notes: PET_NOTES,
      examples: [
        'adjust 42 -1 --reason sold',
        'adjust DOG-0042 24 --reason received --reference delivery-4711',
      ],
    }),
    { isReasonRequired: true },
  )
    .argument('<pet>', PET, parsePet)
    .argument('<delta>', 'the units to add; below 0 takes away', parseDelta)
    .option('--take-reserved', 'take units that open orders reserve, too')
    .action((pet: PetArgument, delta: number, options: AdjustOptions, command: Command) =>
      runCommand(context, command, (run) => adjust(run, pet, delta, options)),
    );
}

/** Adds units to a pet, and prints the movement. */
export async function adjust(
  run: Run,
  pet: PetArgument,
  delta: number,
  options: AdjustOptions,
): Promise<void> {
  const { client, printer, request, wait } = run;
  const { reason, takeReserved, ifQuantity } = options;
  const body = { delta, ...explanationOf(options), reason, takeReserved, changeFromQuantity: ifQuantity };
  const petId = await petIdOf(run, pet);
  const movement = await wait('Changing the pet', () =>
    client.adjustInventory(petId, body, { ...request, ...guardsOf(options) }),
  );
  const { quantityBefore, quantityAfter, sequence } = movement;
  const change = printer.paint.delta(movement.delta);
  await printer.print(
    movement,
    `Pet ${movement.petId}: ${change}, ${thousands(quantityBefore)} -> ${thousands(quantityAfter)} (movement ${sequence}).`,
  );
}
