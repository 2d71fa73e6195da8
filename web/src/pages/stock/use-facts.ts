import { useMemo } from 'react';
import { ChosenUnits, StockFacts } from '../../stock/stock-facts.ts';
import type { StockSnapshot } from '../../stock/stock-list.ts';
import { useKept } from '../../stock/stock-provider.tsx';
import type { StockStore } from '../../stock/stock-store.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';

/** The line of facts below the title, the categories that exist, and the number of pets among which to search. */
export function useFacts(store: StockStore, { isComplete }: StockSnapshot, isArchived: boolean) {
  const counted = useKept('stock-facts', () => new StockFacts(store));
  const { stock, shared } = useTexts();
  const format = useFormat();
  const { pets, alerts } = counted;
  const text = shared.pets(format.count(pets));
  const names = counted.categories;
  const categories = useMemo(() => names.toSorted(format.compare), [names, format]);
  return {
    facts: isComplete ? stock.facts(text, format.quantity(alerts)) : stock.loadingPets(text),
    total: isArchived ? store.rows.length - pets : pets,
    categories,
  };
}

/** The units of the selected pets. */
export const useUnits = (store: StockStore, petIds: ReadonlySet<string>): number =>
  useKept('stock-units', () => new ChosenUnits(store)).of(petIds);
