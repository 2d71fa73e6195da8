import { setTimeout as delay } from 'node:timers/promises';
import { IN_STORE_PREFIXES, type InStorePrefix } from '@petstore-inventory/shared/barcodes';
import { MAX_BULK_PETS, MAX_QUANTITY } from '@petstore-inventory/shared/limits';
import { parsePetIds } from '@petstore-inventory/shared/terminal/arguments';
import { withProgress } from '@petstore-inventory/shared/terminal/progress';
import { safe } from '@petstore-inventory/shared/terminal/safe-text';
import { count, thousands } from '@petstore-inventory/shared/terminal/texts';
import { BULK_OUTCOMES, PET_STATUSES, type PetStatus } from '@petstore-inventory/shared/words';
import { type Command, InvalidArgumentError } from 'commander';
import { requireRightClock } from '../../domain/actions/clock.ts';
import type { AdminStore } from '../../domain/admin-store.ts';
import { OperatorError } from '../../domain/errors.ts';
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import {
  BULK_FAILURES,
  type BulkChange,
  type BulkPreview,
  type BulkRow,
  type BulkValues,
  type PetSelection,
} from '../../domain/management/bulk-changes.ts';
import { isDay } from '../../domain/management/reorders.ts';
import type { PetCodes } from '../../domain/management/pet-codes.ts';
import { bulkJson, bulkRowJson } from '../../wire/bulk-json.ts';
import { addCommand } from '../command.ts';
import { requireYes, withYes, type YesOptions } from '../confirm.ts';
import {
  acceptanceOf,
  type ClockOptions,
  type DryRunOption,
  dryRunOutput,
  withAcceptClock,
  withDryRun,
} from '../options.ts';
import { type Output, shownTable } from '../output.ts';
import { databaseCommand } from '../with-database.ts';
import { type FilterOptions, filterOf, withFilters } from './list-pets.ts';

/** Pets of the preview. */
const SHOWN_PETS = 20;
const LOOK_MS = 200;

interface ChangeOptions extends FilterOptions, ClockOptions, DryRunOption, YesOptions {
  readonly set?: Given;
  readonly query?: string;
  readonly all?: true;
  readonly undo?: string;
}

/** The values of `--set`. */
interface Given {
  readonly category?: string | null;
  readonly status?: PetStatus;
  readonly low?: number | null;
  readonly restock?: number | null;
  readonly sku?: string | null;
  readonly barcodes?: readonly [];
  readonly inStorePrefix?: InStorePrefix;
  readonly archived?: boolean;
  readonly supplier?: string | null;
  readonly ordered?: number | 'suggested';
  readonly expectedOn?: string;
}

/** Adds the command that changes many pets. */
export function addChangeMany(pets: Command): void {
  const change = addCommand(pets, 'change', {
    summary: 'change many pets: named ones, or all of a filter',
    notes:
      'Give --set more than once for several values: category=TEXT, status=STATUS, low=N, restock=N,\n' +
      'sku=CAT-{petId} (each pet has its petId there), barcodes=none, in-store=20, or alone supplier=TEXT, archived=yes or no.\n' +
      'ordered=N marks each pet as ordered, ordered=suggested with the units of pets reorders list; with expected=2026-12-03 and supplier=TEXT.\n' +
      'in-store gives pets without a barcode an EAN-13: a prefix from 20 to 29, which GS1 leaves to shops, and the petId.\n' +
      'An empty category, SKU or supplier removes it, and none as low removes the thresholds. low without restock removes restock.\n' +
      'The pets are written 250 at a time, while others write. Pets that change meanwhile stay as they are, and are named.\n' +
      'An interrupted change is finished by the service, or by this command for another change. --undo gives values back for 7 days.',
    example: 'pets change --category Dog --set category=Dogs --dry-run',
  });
  withYes(withDryRun(withAcceptClock(withFilters(change)), 'the pets that would change'))
    .argument('[pet-id...]', `up to ${thousands(MAX_BULK_PETS)} pets`, parsePetIds)
    .option('--query <words>', 'only pets with these words, or this code')
    .option('--all', 'all pets of the shop')
    .option('--set <value>', 'a new value, such as status=pending', parseValue)
    .option('--undo <id>', 'undo a change that was made')
    .action(
      databaseCommand(
        async ({ store, command }, petIds: readonly bigint[] | undefined, options: ChangeOptions) => {
          if (options.undo !== undefined) return undo(store, command, options.undo, options);
          const values = valuesOf(options.set ?? {});
          const selection = await selectionOf(store, petIds ?? [], options, values);
          const preview = await withProgress(command, (progress) => {
            progress.show('Comparing the pets');
            return store.bulkJobs.preview(selection, values, SHOWN_PETS);
          });
          const shown = describedPreview(preview);
          const { planned } = preview.counts;
          if (options.dryRun) return dryRunOutput(shown.value as object, shown.text);
          if (planned === 0) return shown;
          await requireYes(options, {
            what: `pets change would change ${count(planned, 'pet')}`,
            question: () => `${shown.text}\nChange ${count(planned, 'pet')}?`,
            done: 'changed',
          });
          await requireRightClock(store, acceptanceOf(options));
          const { id } = await store.bulkChanges.create(selection, values, CLI_AUTHOR);
          await worked(store, command, 'Planning the change', id);
          await store.bulkChanges.apply(id, CLI_AUTHOR);
          return described(store, await worked(store, command, 'Changing the pets', id));
        },
        { check },
      ),
    );
}

function check(command: Command, petIds: readonly bigint[] | undefined, options: ChangeOptions): void {
  const isFiltered = filters(options).some((value) => value !== undefined);
  const selections = [(petIds?.length ?? 0) > 0, isFiltered, options.all === true].filter(Boolean).length;
  if (options.undo !== undefined) {
    if (selections > 0 || options.set) command.error('error: give --undo without pets and values');
    return;
  }
  if (options.petId) command.error('error: name the pets without --pet');
  if (!options.set) command.error('error: give --set, such as --set status=pending');
  if (selections !== 1) command.error('error: name the pets, or give filters, or --all');
}

function filters({ status, category, supplier, alert, quantityGte, quantityLte, ...others }: ChangeOptions) {
  const { availableLte, updatedSince, query } = others;
  return [status, category, supplier, alert, quantityGte, quantityLte, availableLte, updatedSince, query];
}

async function selectionOf(
  store: AdminStore,
  petIds: readonly bigint[],
  { query, ...options }: ChangeOptions,
  { archived }: BulkValues,
): Promise<PetSelection> {
  if (petIds.length > 0) return { petIds };
  const filter = await filterOf(store, options);
  // Only archived pets can be restored.
  const which = archived === false && filter.archived === 'exclude' ? ('only' as const) : filter.archived;
  return { filter: { ...filter, archived: which, ...(query !== undefined && { query }) } };
}

function valuesOf({ low, restock, ...values }: Given): BulkValues {
  if (low === undefined && restock === undefined) return values;
  return { ...values, thresholds: { lowStockAt: low ?? null, restockAt: restock ?? null } };
}

function parseValue(text: string, before: Given = {}): Given {
  const [, name, value = ''] = /^([\w-]+)=(.*)$/su.exec(text) ?? [];
  if (name === 'category') return { ...before, category: value.trim() === '' ? null : value };
  if (name === 'status') {
    const status = PET_STATUSES.find((one) => one === value);
    if (status) return { ...before, status };
    throw new InvalidArgumentError(`The status is one of ${PET_STATUSES.join(', ')}.`);
  }
  if (name === 'low' || name === 'restock') return { ...before, [name]: parseThreshold(value) };
  if (name === 'sku') return { ...before, sku: value.trim() === '' ? null : value };
  if (name === 'supplier') return { ...before, supplier: value.trim() === '' ? null : value };
  if (name === 'ordered') return { ...before, ordered: value === 'suggested' ? value : parseOrdered(value) };
  if (name === 'expected') return { ...before, expectedOn: parseDay(value) };
  if (name === 'barcodes' && value === 'none') return { ...before, barcodes: [] };
  if (name === 'in-store') {
    const inStorePrefix = IN_STORE_PREFIXES.find((one) => one === value);
    if (inStorePrefix) return { ...before, inStorePrefix };
    throw new InvalidArgumentError('The prefix of barcodes of the shop is a number from 20 to 29.');
  }
  if (name === 'archived' && (value === 'yes' || value === 'no'))
    return { ...before, archived: value === 'yes' };
  throw new InvalidArgumentError(
    'Give category=TEXT, status=STATUS, low=N, restock=N, sku=TEXT, supplier=TEXT, ordered=N, ordered=suggested, expected=DAY, barcodes=none, in-store=N, archived=yes or archived=no.',
  );
}

function parseThreshold(text: string): number | null {
  if (text === 'none') return null;
  const units = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (units <= MAX_QUANTITY) return units;
  throw new InvalidArgumentError('Give a whole number, 0 or more, or none.');
}

function parseOrdered(text: string): number {
  const units = /^\d{1,16}$/.test(text) ? Number(text) : 0;
  if (units >= 1 && units <= MAX_QUANTITY) return units;
  throw new InvalidArgumentError('Give a whole number, 1 or more, or suggested.');
}

function parseDay(text: string): string {
  if (isDay(text)) return text;
  throw new InvalidArgumentError('Give a day such as 2026-12-03.');
}

async function undo(
  store: AdminStore,
  command: Command,
  id: string,
  options: ChangeOptions,
): Promise<Output> {
  const { counts } = await store.bulkChanges.find(id);
  if (options.dryRun) {
    const text = `${count(counts.changed, 'pet')} would get earlier values back.`;
    return dryRunOutput({ changed: counts.changed }, text);
  }
  await requireYes(options, {
    what: `pets change --undo gives ${count(counts.changed, 'pet')} their earlier values back`,
    question: () => `Give ${count(counts.changed, 'pet')} their earlier values back?`,
    done: 'changed',
  });
  await requireRightClock(store, acceptanceOf(options));
  await store.bulkChanges.undo(id, CLI_AUTHOR);
  return described(store, await worked(store, command, 'Undoing the change', id));
}

/** The change when its work is done, by this process or by a service. */
function worked(store: AdminStore, command: Command, step: string, id: string): Promise<BulkChange> {
  return withProgress(command, async (progress) => {
    progress.show(step);
    for (;;) {
      const found = await store.bulkChanges.find(id);
      if (found.failure !== null) {
        throw new OperatorError(`Bulk change ${id} has failed: ${BULK_FAILURES[found.failure]}`);
      }
      if (!found.state.endsWith('ing')) return found;
      if (!(await store.bulkJobs.runNext())) await delay(LOOK_MS);
    }
  });
}

const TEXTS: Readonly<Record<(typeof BULK_OUTCOMES)[number], string>> = {
  planned: 'will change',
  unchanged: 'unchanged',
  refused: 'refused',
  changed: 'changed',
  stale: 'left, because they changed after the preview',
  undone: 'undone',
  kept: 'left, because they were changed again',
};

/** The counts of a change, and its first pets: those that stay first, because they need a look. */
async function described(store: AdminStore, change: BulkChange): Promise<Output> {
  const rows: BulkRow[] = [];
  for (const outcome of ['refused', 'stale', 'kept', 'planned', 'changed', 'undone'] as const) {
    const limit = SHOWN_PETS - rows.length;
    if (limit > 0 && change.counts[outcome] > 0) {
      rows.push(...(await store.bulkChanges.rows(change.id, { outcome, limit })));
    }
  }
  const text = `${change.id}: ${textOf({ counts: change.counts, rows })}`;
  return { value: { ...bulkJson(change), pets: rows.map(bulkRowJson) }, text };
}

function describedPreview(preview: BulkPreview): Output {
  const text = textOf(preview);
  return { value: { counts: preview.counts, pets: preview.rows.map(bulkRowJson) }, text };
}

function textOf({ counts, rows }: BulkPreview): string {
  const parts = BULK_OUTCOMES.filter((outcome) => counts[outcome] > 0).map(
    (outcome) => `${thousands(counts[outcome])} ${TEXTS[outcome]}`,
  );
  const head = parts.length === 0 ? 'no pets match.' : `${parts.join(', ')}.`;
  const hasCodes = rows.some(({ codes }) => codes !== null);
  const hasSuppliers = rows.some(({ before }) => (before?.supplier ?? null) !== null);
  const hasOrders = rows.some(({ ordered }) => ordered !== null);
  const hasThresholds = rows.some(({ before }) => (before?.lowStockAt ?? null) !== null);
  const cells = rows.map(({ petId, name, outcome, reason, codeOwner, before, codes, ordered }) => [
    `${petId}`,
    safe(name ?? ''),
    codeOwner === null ? (reason ?? outcome) : `${reason} by pet ${codeOwner}`,
    safe(before?.category ?? ''),
    before?.status ?? '',
    before?.isArchived ? 'archived' : '',
    ...(hasThresholds ? [`${before?.lowStockAt ?? ''}`, `${before?.restockAt ?? ''}`] : []),
    ...(hasSuppliers ? [safe(before?.supplier ?? '')] : []),
    ...(hasOrders ? [ordered === null ? '' : thousands(ordered)] : []),
    ...(hasCodes ? [codesText(before), codesText(codes)] : []),
  ]);
  const codeHeads = hasCodes ? ['CODES BEFORE', 'CODES'] : [];
  const thresholdHeads = hasThresholds ? ['LOW BEFORE', 'RESTOCK BEFORE'] : [];
  const heads = [
    'PET',
    'NAME',
    'OUTCOME',
    'CATEGORY BEFORE',
    'STATUS BEFORE',
    '',
    ...thresholdHeads,
    ...(hasSuppliers ? ['SUPPLIER BEFORE'] : []),
    ...(hasOrders ? ['UNITS'] : []),
    ...codeHeads,
  ];
  const table = shownTable(heads, cells);
  return rows.length === 0 ? head : `${head}\n${table}`;
}

function codesText(codes: PetCodes | null): string {
  return codes ? safe([...(codes.sku === null ? [] : [codes.sku]), ...codes.barcodes].join(', ')) : '';
}
