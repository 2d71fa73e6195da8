import { MAX_PAGE_ITEMS } from '@petstore-inventory/shared/limits';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, LONG_WORK_MS } from '../../api/client.ts';
import { readPage } from '../../api/pages.ts';
import type {
  ManagedPet,
  Stocktake,
  StocktakeLine,
  StocktakeStart,
  StocktakeTotals,
} from '../../api/schemas.ts';
import { useRecords } from '../../components/records/use-records.ts';

/** Others count at the same time. The totals are limited to 60 requests per minute and person. */
const RUNNING_MS = 5_000;
const LIST_MS = 30_000;
const PATH = '/stocktakes';
const at = (id: string, action = '') => `${PATH}/${encodeURIComponent(id)}${action}`;

/** The totals, which are read again while the stock-take runs; the lists follow them. */
export function useTotals(id: string, isRunning: boolean) {
  const queries = useQueryClient();
  const totals = useQuery({
    queryKey: ['stocktakes', 'totals', id],
    queryFn: ({ signal }) => api<StocktakeTotals>('GET', at(id, '/totals'), { signal }),
    ...(isRunning && { refetchInterval: RUNNING_MS }),
  });
  const sequence = totals.data?.sequence;
  useEffect(() => {
    if (sequence !== undefined) void queries.invalidateQueries({ queryKey: ['stocktakes', 'lines', id] });
  }, [queries, id, sequence]);
  return totals;
}

/** Each read may take a second for a large shop, so that those of a list follow each other. */
let turn: Promise<unknown> = Promise.resolve();

function inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const next = turn.then(() => {
    signal.throwIfAborted();
    return work();
  });
  turn = next.catch(() => undefined);
  return next;
}

/** The totals of a row of the list. A closed stock-take has few changes, which its page shows. */
export const useProgress = (id: string, isRunning: boolean) =>
  useQuery({
    queryKey: ['stocktakes', 'totals', id],
    queryFn: ({ signal }) => inTurn(signal, () => api<StocktakeTotals>('GET', at(id, '/totals'), { signal })),
    ...(isRunning ? { refetchInterval: LIST_MS } : { staleTime: Number.POSITIVE_INFINITY }),
  }).data;

/** The counted pets; only those with a difference, if `differs`. */
export const useLines = (id: string, differs: boolean) =>
  useRecords<StocktakeLine>(['stocktakes', 'lines', id, differs], at(id, '/report'), {
    ...(differs && { query: { differs: 'true' } }),
  });

export const useUncounted = (id: string) =>
  useRecords<ManagedPet>(['stocktakes', 'lines', id, 'uncounted'], at(id, '/uncounted'));

/** For many thousand pets they take longer than other requests. */
const LONG = { limitMs: LONG_WORK_MS };

export const startStocktake = (body: StocktakeStart) => api<Stocktake>('POST', PATH, { body });
export const closeStocktake = (id: string) => api<Stocktake>('POST', at(id, '/close'), LONG);
export const undoStocktake = (id: string) => api<Stocktake>('POST', at(id, '/undo'), LONG);

/** Reads the whole report, page by page. @throws ApiError */
export async function readReport(
  id: string,
  onProgress: (lines: number) => void,
): Promise<readonly StocktakeLine[]> {
  const lines: StocktakeLine[] = [];
  let cursor: string | undefined;
  do {
    const page = await readPage<StocktakeLine>(at(id, '/report'), { limit: MAX_PAGE_ITEMS, cursor });
    for (const line of page.items) lines.push(line);
    cursor = page.next;
    onProgress(lines.length);
  } while (cursor !== undefined);
  return lines;
}

/** Reads everything about stock-takes again, after a change. */
export function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['stocktakes'] });
}
