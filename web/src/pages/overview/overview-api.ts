import { MAX_PAGE_ITEMS } from '@petstore-inventory/shared/limits';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../../api/client.ts';
import { readPage } from '../../api/pages.ts';
import type { Overview, RunningBan, StoreInventory } from '../../api/schemas.ts';
import { readAgain } from '../../live/read-again.ts';
import { useLiveMovements } from '../../live/use-live.ts';
import { useMay } from '../../session/session-context.tsx';

/** A busy shop changes many times per second; the totals follow at this pace. */
const FOLLOW_MS = 3_000;
/** Webhooks and bans make no movements. */
const POLL_MS = 60_000;

/** The state of the shop, which follows the live stream. */
export function useOverview() {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const reload = () => void readAgain(queries, ['overview']);
  useLiveMovements({
    onMovements: () => {
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        reload();
      }, FOLLOW_MS);
    },
    onGap: reload,
  });
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return useQuery({
    queryKey: ['overview', 'state'],
    queryFn: ({ signal }) => api<Overview>('GET', '/overview', { signal }),
    staleTime: 0,
    refetchInterval: POLL_MS,
  });
}

/** All units in stock, exact however many there are. */
export function useUnits(): bigint | undefined {
  const { data } = useQuery({
    queryKey: ['overview', 'units'],
    queryFn: ({ signal }) => api<StoreInventory>('GET', '/store/inventory', { signal }),
  });
  return data && BigInt(data.available) + BigInt(data.pending) + BigInt(data.sold);
}

/** The number of banned keys, for those who may lift bans. `isLeast`: there are more than a page. */
export function useBans(): { readonly count: number; readonly isLeast: boolean } {
  const isAdministrator = useMay('administrator');
  const { data } = useQuery({
    queryKey: ['overview', 'bans'],
    queryFn: ({ signal }) => readPage<RunningBan>('/bans', { limit: MAX_PAGE_ITEMS }, signal),
    enabled: isAdministrator,
    refetchInterval: POLL_MS,
  });
  return { count: data?.items.length ?? 0, isLeast: data?.next !== undefined };
}
