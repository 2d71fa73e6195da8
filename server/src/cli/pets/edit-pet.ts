import { parsePetIdArgument, parseUnits } from '@petstore-inventory/shared/terminal/arguments';
import { PET_STATUSES, type PetStatus } from '@petstore-inventory/shared/words';
import { type Command, Option } from 'commander';
import { requireRightClock } from '../../domain/actions/clock.ts';
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import { describeCode } from '../../domain/management/pet-codes.ts';
import type { ManagedPet, PetChanges } from '../../domain/management/pets.ts';
import { onlySet } from '../../domain/only-set.ts';
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
  readonly sku?: string;
  readonly barcode?: readonly string[];
  readonly takeCodes?: true;
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
      example: 'pets create 42 --name Rex --category Dogs --quantity 5 --barcode 4006381333931',
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
      summary: 'change the name, category, thresholds or codes of a pet',
      notes:
        'An empty --name, --category, --sku or --barcode removes it, and so does none as --low or --restock. The given barcodes replace all earlier ones.',
      example: 'pets edit 42 --name Max --low 3 --sku DOG-0042',
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
          const { takeCodes: _, ...changes } = changesOf(options);
          if (Object.keys(changes).length === 0)
            command.error('error: give --name, --category, --low, --restock, --sku or --barcode');
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
    .option('--restock <n>', 'back at this number of available units, or more', parseThreshold)
    .option('--sku <code>', 'its article number')
    .option('--barcode <code>', 'a barcode; once for each', addBarcode)
    .option('--take-codes', 'take codes from archived pets that have them');
}

function addBarcode(text: string, earlier: readonly string[] = []): readonly string[] {
  return text.trim() === '' ? earlier : [...earlier, text];
}

function changesOf({ name, category, low, restock, sku, barcode, takeCodes }: PetOptions): PetChanges {
  return onlySet<PetChanges>({
    name,
    category,
    lowStockAt: low === undefined ? undefined : unitsOf(low),
    restockAt: restock === undefined ? undefined : unitsOf(restock),
    sku,
    barcodes: barcode,
    takeCodes,
  });
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
  addCommand(pets, 'archive', {
    summary: 'hide a pet without stock from lists and search',
    example: 'pets archive 42',
  })
    .argument('<pet-id>', 'the pet', parsePetIdArgument)
    .action(
      databaseCommand(async ({ store }, petId: bigint) => {
        const pet = await store.pets.archive(petId, CLI_AUTHOR);
        return { value: petJson(pet), text: `Pet ${petId} is archived.` };
      }),
    );
  addCommand(pets, 'restore', {
    summary: 'show an archived pet again',
    notes: 'Codes that other pets took meanwhile stay with them; the result names them.',
    example: 'pets restore 42',
  })
    .argument('<pet-id>', 'the pet', parsePetIdArgument)
    .action(
      databaseCommand(async ({ store }, petId: bigint) => {
        const { takenCodes, ...pet } = await store.pets.restore(petId, CLI_AUTHOR);
        const taken = takenCodes.map(
          ({ kind, code, petId: by }) => `\nPet ${by} has taken its ${describeCode({ kind, typed: code })}.`,
        );
        return {
          value: { ...petJson(pet), takenCodes },
          text: `Pet ${petId} is not archived.${taken.join('')}`,
        };
      }),
    );
}
