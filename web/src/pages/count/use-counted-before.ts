import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Movement } from '../../api/schemas.ts';
import { findCountedBefore } from './counted-before.ts';

/**
 * The newest count of a pet for a stock-take, which a second person who counts the same shelf does not know of. Without a
 * connection there is none.
 */
export function useCountedBefore(petId: string, stocktakeId: string | undefined): Movement | undefined {
  const { data } = useQuery({
    queryKey: ['counted-before', stocktakeId, petId],
    queryFn: ({ signal }) =>
      findCountedBefore(stocktakeId, (query) =>
        api<readonly Movement[]>('GET', `/inventory/${petId}/movements`, { query, signal }),
      ),
    enabled: stocktakeId !== undefined,
    gcTime: 0,
  });
  return data ?? undefined;
}
