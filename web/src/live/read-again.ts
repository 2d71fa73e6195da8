import type { Query, QueryClient, QueryKey } from '@tanstack/query-core';

/** Whose first reading is under way, and is followed by another one. */
const followed = new WeakSet<Query>();

/**
 * Reads queries again, because something has changed. TanStack Query takes a first reading that is under way for the new one,
 * although it may be older: here another one follows it.
 */
export async function readAgain(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  const cache = queries.getQueryCache();
  for (const query of cache.findAll({ queryKey, fetchStatus: 'fetching' })) {
    if (query.state.data !== undefined || followed.has(query)) continue;
    followed.add(query);
    const unsubscribe = cache.subscribe((event) => {
      if (event.query !== query) return;
      const isRemoved = event.type === 'removed';
      if (query.state.fetchStatus === 'fetching' && !isRemoved) return;
      unsubscribe();
      followed.delete(query);
      if (!isRemoved) void queries.invalidateQueries({ queryKey: query.queryKey, exact: true });
    });
  }
  await queries.invalidateQueries({ queryKey });
}
