import { ALERT_LEVELS, PET_STATUSES } from '@petstore-inventory/shared/words';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { writeAddressLater } from '../../components/address-delay.ts';
import { HIDEABLE, SORT_COLUMNS, type SortColumn, type StockQuery } from '../../stock/stock-view.ts';

const ALERTS = ['any', ...ALERT_LEVELS] as const;

/** Filters and order, which are in the address, so that a link shows the same. */
export function useStockQuery(): readonly [StockQuery, (changes: Partial<StockQuery>) => void] {
  const [parameters, setParameters] = useSearchParams();
  const text = parameters.toString();
  /** Words that are not in the address yet. */
  const [typed, setTyped] = useState<string>();
  const query = useMemo(() => {
    const inAddress = readQuery(new URLSearchParams(text));
    return typed === undefined ? inAddress : { ...inAddress, words: typed };
  }, [text, typed]);
  const write = useCallback(
    (changes: Partial<StockQuery>) => {
      setParameters((before) => writeQuery({ ...readQuery(before), ...changes }), { replace: true });
      setTyped(undefined);
    },
    [setParameters],
  );
  useEffect(() => {
    if (typed === undefined) return;
    return writeAddressLater(() => write({ words: typed }));
  }, [typed, write]);
  const change = useCallback(
    ({ words, ...others }: Partial<StockQuery>) => {
      if (Object.keys(others).length > 0) write({ words: words ?? typed ?? query.words, ...others });
      else setTyped(words);
    },
    [write, typed, query.words],
  );
  return [query, change];
}

function readQuery(parameters: URLSearchParams): StockQuery {
  const sort = parameters.get('sort') ?? 'petId';
  const column = sort.replace(/^-/, '');
  const named = parameters.get('hide')?.split(',') ?? [];
  const hidden = HIDEABLE.filter((name) => named.includes(name));
  return {
    words: parameters.get('q') ?? '',
    status: oneOf(PET_STATUSES, parameters.get('status')),
    category: parameters.get('category') ?? undefined,
    ...readSupplier(parameters.get('supplier')),
    alert: oneOf(ALERTS, parameters.get('alert')),
    isArchived: parameters.get('archived') === 'only',
    sort: oneOf<SortColumn>(SORT_COLUMNS, column) ?? 'petId',
    isDescending: sort.startsWith('-'),
    ...(hidden.length > 0 && { hidden }),
  };
}

/** No member without a supplier, so that an address without one is as before. */
const readSupplier = (supplier: string | null) => (supplier === null ? {} : { supplier: supplier.trim() });

/** A query as in the address. */
export const addressQueryOf = (query: StockQuery): string => writeQuery(query).toString();

/** The query of an address, which replaces all of another one: without a supplier all match, and without hidden columns all show. */
export const queryOfAddress = (text: string): StockQuery => ({
  supplier: undefined,
  hidden: [],
  ...readQuery(new URLSearchParams(text)),
});

function writeQuery({
  words,
  status,
  category,
  supplier,
  alert,
  isArchived,
  sort,
  isDescending,
  hidden = [],
}: StockQuery): URLSearchParams {
  const order = `${isDescending ? '-' : ''}${sort}`;
  const parameters = new URLSearchParams();
  if (words !== '') parameters.set('q', words);
  if (status !== undefined) parameters.set('status', status);
  if (category !== undefined) parameters.set('category', category);
  if (supplier !== undefined) parameters.set('supplier', supplier);
  if (alert !== undefined) parameters.set('alert', alert);
  if (isArchived) parameters.set('archived', 'only');
  if (order !== 'petId') parameters.set('sort', order);
  if (hidden.length > 0) parameters.set('hide', hidden.join());
  return parameters;
}

function oneOf<T extends string>(values: readonly T[], text: string | null): T | undefined {
  return values.find((value) => value === text);
}
