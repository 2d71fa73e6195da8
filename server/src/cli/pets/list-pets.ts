import { barcodeFault } from '@petstore-inventory/shared/barcodes';
import { parsePetIdArgument } from '@petstore-inventory/shared/terminal/arguments';
import { type LimitOptions, mostOf, withLimit } from '@petstore-inventory/shared/terminal/list-limit';
import { type StockFilterOptions, withStockFilters } from '@petstore-inventory/shared/terminal/stock-filters';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AdminStore } from '../../domain/admin-store.ts';
import { storableCode } from '../../domain/management/pet-codes.ts';
import {
  ARCHIVED_FILTERS,
  type ManagedPet,
  type PetPosition,
  type PetQuery,
} from '../../domain/management/pets.ts';
import { onlySet } from '../../domain/only-set.ts';
import { addCommand } from '../command.ts';
import type { Output } from '../output.ts';
import { type Moment, parsePastTime } from '../parse-time.ts';
import { databaseCommand } from '../with-database.ts';
import { describePets } from './format-pets.ts';

const PAGE = 500;

type Filter = Omit<PetQuery, 'query' | 'after' | 'limit'>;

export interface FilterOptions
  extends
    Pick<Filter, 'archived' | 'category' | 'supplier' | 'sku' | 'barcode'>,
    StockFilterOptions<Moment> {}

interface ListOptions extends FilterOptions, LimitOptions {
  readonly after?: bigint;
}

/** Adds the commands that list and search pets. */
export function addList(pets: Command): void {
  withListOptions(
    addCommand(pets, 'list', {
      summary: 'list pets by petId',
      example: 'pets list --category Dogs --alert low,out',
    }),
  )
    .option('--after <pet-id>', 'only pets with a greater petId', parsePetIdArgument)
    .action(
      databaseCommand(({ store }, options: ListOptions) => {
        const { after } = options;
        return firstPets(store, options, after === undefined ? {} : { after: { petId: after } });
      }),
    );
  withListOptions(
    addCommand(pets, 'search', {
      summary: 'find pets by words of their name and category, or by a code',
      notes:
        'Each word may be the beginning of a word of the pet. A barcode, SKU or petId finds its pet first.',
      example: 'pets search golden retr',
    }),
  )
    .argument('<words...>', 'the words, all of which the pet must have')
    .action(
      databaseCommand(({ store }, words: readonly string[], options: ListOptions) =>
        firstPets(store, options, { query: words.join(' ') }),
      ),
    );
}

/** Adds which pets a command includes. */
function withArchived(command: Command): Command {
  return command.addOption(
    new Option('--archived <which>', 'whether archived pets are included')
      .choices(ARCHIVED_FILTERS)
      .default('exclude'),
  );
}

/** Adds the filters of pets. */
export function withFilters(command: Command): Command {
  return withStockFilters(withArchived(command), parsePastTime)
    .addOption(
      new Option('--category <category>', 'only pets of exactly this category, by its words').conflicts(
        'after',
      ),
    )
    .option('--supplier <text>', 'only pets of exactly this supplier; an empty text: of none', (text) =>
      text.trim(),
    );
}

function withListOptions(command: Command): Command {
  return withFilters(withLimit(command, 'pets'))
    .addOption(
      new Option('--sku <code>', 'only the pet with this SKU').argParser(parseSku).conflicts('after'),
    )
    .addOption(
      new Option('--barcode <code>', 'only the pet with this barcode')
        .argParser(parseBarcode)
        .conflicts('after'),
    );
}

function parseSku(text: string): string {
  if (storableCode(text.trim())) return text.trim();
  throw new InvalidArgumentError('Give the SKU of a pet.');
}

function parseBarcode(text: string): string {
  const fault = barcodeFault(text.trim());
  if (fault === undefined) return text.trim();
  throw new InvalidArgumentError(`The barcode ${fault}`);
}

interface Start {
  readonly query?: string;
  readonly after?: PetPosition;
}

/** Pets by pages, because a page may be short or empty before the last one. */
async function firstPets(
  store: AdminStore,
  options: ListOptions,
  { query, after: start }: Start,
): Promise<Output> {
  const limit = mostOf(options);
  const filter = await filterOf(store, options);
  const found: ManagedPet[] = [];
  let after = start;
  do {
    const page = await store.pets.list({
      ...filter,
      limit: Math.min(PAGE, limit - found.length),
      ...(query !== undefined && { query }),
      ...(after && { after }),
    });
    found.push(...page.pets);
    after = page.next;
  } while (after && found.length < limit);
  return describePets(found, after !== undefined);
}

/** The filter of the options. */
export async function filterOf(store: AdminStore, options: FilterOptions): Promise<Filter> {
  const { archived, status, category, supplier, alert, petId, updatedSince, sku, barcode } = options;
  const { quantityGte, quantityLte, availableLte } = options;
  return onlySet<Filter>({
    archived,
    status,
    category,
    supplier,
    sku,
    barcode,
    alertLevels: alert,
    petIds: petId && ascending(petId),
    quantityGte,
    quantityLte,
    availableLte,
    updatedSinceMs: updatedSince?.(await store.now()),
  });
}

function ascending(petIds: readonly bigint[]): readonly bigint[] {
  return [...new Set(petIds)].sort((a, b) => (a < b ? -1 : 1));
}
