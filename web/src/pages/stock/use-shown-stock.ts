import { useEffect, useMemo } from 'react';
import { useSearch } from 'wouter';
import { useKept, useStock, useStockList } from '../../stock/stock-provider.tsx';
import type { StockQuery } from '../../stock/stock-view.ts';
import { useFormat } from '../../texts/texts-context.tsx';
import { usePetsOfSupplier } from './use-pets-of-supplier.ts';
import { useStockQuery } from './use-stock-query.ts';

/** The pets that the address of the page asks for, and what changes that. The page has the same address when it is opened again. */
export function useShownStock() {
  const format = useFormat();
  const { store, reload } = useStock();
  const { list, snapshot } = useStockList('stock');
  const [query, setQuery] = useStockQuery();
  const result = useResultQuery(query);
  const ofSupplier = usePetsOfSupplier(query.supplier);
  useEffect(() => {
    list.setQuery(result, format.compare);
    list.setOfSupplier(ofSupplier.petIds);
  }, [list, result, format, ofSupplier.petIds]);
  const keptAddress = useKept('stock-address', () => ({ current: '' }));
  const search = useSearch();
  useEffect(() => {
    keptAddress.current = search;
  }, [keptAddress, search]);
  /** Filters in the event, so that the page is drawn one time with the new query and its rows. */
  const filter = (changes: Partial<StockQuery>) => {
    list.setQuery(resultQuery({ ...query, ...changes }), format.compare);
    setQuery(changes);
  };
  const isFinding = query.supplier !== undefined && ofSupplier.petIds === undefined;
  return { store, reload, list, snapshot, query, setQuery, result, filter, ofSupplier, isFinding };
}

const resultQuery = ({ hidden: _shown, ...query }: StockQuery): StockQuery => query;

/** The query without the columns, which change no row. */
function useResultQuery(query: StockQuery): StockQuery {
  const text = JSON.stringify(resultQuery(query));
  return useMemo(() => JSON.parse(text) as StockQuery, [text]);
}
