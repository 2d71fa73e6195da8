import { type Command, InvalidArgumentError, Option } from 'commander';
import { MAX_LISTED_PETS } from '../limits.ts';
import { ALERT_LEVELS, type AlertLevel, PET_STATUSES, type PetStatus } from '../words.ts';

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

interface Parsers<T> {
  readonly petId: (text: string) => bigint;
  /** A whole number, 0 or more. */
  readonly units: (text: string) => number;
  readonly past: (text: string) => T;
}

/**
 * Adds the filters by stock, which both command lines have. The second name of an option is that of its query parameter,
 * and commander keeps the value under it.
 */
export function withStockFilters<T>(command: Command, { petId, units, past }: Parsers<T>): Command {
  return command
    .option(
      '--pet, --pet-id <pet-ids>',
      `only these pets, with commas between them; up to ${MAX_LISTED_PETS}`,
      (text, earlier: readonly bigint[] = []) => listedPets([...earlier, ...text.split(',').map(petId)]),
    )
    .addOption(new Option('--status <status>', 'only pets of this status').choices(PET_STATUSES))
    .option(
      '--alert <levels>',
      `only pets of these alert levels: ${ALERT_LEVELS.join(',')}`,
      parseAlertLevels,
    )
    .option('--min-quantity, --quantity-gte <n>', 'only pets with this many units or more', units)
    .option('--max-quantity, --quantity-lte <n>', 'only pets with this many units or fewer', units)
    .option(
      '--max-available, --available-lte <n>',
      'only pets with this many available units or fewer; may be below 0',
      parseAvailable,
    )
    .option(
      '--since, --updated-since <time>',
      'only pets whose stock changed at this UTC time or later, or in the last 90m, 7d, …',
      past,
    );
}

function listedPets(petIds: readonly bigint[]): readonly bigint[] {
  if (petIds.length <= MAX_LISTED_PETS) return petIds;
  throw new InvalidArgumentError(`Give at most ${MAX_LISTED_PETS} pets.`);
}

function parseAlertLevels(text: string): readonly AlertLevel[] {
  const wanted = new Set(text.split(','));
  const levels = ALERT_LEVELS.filter((level) => wanted.has(level));
  if (levels.length === wanted.size) return levels;
  throw new InvalidArgumentError(`Give one or more of ${ALERT_LEVELS.join(', ')}, with commas between them.`);
}

function parseAvailable(text: string): number {
  const units = /^[-+]?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  // Never -0.
  if (Number.isSafeInteger(units)) return units + 0;
  throw new InvalidArgumentError('Give a whole number such as 5 or -1.');
}
