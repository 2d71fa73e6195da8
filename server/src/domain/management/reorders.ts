import { MAX_QUANTITY, MAX_SUPPLIER } from '@petstore-inventory/shared/limits';
import type { Thresholds } from '@petstore-inventory/shared/thresholds';
import {
  ALERT_LEVELS,
  type AlertLevel,
  type ReorderFilter,
  type ReorderState,
} from '@petstore-inventory/shared/words';
import { type OperatorError, validationFailed } from '../errors.ts';
import { availableOf, type Stock } from '../ledger/stock.ts';
import type { ActionAuthor } from './activity.ts';
import { type ManagedPet, requireLine } from './pets.ts';

/** Rows that are read together. */
const ROWS = 500;

/** What a shop has ordered of a pet, and has not received yet. */
export interface OpenReorder {
  /** Units that were ordered. */
  readonly ordered: number;
  /** Units that arrived: fewer than `ordered`. */
  readonly received: number;
  /** A day such as 2026-12-03; `null`: not known. */
  readonly expectedOn: string | null;
  readonly orderedBy: string;
  readonly orderedByName: string;
  readonly orderedAtMs: number;
}

/** A pet with what a shop needs to know to order it. */
export interface ReorderRow
  extends
    Pick<ManagedPet, 'petId' | 'name' | 'category' | 'sku' | 'archivedAtMs'>,
    Pick<Stock, 'quantity' | 'reserved' | 'alertLevel'> {
  readonly daysOfStock: number | null;
  /** The pet has enough from this number of available units on. */
  readonly enough: number;
  readonly supplier: string | null;
  /** `null`: nothing is on its way. */
  readonly open: OpenReorder | null;
  /** Changes with the order and its supplier, and when all units have arrived. */
  readonly tag: string;
}

export interface ReorderQuery {
  readonly state: ReorderFilter;
  /** Exactly this supplier; an empty text: none. */
  readonly supplier?: string | undefined;
  /** Exactly this category. */
  readonly category?: string | undefined;
  /** With one of these levels. */
  readonly alertLevels?: readonly AlertLevel[] | undefined;
}

/** The place of a pet in the list. The first is the most urgent one. */
export interface ReorderPlace {
  /** 0 for an oversold pet, 1 for one that is out, 2 for a low one, 3 for one with enough units. */
  readonly rank: number;
  /** `null`, without a sale, comes last. */
  readonly daysOfStock: number | null;
  readonly petId: bigint;
}

/** New values; an unset member keeps its value. */
export interface ReorderChange {
  readonly supplier?: string | null | undefined;
  /**
   * Units that are ordered from now on; of a pet of which units are on their way, the corrected number of the same order.
   * `null`: they were not ordered.
   */
  readonly ordered?: number | null | undefined;
  readonly expectedOn?: string | null | undefined;
}

/** What a shop orders. */
export interface ReorderStore {
  /**
   * The places, in any order, of those of the next pets after the pet `beyond` that are in the list, a limited number of
   * pets per call. Places that are surely not after `after`, or surely after `upTo`, may be left out, which saves work.
   */
  places(
    query: ReorderQuery & {
      readonly beyond?: bigint | undefined;
      readonly after?: ReorderPlace | undefined;
      readonly upTo?: ReorderPlace | undefined;
    },
  ): Promise<{ readonly places: readonly ReorderPlace[]; readonly next?: bigint }>;
  /** The existing pets of `petIds` at one moment, in the order of `petIds`. */
  rows(petIds: readonly bigint[]): Promise<readonly ReorderRow[]>;
  /** @throws OperatorError `not_found`. */
  find(petId: bigint): Promise<ReorderRow>;
  /**
   * Without a change nothing is recorded.
   * @param ifMatch The tags of which the pet must have one; `*` and `undefined`: any.
   * @throws OperatorError `not_found`, `validation_failed` or `precondition_failed`.
   */
  update(
    petId: bigint,
    change: ReorderChange,
    author: ActionAuthor,
    ifMatch?: readonly string[] | '*',
  ): Promise<ReorderRow>;
  /** The suppliers by their bytes, up to a limit. */
  suppliers(): Promise<readonly string[]>;
}

/** The available units at which a pet has no alert level any more. */
export function enoughOf({ lowStockAt, restockAt }: Thresholds): number {
  // A pet that is low at the largest quantity never has enough.
  return lowStockAt === null ? 1 : Math.min(MAX_QUANTITY, Math.max(1, restockAt ?? lowStockAt + 1));
}

/** Units that are on their way. */
export function outstandingOf({ open }: Pick<ReorderRow, 'open'>): number {
  return open ? open.ordered - open.received : 0;
}

/** Units to order, besides those that are on their way, for the pet to have enough. */
export function suggestedOf(row: Pick<ReorderRow, 'enough' | 'quantity' | 'reserved' | 'open'>): number {
  const missing = row.enough - availableOf(row) - outstandingOf(row);
  return Math.min(MAX_QUANTITY, Math.max(0, missing));
}

/** Why a pet is in the list. */
interface ReorderNeed extends Pick<ReorderRow, 'alertLevel'> {
  /** `null`: nothing is on its way. */
  readonly open: object | null;
}

/** `null`: the pet has enough, and nothing is on its way. */
export function reorderStateOf({ alertLevel, open }: ReorderNeed): ReorderState | null {
  if (open) return 'ordered';
  return alertLevel === null ? null : 'to_order';
}

export function isListed(
  row: ReorderNeed & Pick<ReorderRow, 'archivedAtMs' | 'supplier' | 'category'>,
  query: ReorderQuery,
): boolean {
  const { state, supplier, category, alertLevels } = query;
  const own = reorderStateOf(row);
  if (own === null || row.archivedAtMs !== null || (state !== 'all' && state !== own)) return false;
  if (alertLevels && !alertLevels.some((level) => level === row.alertLevel)) return false;
  if (supplier !== undefined && (row.supplier ?? '') !== supplier) return false;
  return category === undefined || row.category === category;
}

export function placeOf({
  petId,
  alertLevel,
  daysOfStock,
}: Pick<ReorderRow, 'petId' | 'alertLevel' | 'daysOfStock'>): ReorderPlace {
  const rank = alertLevel === null ? ALERT_LEVELS.length : ALERT_LEVELS.toReversed().indexOf(alertLevel);
  return { rank, daysOfStock, petId };
}

function comparePlaces(a: ReorderPlace, b: ReorderPlace): number {
  const days = (place: ReorderPlace) => place.daysOfStock ?? Number.MAX_VALUE;
  return a.rank - b.rank || days(a) - days(b) || (a.petId < b.petId ? -1 : Number(a.petId > b.petId));
}

/**
 * The rows of the list, the most urgent one first, some at a time. The order is that of one moment; a row is as it is when
 * it is read, and left out if it is not in the list any more.
 */
export async function* reorderRows(
  store: Pick<ReorderStore, 'places' | 'rows'>,
  query: ReorderQuery,
): AsyncGenerator<readonly ReorderRow[]> {
  const places = await firstPlaces(store, query, Number.POSITIVE_INFINITY);
  for (let i = 0; i < places.length; i += ROWS) {
    const rows = await store.rows(places.slice(i, i + ROWS).map(({ petId }) => petId));
    yield rows.filter((row) => isListed(row, query));
  }
}

/** The next rows of the list after a place, and where the page after them begins; `next` is missing on the last page. */
export async function reorderPage(
  store: Pick<ReorderStore, 'places' | 'rows'>,
  query: ReorderQuery,
  { limit, after }: { readonly limit: number; readonly after?: ReorderPlace | undefined },
): Promise<{ readonly items: readonly ReorderRow[]; readonly next?: ReorderPlace }> {
  const items: ReorderRow[] = [];
  let from = after;
  for (;;) {
    // One more shows whether another page follows. Others take the places of pets that have left the list meanwhile.
    const most = limit - items.length + 1;
    const places = await firstPlaces(store, query, most, from);
    for (const row of await store.rows(places.map(({ petId }) => petId))) {
      if (!isListed(row, query)) continue;
      const last = items.at(-1);
      if (last && items.length === limit) return { items, next: placeOf(last) };
      items.push(row);
    }
    if (places.length < most) return { items };
    from = places.at(-1);
  }
}

/** The first places after one, in order, and at most so many. */
async function firstPlaces(
  store: Pick<ReorderStore, 'places'>,
  query: ReorderQuery,
  most: number,
  after?: ReorderPlace,
): Promise<readonly ReorderPlace[]> {
  const places: ReorderPlace[] = [];
  let beyond: bigint | undefined;
  do {
    const upTo = places.length === most ? places.at(-1) : undefined;
    const part = await store.places({ ...query, beyond, after, upTo });
    for (const place of part.places) if (!after || comparePlaces(place, after) > 0) places.push(place);
    if (places.length >= most) {
      places.sort(comparePlaces);
      places.length = most;
    }
    beyond = part.next;
  } while (beyond !== undefined);
  return places.sort(comparePlaces);
}

/** A supplier as it is stored: without spaces at its ends. @throws OperatorError `validation_failed`. */
export function requireSupplier(text: string | null): string | null {
  return requireLine('supplier: it', text, MAX_SUPPLIER);
}

/** Whether a text is a day of the calendar, such as 2026-12-03. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const atMs = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(text);
}

export const DAY_RULE = 'must be a day such as 2026-12-03, or null.';

/** @throws OperatorError `validation_failed`. */
export function requireChange(change: ReorderChange): void {
  const { ordered = null, expectedOn = null } = change;
  if (ordered !== null && !(Number.isSafeInteger(ordered) && ordered >= 1)) {
    throw validationFailed(`ordered: must be a whole number from 1 to ${MAX_QUANTITY}, or null.`);
  }
  if (expectedOn !== null && !isDay(expectedOn)) throw validationFailed(`expectedOn: ${DAY_RULE}`);
}

/** The refusal of a day for which nothing is ordered. */
export function nothingOrdered(): OperatorError {
  return validationFailed('expectedOn: nothing is ordered of this pet; send ordered too.');
}
