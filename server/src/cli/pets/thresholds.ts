import { MAX_BATCH_ROWS } from '@petstore-inventory/shared/limits';
import { parsePetIds, parseUnits } from '@petstore-inventory/shared/terminal/arguments';
import { withProgress } from '@petstore-inventory/shared/terminal/progress';
import { count, thousands } from '@petstore-inventory/shared/terminal/texts';
import { NO_THRESHOLDS, type Thresholds } from '@petstore-inventory/shared/thresholds';
import type { Command } from 'commander';
import { requireRightClock } from '../../domain/actions/clock.ts';
import type { AdminStore } from '../../domain/admin-store.ts';
import { OperatorError } from '../../domain/errors.ts';
import { thresholdsOf } from '../../domain/ledger/alerts.ts';
import { availableOf, type Stock } from '../../domain/ledger/stock.ts';
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import type { BatchResult } from '../../domain/write-command.ts';
import { addCommand } from '../command.ts';
import { acceptanceOf, type ClockOptions, withAcceptClock } from '../options.ts';
import { type Output, paint, shownTable } from '../output.ts';
import { databaseCommand } from '../with-database.ts';

interface ThresholdOptions extends ClockOptions {
  readonly default?: true;
  readonly low?: number;
  readonly restock?: number;
  readonly none?: true;
}

/** Adds the command that shows and changes when pets are low. */
export function addThresholds(pets: Command): void {
  const thresholds = addCommand(pets, 'thresholds', {
    summary: 'show or change when pets are low on stock',
    notes:
      'A pet is low when at most --low units are available, until --restock or more are: then it is back.\n' +
      'Without --restock one unit more than --low is enough. Pets without thresholds of their own have the default.\n' +
      'Without --low and --none the command shows the thresholds of the pets; without pets, the default.',
    example: 'pets thresholds 31 32 --low 100 --restock 150',
  });
  withAcceptClock(thresholds)
    .argument('[pet-id...]', `up to ${MAX_BATCH_ROWS} pets`, parsePetIds)
    .option('--default', 'the thresholds of all pets without their own')
    .option('--low <n>', 'low at this number of available units, or fewer', parseUnits)
    .option('--restock <n>', 'back at this number of available units, or more', parseUnits)
    .option('--none', 'remove the thresholds; a pet then has the default')
    .action(
      databaseCommand(
        async ({ store, command }, petIds: readonly bigint[] | undefined, options: ThresholdOptions) => {
          const named = namedPets(petIds, options, command);
          const wanted = wantedThresholds(options, command);
          if (!wanted) return named.length === 0 ? showDefault(store) : show(store, named);
          await requireRightClock(store, acceptanceOf(options));
          if (named.length > 0) return change(store, named, wanted);
          return withProgress(command, (progress) => {
            progress.show('Changing the default');
            return changeDefault(store, wanted);
          });
        },
        {
          check: (command, petIds, options) => {
            namedPets(petIds, options, command);
            wantedThresholds(options, command);
          },
        },
      ),
    );
}

/** The pets to show or to change; none for the default. */
function namedPets(
  given: readonly bigint[] | undefined,
  options: ThresholdOptions,
  command: Command,
): readonly bigint[] {
  const petIds = [...new Set(given)];
  if (petIds.length > 0 && options.default) {
    return command.error('error: give pets or --default, not both');
  }
  if (petIds.length > MAX_BATCH_ROWS) {
    return command.error(`error: give at most ${MAX_BATCH_ROWS} pets; pets import changes any number`);
  }
  if (petIds.length === 0 && !options.default && (options.low !== undefined || options.none)) {
    return command.error('error: name the pets to change, or give --default');
  }
  return petIds;
}

/** The new thresholds; none to show the present ones. */
function wantedThresholds(
  { low, restock, none }: ThresholdOptions,
  command: Command,
): Thresholds | undefined {
  if (none) {
    if (low === undefined && restock === undefined) return NO_THRESHOLDS;
    return command.error('error: --none removes the thresholds; give it without --low and --restock');
  }
  if (low === undefined) {
    return restock === undefined ? undefined : command.error('error: --restock needs --low');
  }
  if (restock !== undefined && restock <= low) {
    return command.error('error: --restock must be greater than --low');
  }
  return { lowStockAt: low, restockAt: restock ?? null };
}

async function showDefault(store: AdminStore): Promise<Output> {
  const thresholds = await store.defaultThresholds();
  return { value: thresholds, text: defaultText(thresholds) };
}

async function changeDefault(store: AdminStore, thresholds: Thresholds): Promise<Output> {
  const movements = await store.setDefaultThresholds(thresholds, CLI_AUTHOR);
  const levels = `The alert level of ${count(movements, 'pet')} changed.`;
  return { value: { ...thresholds, movements }, text: `${defaultText(thresholds)} ${levels}` };
}

async function show(store: AdminStore, petIds: readonly bigint[]): Promise<Output> {
  const pets = await store.pets.findAll(petIds);
  if (pets.length < petIds.length) {
    const found = new Set(pets.map(({ petId }) => petId));
    throw missing(petIds.filter((petId) => !found.has(petId)));
  }
  return describeStock(pets, await store.defaultThresholds());
}

async function change(store: AdminStore, petIds: readonly bigint[], thresholds: Thresholds): Promise<Output> {
  const { rows } = await applied(store, petIds, thresholds);
  const pets = rows.flatMap(({ petId, after }): PetStock[] => (after ? [{ petId, ...after }] : []));
  const changed = rows.filter(({ sequence }) => sequence !== null).length;
  const { value, text } = describeStock(pets, await store.defaultThresholds());
  return {
    value: { changed, pets: value },
    text: `${count(changed, 'pet')} changed, ${pets.length - changed} unchanged.\n${text}`,
  };
}

/** @throws OperatorError when a pet does not exist; then nothing is changed. */
async function applied(
  store: AdminStore,
  petIds: readonly bigint[],
  thresholds: Thresholds,
): Promise<BatchResult> {
  const result = await store.write(
    {
      kind: 'batch',
      changes: petIds.map((petId) => ({ kind: 'thresholds', petId, ...thresholds })),
      errorPolicy: 'reject_everything',
      isDryRun: false,
    },
    CLI_AUTHOR,
  );
  if (result.kind !== 'batch') throw new Error(`A batch was answered with ${result.kind}.`);
  const unknown = result.rows.filter(({ code }) => code === 'not_found').map(({ petId }) => petId);
  if (unknown.length === 0) return result;
  throw missing(unknown);
}

function missing(petIds: readonly bigint[]): OperatorError {
  const them = petIds.length === 1 ? 'is no pet with petId' : 'are no pets with petId';
  return new OperatorError(`There ${them} ${petIds.join(', ')}. Nothing was changed.`);
}

type PetStock = Stock & { readonly petId: bigint };

/** Thresholds of pets with the stock to which they apply. In JSON they are the pet's own, as in its item over HTTP. */
function describeStock(
  pets: readonly PetStock[],
  shop: Thresholds,
): Output & { readonly value: readonly unknown[] } {
  const value = pets.map((pet) => ({
    petId: pet.petId,
    lowStockAt: pet.lowStockAt,
    restockAt: pet.restockAt,
    reserved: pet.reserved,
    available: availableOf(pet),
    alertLevel: pet.alertLevel,
  }));
  const rows = pets.map((pet) => {
    const { lowStockAt, restockAt } = thresholdsOf(pet, shop);
    const source = pet.lowStockAt === null ? 'default' : 'own';
    const available = thousands(availableOf(pet));
    return [
      `${pet.petId}`,
      shownUnits(lowStockAt),
      shownUnits(restockAt),
      source,
      available,
      paint.state(pet.alertLevel ?? ''),
    ];
  });
  return { value, text: shownTable(['PET', 'LOW', 'RESTOCK', 'THRESHOLDS', 'AVAILABLE', 'ALERT'], rows) };
}

function defaultText({ lowStockAt, restockAt }: Thresholds): string {
  const whose = 'A pet without thresholds of its own';
  if (lowStockAt === null) return `${whose} is never low.`;
  const back = thousands(restockAt ?? lowStockAt + 1);
  return `${whose} is low at ${count(lowStockAt, 'available unit')}, and back at ${back}.`;
}

function shownUnits(units: number | null): string {
  return units === null ? '' : thousands(units);
}
