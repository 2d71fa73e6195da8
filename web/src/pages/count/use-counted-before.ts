import { useQuery } from '@tanstack/react-query';
import { readPage } from '../../api/pages.ts';
import type { Movement } from '../../api/schemas.ts';
import { useStocktake } from '../../components/stocktakes/use-stocktakes.ts';
import { findCountedBefore } from './counted-before.ts';

/**
 * The newest count of a pet for a stock-take, which a second person who counts the same shelf does not know of. Without a
 * connection there is none.
 */
export function useCountedBefore(petId: string, stocktakeId: string | undefined): Movement | undefined {
  const { data: stocktake } = useStocktake(stocktakeId);
  const { data } = useQuery({
    queryKey: ['counted-before', stocktakeId, petId],
    queryFn: ({ signal }) =>
      stocktake
        ? findCountedBefore(stocktake, (query) =>
            readPage<Movement>(`/inventory/${petId}/movements`, query, signal),
          )
        : null,
    enabled: stocktake !== undefined,
    gcTime: 0,
  });
  return data ?? undefined;
}
