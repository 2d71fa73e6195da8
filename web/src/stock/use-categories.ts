import { useFormat } from '../texts/texts-context.tsx';
import { useStock, useStockFacts, useStockList } from './stock-provider.tsx';

/**
 * The categories of the shop, as they are loaded.
 * @param list Names the list of the page that shows them.
 */
export function useCategories(list: string): string[] {
  const { store } = useStock();
  // Draws again when more pets are there.
  useStockList(list);
  const { compare } = useFormat();
  return useStockFacts(store).categories.toSorted(compare);
}
