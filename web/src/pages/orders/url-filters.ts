import { DAY_MS } from '@petstore-inventory/shared/durations';
import { MAX_REFERENCE_ID } from '@petstore-inventory/shared/limits';
import { ORDER_STATES, ORDER_STATUSES } from '@petstore-inventory/shared/words';
import type { ListedState } from '../../components/shown-state.ts';

/** Times to choose, so that a link means the same tomorrow. */
export const SINCE = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS } as const;

export const ADDRESS_FILTERS = ['status', 'state', 'petId', 'ref', 'since'] as const;
export type AddressFilter = (typeof ADDRESS_FILTERS)[number];
/** Columns that a person can hide. */
export const ORDER_COLUMNS = ['status', 'items', 'units', 'reference', 'placed', 'expires'] as const;
export type OrderColumn = (typeof ORDER_COLUMNS)[number];

const HIDE = 'hide';
/** The filters and the hidden columns as the address has them. */
export type UrlFilters = Readonly<Partial<Record<AddressFilter | typeof HIDE, string | undefined>>>;
export type FilterChanges = UrlFilters;

const STATUSES: readonly string[] = ORDER_STATUSES;
const STATES: readonly string[] = ORDER_STATES;
/** In the order of an order's life. */
export const SHOWN_STATES: readonly ListedState[] = ORDER_STATUSES.flatMap((status): ListedState[] =>
  status === 'placed'
    ? [status, 'expiring']
    : status === 'approved'
      ? [status, 'partly_delivered']
      : [status],
);
const PET_ID = /^(0|-?[1-9]\d{0,18})$/;

/** Reads the filters of an address; what does not fit is left out. */
export function filtersOf(parameters: URLSearchParams): UrlFilters {
  const text = (name: AddressFilter, isFit: (value: string) => boolean) => {
    const value = parameters.get(name);
    return value !== null && isFit(value) ? value : undefined;
  };
  return {
    status: text('status', (value) => STATUSES.includes(value)),
    state: text('state', (value) => STATES.includes(value)),
    petId: text('petId', (value) => PET_ID.test(value)),
    ref: text('ref', (value) => value !== '' && value.length <= MAX_REFERENCE_ID),
    since: text('since', (value) => Object.hasOwn(SINCE, value)),
    hide: hideText(hiddenOf({ hide: parameters.get(HIDE) ?? '' })),
  };
}

/** The hidden columns, in their order. */
export function hiddenOf({ hide = '' }: UrlFilters): readonly OrderColumn[] {
  const named = hide.split(',');
  return ORDER_COLUMNS.filter((column) => named.includes(column));
}

export const hideText = (hidden: readonly OrderColumn[]): string | undefined =>
  hidden.length === 0 ? undefined : hidden.join();

/** The filters that show the orders of a state, with the others as they are. */
export const ofState = (state: ListedState | undefined): FilterChanges =>
  state === undefined || STATUSES.includes(state)
    ? { status: state, state: undefined }
    : { status: undefined, state };

export function addressOf(path: string, filters: UrlFilters): string {
  const parameters = new URLSearchParams();
  for (const name of [...ADDRESS_FILTERS, HIDE] as const) {
    const value = filters[name];
    if (value !== undefined) parameters.set(name, value);
  }
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

/** The filters as `queryOf` returns them. */
export type OrderFilters = ReturnType<typeof queryOf>;

/** The filters as the service knows them. `nowMs` is to the minute, so that the same page has the same query. */
export function queryOf({ status, state, petId, ref, since }: UrlFilters, nowMs: number) {
  const length = since === undefined ? undefined : SINCE[since as keyof typeof SINCE];
  return {
    status,
    state,
    petId,
    referenceId: ref,
    createdSince: length === undefined ? undefined : new Date(nowMs - length).toISOString(),
  };
}
