import { type Command, InvalidArgumentError, Option } from 'commander';
import { MAX_LISTED_PETS } from '../limits.ts';
import { ALERT_LEVELS, type AlertLevel, PET_STATUSES, type PetStatus } from '../words.ts';
import { parseDelta, parsePetIds, parseUnits } from './arguments.ts';

/** Values of the filters, each under the name of its query parameter. */
export interface StockFilterOptions<T> {
  readonly petId?: readonly bigint[];
  readonly status?: PetStatus;
  readonly alert?: readonly AlertLevel[];
  readonly quantityGte?: number;
  readonly quantityLte?: number;
  readonly availableLte?: number;
  readonly updatedSince?: T;
}

/**
 * Adds the filters by stock, which both command lines have. The second name of an option is that of its query parameter,
 * and commander keeps the value under it.
 */
export function withStockFilters<T>(command: Command, parsePast: (text: string) => T): Command {
  return command
    .option(
      '--pet, --pet-id <pet-ids>',
      `only these pets, with commas between them; up to ${MAX_LISTED_PETS}`,
      (text, earlier: readonly bigint[] = []) => listedPets(parsePetIds(text, earlier)),
    )
    .addOption(new Option('--status <status>', 'only pets of this status').choices(PET_STATUSES))
    .option(
      '--alert <levels>',
      `only pets of these alert levels: ${ALERT_LEVELS.join(',')}`,
      parseAlertLevels,
    )
    .option('--min-quantity, --quantity-gte <n>', 'only pets with this many units or more', parseUnits)
    .option('--max-quantity, --quantity-lte <n>', 'only pets with this many units or fewer', parseUnits)
    .option(
      '--max-available, --available-lte <n>',
      'only pets with this many available units or fewer; may be below 0',
      parseDelta,
    )
    .option(
      '--since, --updated-since <time>',
      'only pets whose stock changed at this UTC time or later, or in the last 90m, 7d, …',
      parsePast,
    );
}

function listedPets(petIds: readonly bigint[]): readonly bigint[] {
  if (petIds.length <= MAX_LISTED_PETS) return petIds;
  throw new InvalidArgumentError(`Give at most ${MAX_LISTED_PETS} pets.`);
}

/** Reads the value of `--alert`. */
export function parseAlertLevels(text: string): readonly AlertLevel[] {
  const wanted = new Set(text.split(','));
  const levels = ALERT_LEVELS.filter((level) => wanted.has(level));
  if (levels.length === wanted.size) return levels;
  throw new InvalidArgumentError(`Give one or more of ${ALERT_LEVELS.join(', ')}, with commas between them.`);
}
