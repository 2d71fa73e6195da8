import { MAX_PAGE_ITEMS } from '@petstore-inventory/shared/limits';
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
}

/** Reads a list with all its pages; of a very long one, the next pages on request. */
export function useRecords<T>(
  key: readonly unknown[],
  path: string,
  { everyMs, query, isLive }: Options = {},
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
  useEffect(() => {
    if (hasNextPage && !isFetching && error === null && pages < OWN_PAGES) void fetchNextPage();
  }, [hasNextPage, isFetching, error, pages, fetchNextPage]);
  return {
    /** `undefined` until the first page is there. */
    records: data?.pages.flatMap(({ items }) => items),
    error,
    retry: () => void refetch(),
    more: hasNextPage && pages >= OWN_PAGES ? () => void fetchNextPage() : undefined,
  };
}
