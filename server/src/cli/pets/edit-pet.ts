import { parsePetIdArgument, parseUnits } from '@petstore-inventory/shared/terminal/arguments';
import { PET_STATUSES, type PetStatus } from '@petstore-inventory/shared/words';
import { type Command, Option } from 'commander';
import { requireRightClock } from '../../domain/actions/clock.ts';
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import type { ManagedPet, PetChanges } from '../../domain/management/pets.ts';
import { addCommand } from '../command.ts';
import { acceptanceOf, type ClockOptions, withAcceptClock } from '../options.ts';
import type { Output } from '../output.ts';
import { databaseCommand } from '../with-database.ts';
import { describePets, petJson } from './format-pets.ts';

const NONE = 'none';

/** A threshold, or none. */
type Threshold = number | typeof NONE;

interface PetOptions extends ClockOptions {
  readonly name?: string;
  readonly category?: string;
  readonly low?: Threshold;
  readonly restock?: Threshold;
}

interface CreateOptions extends PetOptions {
  readonly quantity: number;
  readonly status: PetStatus;
}

/** Adds the commands that create and edit a pet. */
export function addEdit(pets: Command): void {
  withTexts(
    addCommand(pets, 'create', {
      summary: 'add a pet',
      example: 'pets create 42 --name Rex --category Dogs --quantity 5',
    }),
  )
    .option('--quantity <n>', 'units on hand', parseUnits, 0)
    .addOption(new Option('--status <status>', 'its status').choices(PET_STATUSES).default('available'))
    .action(
      databaseCommand(
        async ({ store }, petId: bigint, options: CreateOptions) => {
          await requireRightClock(store, acceptanceOf(options));
          const { quantity, status } = options;
          const none = { name: null, category: null, lowStockAt: null, restockAt: null };
          const pet = { ...none, ...changesOf(options), petId, quantity, status };
          return described(await store.pets.create(pet, CLI_AUTHOR), 'created');
        },
        { sample: 'refuse' },
      ),
    );
  withTexts(
    addCommand(pets, 'edit', {
      summary: 'change the name, category or thresholds of a pet',
      notes: 'An empty --name or --category removes it, and so does none as --low or --restock.',
      example: 'pets edit 42 --name Max --low 3',
    }),
  ).action(
    databaseCommand(
      async ({ store }, petId: bigint, options: PetOptions) => {
        await requireRightClock(store, acceptanceOf(options));
        const changed = await store.pets.update(petId, changesOf(options), CLI_AUTHOR);
        return described(changed, 'as it is now');
      },
      {
        check: (command, _petId, options) => {
          if (Object.keys(changesOf(options)).length === 0)
            command.error('error: give --name, --category, --low or --restock');
        },
      },
    ),
  );
}

function withTexts(command: Command): Command {
  return withAcceptClock(command)
    .argument('<pet-id>', 'the pet', parsePetIdArgument)
    .option('--name <text>', 'its name')
    .option('--category <text>', 'its category')
    .option('--low <n>', 'low at this number of available units, or fewer', parseThreshold)
    .option('--restock <n>', 'back at this number of available units, or more', parseThreshold);
}

function changesOf({ name, category, low, restock }: PetOptions): PetChanges {
  return {
    ...(name !== undefined && { name }),
    ...(category !== undefined && { category }),
    ...(low !== undefined && { lowStockAt: unitsOf(low) }),
    ...(restock !== undefined && { restockAt: unitsOf(restock) }),
  };
}

function parseThreshold(text: string): Threshold {
  return text === NONE ? NONE : parseUnits(text);
}

function unitsOf(threshold: Threshold): number | null {
  return threshold === NONE ? null : threshold;
}

function described(pet: ManagedPet, what: string): Output {
  return { value: petJson(pet), text: `Pet ${pet.petId} ${what}:\n${describePets([pet], false).text}` };
}

/** Adds the commands that archive and restore a pet. */
export function addArchive(pets: Command): void {
  const commands = [
    ['archive', 'hide a pet without stock from lists and search', 'is archived'],
    ['restore', 'show an archived pet again', 'is not archived'],
  ] as const;
  for (const [verb, summary, result] of commands) {
    addCommand(pets, verb, { summary, example: `pets ${verb} 42` })
      .argument('<pet-id>', 'the pet', parsePetIdArgument)
      .action(
        databaseCommand(async ({ store }, petId: bigint) => {
          const pet = await store.pets[verb](petId, CLI_AUTHOR);
          return { value: petJson(pet), text: `Pet ${petId} ${result}.` };
        }),
      );
  }
}
