import type { Query, QueryClient, QueryKey } from '@tanstack/query-core';

/** The readings that follow a first one, until they end. */
const following = new WeakMap<Query, Promise<void>>();

/**
 * Reads queries again, because something has changed. TanStack Query takes a first reading that is under way for the new one,
 * although it may be older: here another one follows it.
 */
export async function readAgain(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  const running = queries.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching' });
  const first = running.filter(({ state }) => state.data === undefined);
  const next = first.map((query) => following.get(query) ?? follow(queries, query));
  await queries.invalidateQueries({ queryKey });
  await Promise.all(next);
}

/** Reads a query again after the reading that is under way. */
function follow(queries: QueryClient, query: Query): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  following.set(query, promise);
  const unsubscribe = queries.getQueryCache().subscribe((event) => {
    if (event.query !== query) return;
    const isRemoved = event.type === 'removed';
    if (query.state.fetchStatus === 'fetching' && !isRemoved) return;
    unsubscribe();
    following.delete(query);
    resolve(isRemoved ? undefined : queries.invalidateQueries({ queryKey: query.queryKey, exact: true }));
  });
  return promise;
}
