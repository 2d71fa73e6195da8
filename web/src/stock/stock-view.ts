import type { AlertLevel, PetStatus } from '../api/schemas.ts';
import { availableOf, folded, type StockRow } from './stock-row.ts';

export const SORT_COLUMNS = [
  'petId',
  'name',
  'sku',
  'category',
  'status',
  'reserved',
  'available',
  'quantity',
  'alert',
  'changed',
] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];

/** Columns that a person can hide. */
export const HIDEABLE = [
  'petId',
  'sku',
  'category',
  'status',
  'alert',
  'reserved',
  'available',
  'changed',
] as const satisfies readonly SortColumn[];
export type HideableColumn = (typeof HIDEABLE)[number];

export interface StockQuery {
  readonly words: string;
  readonly status: PetStatus | undefined;
  readonly category: string | undefined;
  /** An empty text: none. */
  readonly supplier?: string | undefined;
  /** `any`: low, out or oversold. */
  readonly alert: AlertLevel | 'any' | undefined;
  readonly isArchived: boolean;
  readonly sort: SortColumn;
  readonly isDescending: boolean;
  /** In the order of the columns. */
  readonly hidden?: readonly HideableColumn[];
}

const ALERT_RANKS: Readonly<Record<AlertLevel, number>> = { low: 1, out: 2, oversold: 3 };

type NumberKey = (row: StockRow) => number;
type TextColumn = 'name' | 'sku' | 'category' | 'status';
const NUMBER_KEYS: Readonly<Record<Exclude<SortColumn, 'petId' | TextColumn>, NumberKey>> = {
  reserved: ({ reserved }) => reserved,
  available: availableOf,
  quantity: ({ quantity }) => quantity,
  alert: ({ alertLevel }) => (alertLevel === null ? 0 : ALERT_RANKS[alertLevel]),
  changed: ({ updatedAtMs }) => updatedAtMs,
};

type Compare = (a: StockRow, b: StockRow) => number;
/** Compares texts as the person's language does. */
export type CompareTexts = (a: string, b: string) => number;

/** The order of a column; rows without a text are last. */
function comparison(sort: Exclude<SortColumn, 'petId'>, compareTexts: CompareTexts): Compare {
  if (sort !== 'name' && sort !== 'sku' && sort !== 'category' && sort !== 'status') {
    const key = NUMBER_KEYS[sort];
    return (a, b) => key(a) - key(b);
  }
  return ({ [sort]: a }, { [sort]: b }) => {
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return a === b ? 0 : compareTexts(a, b);
  };
}

/** The pets of the supplier of a query, which rows do not have. */
export type PetsOfSupplier = ReadonlySet<string> | undefined;

/**
 * Whether a row belongs to the result. All words must begin somewhere in it.
 * @param ofSupplier Without it, no row belongs to the result of a query with a supplier.
 */
export function matcher(
  { words, status, category, supplier, alert, isArchived }: StockQuery,
  ofSupplier: PetsOfSupplier,
): (row: StockRow) => boolean {
  const parts = folded(words)
    .split(/\s+/)
    .filter((word) => word !== '');
  return (row) => {
    if ((row.archivedAtMs !== null) !== isArchived) return false;
    if (status !== undefined && row.status !== status) return false;
    if (category !== undefined && row.category !== category) return false;
    if (supplier !== undefined && !ofSupplier?.has(row.petId)) return false;
    if (alert === 'any' ? row.alertLevel === null : alert !== undefined && row.alertLevel !== alert)
      return false;
    for (const part of parts) {
      if (!row.searched.includes(part)) return false;
    }
    return true;
  };
}

/** Whether two states of a row may be at different places of the result. */
export function mover(
  query: StockQuery,
  ofSupplier: PetsOfSupplier,
): (before: StockRow, after: StockRow) => boolean {
  const matches = matcher(query, ofSupplier);
  const compare = query.sort === 'petId' ? () => 0 : comparison(query.sort, (a, b) => (a === b ? 0 : 1));
  return (before, after) => {
    const isShown = matches(after);
    return matches(before) !== isShown || (isShown && compare(before, after) !== 0);
  };
}

/** The first indexes, in their order. `Uint32Array.from` with a function takes many times as long. */
export function inOrder(count: number): Uint32Array {
  const indexes = new Uint32Array(count);
  for (let index = 0; index < count; index += 1) indexes[index] = index;
  return indexes;
}

/** Rows that are compared between two pauses; a language compares about a thousand pairs in a millisecond. */
const SLICE = 1_024;

/**
 * The indexes of all rows in the order of a column, by merging, with a pause after each few milliseconds of work: 100,000
 * names take a second. Rows are in the order of petId, which decides between equal ones.
 */
export function* sorting(
  rows: readonly StockRow[],
  { sort, isDescending }: Pick<StockQuery, 'sort' | 'isDescending'>,
  compareTexts: CompareTexts,
): Generator<undefined, Uint32Array> {
  const sorted = inOrder(rows.length);
  if (sort === 'petId') return isDescending ? sorted.reverse() : sorted;
  const compareRows = comparison(sort, compareTexts);
  const sign = isDescending ? -1 : 1;
  const compare = (a: number, b: number) =>
    sign * compareRows(rows[a] as StockRow, rows[b] as StockRow) || a - b;
  for (let start = 0; start < sorted.length; start += SLICE) {
    sorted.subarray(start, start + SLICE).sort(compare);
    yield;
  }
  for (let width = SLICE; width < sorted.length; width *= 2) {
    for (let start = 0; start + width < sorted.length; start += 2 * width) {
      yield* merging(sorted.subarray(start, start + 2 * width), width, compare);
    }
  }
  return sorted;
}

/** Merges the two sorted parts of an array in place. */
function* merging(
  whole: Uint32Array,
  width: number,
  compare: (a: number, b: number) => number,
): Generator<undefined, void> {
  const first = whole.slice(0, width);
  let [left, right] = [0, width];
  for (let to = 0; left < first.length; to += 1) {
    const isLeft = right >= whole.length || compare(first[left] as number, whole[right] as number) <= 0;
    whole[to] = (isLeft ? first[left] : whole[right]) as number;
    if (isLeft) left += 1;
    else right += 1;
    if (to % SLICE === 0) yield;
  }
}

/** Whether all rows of the result of a query are in the result of another one, in which fewer letters of a word are typed. */
export function isNarrower(
  { words, hidden: _hidden, ...query }: StockQuery,
  { words: before, hidden: _before, ...other }: StockQuery,
): boolean {
  return folded(words).startsWith(folded(before)) && JSON.stringify(query) === JSON.stringify(other);
}

export function matchingIndexes(
  rows: readonly StockRow[],
  indexes: Uint32Array | readonly number[],
  query: StockQuery,
  ofSupplier: PetsOfSupplier,
): readonly number[] {
  const matches = matcher(query, ofSupplier);
  const found: number[] = [];
  for (const index of indexes) {
    if (matches(rows[index] as StockRow)) found.push(index);
  }
  return found;
}
