import { parseUnits } from '@petstore-inventory/shared/terminal/arguments';
import { safe } from '@petstore-inventory/shared/terminal/safe-text';
import { count } from '@petstore-inventory/shared/terminal/texts';
import { PET_STATUSES } from '@petstore-inventory/shared/words';
import { type Command, Option } from 'commander';
import type { PetStatus } from '../../src/index.ts';
import { addCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { type Run, runCommand } from '../run.ts';
import { type ChangeOptions, explanationOf, guardsOf, withChange } from './change-options.ts';
import { parsePet, PET, PET_NOTES, type PetArgument, petIdOf } from './pet-argument.ts';

interface SetOptions extends ChangeOptions {
  readonly status?: PetStatus;
}

/** Adds the change of a quantity or a status to a value. */
export function addSet(program: Command, context: Context): void {
  withChange(
    addCommand(program, 'set', {
      summary: 'set the quantity of a pet, or its status',
      notes: `To add or take units use adjust, which loses no concurrent change. ${PET_NOTES}`,
      examples: [
        'set 42 17',
        'set 42 17 --reason cycle_count --if-quantity 15',
        'set 42 --status pending --note "in quarantine"',
      ],
    }),
  )
    .argument('<pet>', PET, parsePet)
    .argument('[quantity]', 'the units on hand', parseUnits)
    .addOption(new Option('--status <status>', 'the new status').choices(PET_STATUSES))
    .action((pet: PetArgument, quantity: number | undefined, options: SetOptions, command: Command) => {
      if ((quantity === undefined) === (options.status === undefined)) {
        return command.error('error: give a quantity or --status, one of both');
      }
      return runCommand(context, command, async (run) => {
        const petId = await petIdOf(run, pet);
        const item = await run.wait('Changing the pet', () => change(run, petId, quantity, options));
        const { printer } = run;
        const text = `Pet ${item.petId} has ${count(item.quantity, 'unit')}, ${printer.paint.state(safe(item.status))}.`;
        await printer.print(item, text);
      });
    });
}

function change({ client, request }: Run, petId: bigint, quantity: number | undefined, options: SetOptions) {
  const { ifQuantity, status } = options;
  const explanation = { ...explanationOf(options), changeFromQuantity: ifQuantity };
  const guards = { ...request, ...guardsOf(options) };
  return status === undefined
    ? client.updateInventory(petId, { quantity: quantity as number, ...explanation }, guards)
    : client.setInventoryStatus(petId, { status, ...explanation }, guards);
}
