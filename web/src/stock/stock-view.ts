import type { AlertLevel, PetStatus } from '../api/schemas.ts';
import { availableOf, folded, type StockRow } from './stock-row.ts';

export const SORT_COLUMNS = [
  'petId',
  'name',
  'category',
  'status',
  'reserved',
  'available',
  'quantity',
  'alert',
  'changed',
] as const;
export type SortColumn = (typeof SORT_COLUMNS)[number];

export interface StockQuery {
  readonly words: string;
  readonly status: PetStatus | undefined;
  readonly category: string | undefined;
  /** `any`: low, out or oversold. */
  readonly alert: AlertLevel | 'any' | undefined;
  readonly isArchived: boolean;
  readonly sort: SortColumn;
  readonly isDescending: boolean;
}

const ALERT_RANKS: Readonly<Record<AlertLevel, number>> = { low: 1, out: 2, oversold: 3 };

type SortKey = (row: StockRow) => number | string;
const SORT_KEYS: Readonly<Record<Exclude<SortColumn, 'petId'>, SortKey>> = {
  name: ({ name }) => folded(name ?? '\u{FFFF}'),
  category: ({ category }) => folded(category ?? '\u{FFFF}'),
  status: ({ status }) => status,
  reserved: ({ reserved }) => reserved,
  available: availableOf,
  quantity: ({ quantity }) => quantity,
  alert: ({ alertLevel }) => (alertLevel === null ? 0 : ALERT_RANKS[alertLevel]),
  changed: ({ updatedAtMs }) => updatedAtMs,
};

/** Whether a row belongs to the result. All words must begin somewhere in it. */
export function matcher({
  words,
  status,
  category,
  alert,
  isArchived,
}: StockQuery): (row: StockRow) => boolean {
  const parts = folded(words)
    .split(/\s+/)
    .filter((word) => word !== '');
  return (row) => {
    if ((row.archivedAtMs !== null) !== isArchived) return false;
    if (status !== undefined && row.status !== status) return false;
    if (category !== undefined && row.category !== category) return false;
    if (alert === 'any' ? row.alertLevel === null : alert !== undefined && row.alertLevel !== alert)
      return false;
    for (const part of parts) {
      if (!row.searched.includes(part)) return false;
    }
    return true;
  };
}

/** Whether two states of a row may be at different places of the result. */
export function mayMove(query: StockQuery, before: StockRow, after: StockRow): boolean {
  const matches = matcher(query);
  if (matches(before) !== matches(after)) return true;
  if (query.sort === 'petId') return false;
  const key = SORT_KEYS[query.sort];
  return matches(after) && key(before) !== key(after);
}

/** The indexes of all rows in the order of a column. Rows are in the order of petId. */
export function sortedIndexes(
  rows: readonly StockRow[],
  sort: SortColumn,
  isDescending: boolean,
): Uint32Array {
  const indexes = Uint32Array.from(rows, (_row, index) => index);
  if (sort === 'petId') return isDescending ? indexes.reverse() : indexes;
  const keys = rows.map(SORT_KEYS[sort]);
  const sign = isDescending ? -1 : 1;
  return indexes.sort((a, b) => {
    const [one, other] = [keys[a] as string, keys[b] as string];
    return one < other ? -sign : one > other ? sign : a - b;
  });
}

export function matchingIndexes(
  rows: readonly StockRow[],
  indexes: Uint32Array,
  query: StockQuery,
): readonly number[] {
  const matches = matcher(query);
  const found: number[] = [];
  for (const index of indexes) {
    if (matches(rows[index] as StockRow)) found.push(index);
  }
  return found;
}
