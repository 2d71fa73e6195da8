import { petIdAfter } from '@petstore-inventory/shared/pet-id';
import { ApiError } from '../../domain/errors.ts';
import type { StockFilter } from '../../domain/ledger/stock.ts';
import type { StockPage, StockQuery } from '../../domain/ledger-store.ts';
import type { Parameter } from '../sql-client.ts';

/**
 * Pets per statement: some milliseconds where each one's chain is followed, and few enough for PostgreSQL not to
 * compile the statement (`jit_above_cost`), which would take ten times as long.
 */
const PETS_PER_PAGE = 128;

/** For the pets from `first` on, or for these. */
type StockPageQuestion = { readonly values: readonly Parameter[] } & (
  | { readonly name: 'stockPage'; readonly first: string }
  | { readonly name: 'stockPageOf'; readonly petIds: readonly string[]; readonly isMore: boolean }
);

/** What a statement returns of a page; a truth is 1 or 0 in SQLite. */
export interface StockPageRow {
  /** The newest movement, and the retention start. */
  readonly newest: number;
  readonly start: number;
  readonly json: string;
  readonly itemCount: number;
  readonly foundCount: number;
  /** Number of pets whose time of change is deleted, if the query needs it. */
  readonly undatedCount: number;
  readonly lastItem: string | null;
  readonly lastScanned: string | null;
  readonly isMore: boolean | number;
}

const EMPTY: StockPage = { json: '', itemCount: 0, nextAfter: undefined };

/** The statement for a page, or the page itself where no statement is needed. */
export function stockPageStatement({
  sequence,
  filter,
  after,
  limit,
}: StockQuery): StockPageQuestion | StockPage {
  const { status, quantityLte, quantityGte, updatedSinceMs, availableLte, alertLevels, petIds } = filter;
  // Without a filter each pet is an item, except those that did not exist yet.
  const most = isSelective(filter) ? PETS_PER_PAGE : Math.min(limit, PETS_PER_PAGE);
  const values = [
    most,
    sequence,
    status ?? null,
    quantityLte ?? null,
    quantityGte ?? null,
    updatedSinceMs === undefined ? null : Math.ceil(updatedSinceMs),
    limit,
    availableLte ?? null,
    alertLevels ? `,${alertLevels.join()},` : null,
  ];
  if (!petIds) {
    const first = petIdAfter(after);
    if (first === undefined) return EMPTY;
    return { name: 'stockPage', first: String(first), values };
  }
  const from = after === undefined ? 0 : firstAfter(petIds, after);
  const some = petIds.slice(from, from + most);
  if (some.length === 0) return EMPTY;
  return { name: 'stockPageOf', petIds: some.map(String), isMore: from + most < petIds.length, values };
}

function isSelective({ petIds: _petIds, ...conditions }: StockFilter): boolean {
  return Object.values(conditions).some((bound) => bound !== undefined);
}

/** The position of the first of ascending ids that comes after one. */
function firstAfter(petIds: readonly bigint[], after: bigint): number {
  let low = 0;
  let high = petIds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((petIds[middle] as bigint) <= after) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @throws ApiError `history_pruned` where movements that would have to be known are gone. */
export function toStockPage(
  row: StockPageRow,
  question: StockPageQuestion,
  { sequence }: StockQuery,
): StockPage {
  if (sequence < row.start) {
    throw new ApiError('history_pruned', `The ledger is kept from movement ${row.start} on.`);
  }
  if (row.undatedCount > 0) {
    throw new ApiError(
      'history_pruned',
      'When pets were changed before is not kept as far back as updatedSince asks.',
    );
  }
  const { json, itemCount } = row;
  return { json, itemCount, nextAfter: nextAfter(row, question) };
}

function nextAfter(row: StockPageRow, question: StockPageQuestion): bigint | undefined {
  if (row.foundCount > row.itemCount) return idOf(row.lastItem);
  if (question.name === 'stockPage') return row.isMore ? idOf(row.lastScanned) : undefined;
  return question.isMore ? idOf(question.petIds.at(-1)) : undefined;
}

function idOf(text: string | null | undefined): bigint | undefined {
  return text === null || text === undefined ? undefined : BigInt(text);
}
