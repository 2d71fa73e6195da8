import { parseSomeUnits } from '@petstore-inventory/shared/terminal/arguments';
import type { Command } from 'commander';
import { addCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { runCommand } from '../run.ts';
import { adjust, type AdjustOptions } from './adjust.ts';
import { withChange } from './change-options.ts';
import { parsePet, PET, PET_NOTES, type PetArgument } from './pet-argument.ts';

/** Adds the sale of units, which takes them from the stock. */
export function addSell(program: Command, context: Context): void {
  withChange(
    addCommand(program, 'sell', {
      summary: 'take sold units from the stock of a pet',
      notes: `The same as adjust with --reason sold. ${PET_NOTES}`,
      examples: ['sell 4006381333931 2', 'sell DOG-0042 --reference receipt-1017'],
    }),
    { fixedReason: 'sold' },
  )
    .argument('<pet>', PET, parsePet)
    .argument('[units]', 'the units that are sold', parseSomeUnits, 1)
    .option('--take-reserved', 'take units that open orders reserve, too')
    .action((pet: PetArgument, units: number, options: Omit<AdjustOptions, 'reason'>, command: Command) =>
      runCommand(context, command, (run) => adjust(run, pet, -units, { ...options, reason: 'sold' })),
    );
}
