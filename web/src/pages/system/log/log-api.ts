import { MAX_PAGE_ITEMS } from '@petstore-inventory/shared/limits';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../../api/client.ts';
import { readPage } from '../../../api/pages.ts';
import type { ActivityEntry, AdminKey, BulkChange, Stocktake } from '../../../api/schemas.ts';
import { dayStart } from '../../../components/day-start.ts';
import { readAll } from '../../../components/downloads/read-all.ts';

export const LOG_KEY = ['system', 'log'];
export const UNDOABLE_KEY = ['bulk-changes', 'undoable'];

const ENTRIES_PER_PAGE = 100;

export interface LogFilters {
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  /** Days of the person, such as 2026-11-22; both are included. */
  readonly since: string;
  readonly until: string;
}

const queryOf = ({ actor, action, target, since, until }: LogFilters) => ({
  actor,
  action,
  target,
  since: dayStart(since),
  until: dayStart(until, 1),
});

/** A page of the entries that the filters show, for a file. */
export const readLogPage = (filters: LogFilters, cursor: string | undefined) =>
  readPage<ActivityEntry>('/activity', { ...queryOf(filters), limit: MAX_PAGE_ITEMS, cursor });

/** The activity log, newest first, one page after the other. */
export function useLog(filters: LogFilters) {
  const query = queryOf(filters);
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [...LOG_KEY, query],
    queryFn: ({ pageParam, signal }) =>
      readPage<ActivityEntry>('/activity', { ...query, limit: ENTRIES_PER_PAGE, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
  const entries = useMemo(() => data?.pages.flatMap(({ items }) => items), [data]);
  return {
    entries,
    error,
    retry: () => void refetch(),
    isLoadingMore: isFetchingNextPage,
    more: hasNextPage ? () => void fetchNextPage() : undefined,
  };
}

/** The management keys, as those who may have acted. */
export const useActors = () =>
  useQuery({
    queryKey: ['system', 'actors'],
    queryFn: ({ signal }) => readPage<AdminKey>('/admin-keys', { limit: 1_000 }, signal),
    select: ({ items }) => items,
  });

/** The names of the newest stock-takes by their ids, for lines that have only the id. */
export const useStocktakeNames = (isNeeded: boolean) =>
  useQuery({
    queryKey: ['stocktakes', 'names'],
    queryFn: async ({ signal }) => {
      const stocktakes = await api<readonly Stocktake[]>('GET', '/stocktakes', {
        query: { limit: 100 },
        signal,
      });
      return new Map(stocktakes.map(({ id, name }) => [id, name]));
    },
    enabled: isNeeded,
  });

/** The ids of the changes of many pets of which something can be undone. */
export const useUndoableChanges = (isNeeded: boolean) =>
  useQuery({
    queryKey: UNDOABLE_KEY,
    queryFn: async ({ signal }) => {
      const changes: BulkChange[] = [];
      await readAll(
        (cursor) => readPage<BulkChange>('/bulk-changes', { limit: MAX_PAGE_ITEMS, cursor }, signal),
        (items) => changes.push(...items),
        () => undefined,
      );
      const isUndoable = ({ state, counts }: BulkChange) =>
        counts.changed > 0 && (state === 'applied' || state === 'cancelled' || state === 'failed');
      return new Set(changes.filter(isUndoable).map(({ id }) => id));
    },
    enabled: isNeeded,
  });
