import { MAX_PAGE_ITEMS } from '@petstore-inventory/shared/limits';
import { type InfiniteData, keepPreviousData, type Query, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Page, readPage } from '../../api/pages.ts';
import { onceLive } from '../../live/use-live.ts';

/** Pages that load by themselves. The others follow on request, and for a search. */
const OWN_PAGES = 10;

/** A person who types asks the service only after a pause. */
export const SEARCH_DELAY_MS = 200;

interface Options {
  /** How often the records are read again. */
  readonly everyMs?: number;
  /** How often a list of one page is read again, and also when the tab is shown again. A longer one costs the service too much. */
  readonly shortEveryMs?: number;
  readonly query?: Readonly<Record<string, string>>;
  /** Whether it is read. By default it is. */
  readonly isEnabled?: boolean;
  /** Whether `useLiveMovements` keeps the records current. */
  readonly isLive?: boolean;
  /** Pages that load by themselves, in place of the usual number. */
  readonly ownPages?: number;
  /** Whether nothing shows until the first page is there. By default the records of the key before show until then. */
  readonly isOwn?: boolean;
}

/** What a hook of records returns, whatever the records are. */
export interface Records<T> {
  /** `undefined` until the first page is there. */
  readonly records: readonly T[] | undefined;
  readonly error: unknown;
  readonly retry: () => void;
  /** Whether `records` are all that the list has. A count of others is only the least. */
  readonly isWhole: boolean;
  /** Reads one page more, where the list has more than the pages that load by themselves. */
  readonly more: (() => void) | undefined;
  /** Reads all pages. */
  readonly readAll: () => void;
}

/** Reads a list with all its pages; of a very long one, the next pages on request. */
export function useRecords<T>(
  key: readonly unknown[],
  path: string,
  { everyMs, shortEveryMs, query, isEnabled, isLive, isOwn, ownPages: most = OWN_PAGES }: Options = {},
): Records<T> {
  const [isAllWanted, setAllWanted] = useState(false);
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetching } = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => {
      const read = () => readPage<T>(path, { ...query, limit: MAX_PAGE_ITEMS, cursor: pageParam }, signal);
      return isLive ? onceLive(read) : read();
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    ...(!isOwn && { placeholderData: keepPreviousData }),
    ...(isEnabled !== undefined && { enabled: isEnabled }),
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
    ...(shortEveryMs !== undefined && {
      refetchInterval: (list: List<T>) => isOnePage(list) && shortEveryMs,
      refetchOnWindowFocus: isOnePage,
    }),
  });
  const pages = data?.pages.length ?? 0;
  const ownPages = isAllWanted ? Number.POSITIVE_INFINITY : most;
  useEffect(() => {
    if (hasNextPage && !isFetching && error === null && pages < ownPages) void fetchNextPage();
  }, [hasNextPage, isFetching, error, pages, ownPages, fetchNextPage]);
  return {
    records: data?.pages.flatMap(({ items }) => items),
    error,
    retry: () => void refetch(),
    isWhole: data !== undefined && !hasNextPage,
    more: hasNextPage && pages >= ownPages ? () => void fetchNextPage() : undefined,
    readAll: () => setAllWanted(true),
  };
}

/** Reads the records that the service finds by words, and nothing without words. */
export const useFound = <T>(key: readonly unknown[], path: string, words: string | undefined): Records<T> =>
  useRecords(key, path, { query: { q: words ?? '' }, isEnabled: words !== undefined, isOwn: true });

type List<T> = Query<Page<T>, Error, InfiniteData<Page<T>, string | undefined>>;

const isOnePage = <T>({ state: { data } }: List<T>): boolean =>
  data?.pages.length === 1 && data.pages[0]?.next === undefined;
