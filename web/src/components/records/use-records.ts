import { MAX_BULK_PETS, MAX_PAGE_ITEMS } from '@petstore-inventory/shared/limits';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { readPage } from '../../api/pages.ts';
import { onceLive } from '../../live/use-live.ts';

/** Pages that load by themselves, so that a search finds what is on the second page too. */
const OWN_PAGES = 10;

interface Options {
  /** How often the records are read again. */
  readonly everyMs?: number;
  readonly query?: Readonly<Record<string, string>>;
  /** Whether `useLiveMovements` keeps the records current. */
  readonly isLive?: boolean;
  /** Whether all pages load by themselves, up to those of a change of many pets. */
  readonly readsAll?: boolean;
}

/** Reads a list with all its pages; of a very long one, the next pages on request. */
export function useRecords<T>(
  key: readonly unknown[],
  path: string,
  { everyMs, query, isLive, readsAll = false }: Options = {},
) {
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetching } = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => {
      const read = () => readPage<T>(path, { ...query, limit: MAX_PAGE_ITEMS, cursor: pageParam }, signal);
      return isLive ? onceLive(read) : read();
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
  });
  const pages = data?.pages.length ?? 0;
  const ownPages = readsAll ? MAX_BULK_PETS / MAX_PAGE_ITEMS : OWN_PAGES;
  useEffect(() => {
    if (hasNextPage && !isFetching && error === null && pages < ownPages) void fetchNextPage();
  }, [hasNextPage, isFetching, error, pages, ownPages, fetchNextPage]);
  return {
    /** `undefined` until the first page is there. */
    records: data?.pages.flatMap(({ items }) => items),
    error,
    retry: () => void refetch(),
    /** Whether no more pages load by themselves. */
    isRead: !hasNextPage || pages >= ownPages,
    more: hasNextPage && pages >= ownPages ? () => void fetchNextPage() : undefined,
  };
}
