import { hasAtMost } from '@petstore-inventory/shared/characters';
import { MAX_NOTE, MAX_REFERENCE_ID } from '@petstore-inventory/shared/limits';
import { isStorableText } from '@petstore-inventory/shared/storable-text';
import { parseDelta, parsePetIdArgument, parseUnits } from '@petstore-inventory/shared/terminal/arguments';
import { addGroup } from '@petstore-inventory/shared/terminal/commands';
import { count, thousands } from '@petstore-inventory/shared/terminal/texts';
import { PET_STATUSES, type PetStatus, REASONS, type Reason } from '@petstore-inventory/shared/words';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { requireRightClock } from '../../domain/actions/clock.ts';
import type { AdminStore } from '../../domain/admin-store.ts';
import { OperatorError } from '../../domain/errors.ts';
import { unknownPet } from '../../domain/inventory.ts';
import { UNEXPLAINED } from '../../domain/ledger/ledger.ts';
import { availableOf, type Change } from '../../domain/ledger/stock.ts';
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import type { SingleResult } from '../../domain/write-command.ts';
import { addCommand } from '../command.ts';
import { requireYes, withYes, type YesOptions } from '../confirm.ts';
import { acceptanceOf, type ClockOptions, withAcceptClock } from '../options.ts';
import type { Output } from '../output.ts';
import { type DatabaseRun, databaseCommand } from '../with-database.ts';
import { describePets, petJson } from './format-pets.ts';

interface ChangeOptions extends ClockOptions {
  readonly reason: Reason;
  readonly note?: string;
  readonly reference?: string;
  readonly ifQuantity?: number;
  readonly takeReserved?: true;
}

interface DeleteOptions extends ClockOptions, YesOptions {
  readonly note?: string;
}

interface SetOptions extends ChangeOptions {
  readonly status?: PetStatus;
}

/** Adds the stock of one pet, with the commands and options of `petstore`. */
export function addInventory(program: Command): void {
  const inventory = addGroup(program, 'inventory', 'the stock of one pet');
  addCommand(inventory, 'get', { summary: 'show the stock of a pet', example: 'inventory get 42' })
    .argument('<pet-id>', 'the pet', parsePetIdArgument)
    .action(
      databaseCommand(async ({ store }, petId: bigint) => {
        const pet = await store.pets.find(petId);
        return { value: petJson(pet), text: describePets([pet], false).text };
      }),
    );
  addSetAndAdjust(inventory);
}

/** Adds the commands that correct the pets of a shop through the ledger. */
export function addChangeStock(pets: Command): void {
  addSetAndAdjust(pets);
  addDelete(pets);
}

function addSetAndAdjust(group: Command): void {
  withReason(
    addCommand(group, 'set', {
      summary: 'set the quantity of a pet, such as after a count, or its status',
      notes: 'To add or take units use adjust, which loses no concurrent change.',
      example: `${group.name()} set 42 17 --reason cycle_count`,
    }).argument('<pet-id>', 'the pet', parsePetIdArgument),
  )
    .argument('[quantity]', 'the units on hand', parseUnits)
    .addOption(new Option('--status <status>', 'the new status').choices(PET_STATUSES))
    .action(
      databaseCommand(
        (run, petId: bigint, quantity: number | undefined, options: SetOptions) =>
          change(run, { ...setting(quantity, options), petId, ...termsOf(options) }, options),
        {
          check: (command, _petId, quantity, { status }) => {
            if ((quantity === undefined) === (status === undefined)) {
              command.error('error: give a quantity or --status, one of both');
            }
          },
        },
      ),
    );
  withReason(
    addCommand(group, 'adjust', {
      summary: 'add units to the stock of a pet, or take some away',
      example: `${group.name()} adjust 42 -1 --reason damaged --note "the crate fell"`,
    }).argument('<pet-id>', 'the pet', parsePetIdArgument),
  )
    .argument('<delta>', 'the units to add; below 0 takes away', parseChange)
    .option('--take-reserved', 'take units that open orders reserve, too')
    .action(
      databaseCommand((run, petId: bigint, delta: number, options: ChangeOptions) => {
        const takesReserved = options.takeReserved;
        return change(run, { kind: 'adjust', petId, delta, takesReserved, ...termsOf(options) }, options);
      }),
    );
}

function setting(quantity: number | undefined, { status }: SetOptions) {
  // The check of the command line admits one of both.
  return status === undefined
    ? ({ kind: 'set', quantity: quantity ?? 0 } as const)
    : ({ kind: 'status', status } as const);
}

function termsOf(options: ChangeOptions) {
  return { explanation: explanationOf(options), changeFromQuantity: options.ifQuantity };
}

function addDelete(pets: Command): void {
  withYes(
    withAcceptClock(
      addCommand(pets, 'delete', {
        summary: 'delete a pet that was entered by mistake',
        notes:
          'Only a pet without a movement besides its creation can be deleted: sales, counts, orders and edits are movements, which the ledger keeps.\n' +
          'For any other use pets set and pets archive. Its petId and its codes are free again.',
        example: 'pets delete 3011 --note "typed twice" --yes',
      }),
    ),
  )
    .argument('<pet-id>', 'the pet', parsePetIdArgument)
    .option('--note <text>', 'a remark for people', parseNote)
    .action(
      databaseCommand(async ({ store }, petId: bigint, options: DeleteOptions) => {
        const pet = await store.pets.find(petId);
        await requireYes(options, {
          what: `pets delete ${petId} cannot be undone`,
          question: () => `${describePets([pet], false).text}\nDelete this pet? It cannot be undone.`,
          done: 'deleted',
          instead: `pets archive ${petId} to hide it`,
        });
        await requireRightClock(store, acceptanceOf(options));
        await store.pets.delete(petId, CLI_AUTHOR, options.note);
        return { value: { petId, deleted: true }, text: `Pet ${petId} is deleted.` };
      }),
    );
}

function withReason(command: Command): Command {
  return withAcceptClock(command)
    .addOption(new Option('--reason <reason>', 'why').choices(REASONS).default('correction'))
    .option('--note <text>', 'a remark for people', parseNote)
    .option('--reference <text>', 'your own id of the cause, such as a receipt', parseReference)
    .option('--if-quantity <n>', 'change nothing if the quantity is another one now', parseUnits);
}

function explanationOf({ reason, note, reference }: Pick<ChangeOptions, 'reason' | 'note' | 'reference'>) {
  return { ...UNEXPLAINED, reason, note: note ?? null, referenceId: reference ?? null };
}

function parseReference(text: string): string {
  if (hasAtMost(text, MAX_REFERENCE_ID) && isStorableText(text)) return text;
  throw new InvalidArgumentError(`Give at most ${MAX_REFERENCE_ID} characters.`);
}

function parseNote(text: string): string {
  if (hasAtMost(text, MAX_NOTE) && isStorableText(text)) return text;
  throw new InvalidArgumentError(`Give at most ${MAX_NOTE} characters.`);
}

function parseChange(text: string): number {
  const delta = parseDelta(text);
  if (delta === 0) throw new InvalidArgumentError('Give a whole number such as 5 or -1.');
  return delta;
}

async function change(
  { store, settings: { maxQuantity } }: DatabaseRun,
  requested: Change,
  options: ChangeOptions,
): Promise<Output> {
  if (requested.kind === 'set' && requested.quantity > maxQuantity) throw tooMany(maxQuantity);
  await requireRightClock(store, acceptanceOf(options));
  await write(store, requested, maxQuantity);
  const pet = await store.pets.find(requested.petId);
  const text = `Pet ${pet.petId} has ${count(pet.quantity, 'unit')}, ${thousands(availableOf(pet))} of them available; it is ${pet.status}.`;
  return { value: petJson(pet), text };
}

/** @throws OperatorError for a change that the stock does not allow. */
async function write(store: AdminStore, requested: Change, maxQuantity = 0): Promise<void> {
  const result = await store.write({ kind: 'change', change: requested }, CLI_AUTHOR);
  if (result.kind !== 'single') throw new Error(`A change was answered with ${result.kind}.`);
  if (result.code !== 'done') throw refusal(requested.petId, result, maxQuantity);
}

function refusal(petId: bigint, { code, stock }: SingleResult, maxQuantity: number): OperatorError {
  if (!stock) return unknownPet(petId);
  const { quantity, reserved } = stock;
  if (code === 'too_much_stock') return tooMany(maxQuantity);
  const found = `Pet ${petId} has quantity ${quantity} and ${reserved} reserved`;
  if (code === 'conflict')
    return new OperatorError(`${found}, not the quantity of --if-quantity. Nothing was changed.`);
  if (code === 'stock_reserved') {
    return new OperatorError(`${found}; --take-reserved takes reserved units too. Nothing was changed.`);
  }
  return new OperatorError(`${found}, which does not allow the change. Nothing was changed.`);
}

function tooMany(maxQuantity: number): OperatorError {
  return new OperatorError(`A quantity is at most ${maxQuantity}. Nothing was changed.`);
}
