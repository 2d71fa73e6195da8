import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { readPage } from '../../api/pages.ts';
import type { Movement } from '../../api/schemas.ts';
import { onceLive, useLiveMovements } from '../../live/use-live.ts';

/** A filter as the management API has it, with petIds as texts. */
export interface MovementFilter {
  readonly petId?: string | undefined;
  readonly kind?: string | undefined;
  readonly reason?: string | undefined;
  /** The id of a key, `cli` or `service`. */
  readonly actor?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** Movements of the stream that match a filter, newest first. */
interface Live {
  /** The filter as JSON. */
  readonly filterText: string;
  readonly movements: readonly Movement[];
}

const PAGE_SIZE = 50;
/** Live movements that are kept. More are left out until the list is read again. */
const MAX_LIVE = 1_000;

/** The address of a list: that of one pet has its own. */
export function movementsPath({ petId, ...rest }: MovementFilter) {
  return petId === undefined
    ? { path: '/movements', query: rest }
    : { path: `/inventory/${encodeURIComponent(petId)}/movements`, query: rest };
}

/** Movements newest first: pages of the past, and before them what happens now. */
export function useMovementFeed(filter: MovementFilter) {
  const key = ['movements', filter];
  const queries = useQueryClient();
  const filterText = JSON.stringify(filter);
  const [{ filterText: liveFilter, movements: live }, setLive] = useState<Live>({
    filterText,
    movements: [],
  });
  // React renders again before anything shows. An effect would show movements of the filter before.
  if (liveFilter !== filterText) setLive({ filterText, movements: [] });

  const pages = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => {
      const { path, query } = movementsPath(filter);
      const page = { ...query, order: 'desc', limit: PAGE_SIZE, before: pageParam };
      return onceLive(() => readPage<Movement>(path, page, signal));
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    // The stream no longer has the movements that came while the page was closed.
    gcTime: 0,
  });
  useLiveMovements({
    onMovements: (received) => {
      const own = received.filter((movement) => matches(movement, filter));
      if (own.length === 0) return;
      setLive((before) => ({
        ...before,
        movements: [...own.toReversed(), ...before.movements].slice(0, MAX_LIVE),
      }));
    },
    onGap: () => {
      setLive({ filterText, movements: [] });
      void queries.resetQueries({ queryKey: key });
    },
  });

  const past = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data]);
  const newest = past[0]?.sequence ?? 0;
  const movements = useMemo(
    () => [...live.filter(({ sequence }) => sequence > newest), ...past],
    [live, past, newest],
  );
  return {
    movements,
    /** The newest movement when the list was read. */
    readUntil: newest,
    error: pages.error,
    isLoading: pages.isPending,
    retry: () => void pages.refetch(),
    /** Reads older ones; `undefined` if there are none. */
    more: pages.hasNextPage ? () => void pages.fetchNextPage() : undefined,
    isLoadingMore: pages.isFetchingNextPage,
  };
}

function matches({ petId, kind, reason, actor, recordedAt }: Movement, filter: MovementFilter): boolean {
  return (
    (filter.petId === undefined || petId === filter.petId) &&
    (filter.kind === undefined || kind === filter.kind) &&
    (filter.reason === undefined || reason === filter.reason) &&
    (filter.actor === undefined || (actor.keyId ?? actor.name) === filter.actor) &&
    (filter.since === undefined || Date.parse(recordedAt) >= Date.parse(filter.since)) &&
    (filter.until === undefined || Date.parse(recordedAt) < Date.parse(filter.until))
  );
}
