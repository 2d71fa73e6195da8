import { MAX_PAGE_ITEMS } from '@petstore-inventory/shared/limits';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
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
import { readAgain } from '../../live/read-again.ts';
import { useLiveMovements } from '../../live/use-live.ts';

/**
 * Between two reads of totals. A person has 60 requests per minute for them and for other long lists, such as the pets of
 * the count page.
 */
const AFTER_COUNT_MS = 5_000;
const RUNNING_MS = 30_000;
export const PATH = '/stocktakes';
const at = (id: string, action = '') => `${PATH}/${encodeURIComponent(id)}${action}`;

/** The totals, which are read again while the stock-take runs; the lists follow them. */
export function useTotals(id: string, isRunning: boolean) {
  const queries = useQueryClient();
  const totals = useQuery({
    queryKey: ['stocktakes', 'totals', id],
    queryFn: ({ signal }) => api<StocktakeTotals>('GET', at(id, '/totals'), { signal }),
    // The person may come back from counting.
    refetchOnMount: 'always',
    ...(isRunning && { refetchInterval: RUNNING_MS }),
  });
  useOwnMovements(id, isRunning, () => void readAgain(queries, ['stocktakes', 'totals', id]));
  const sequence = totals.data?.sequence;
  useEffect(() => {
    if (sequence !== undefined) void readAgain(queries, ['stocktakes', 'lines', id]);
  }, [queries, id, sequence]);
  return totals;
}

/** Calls `onCount` some seconds after counts of others, and after their undo. */
function useOwnMovements(id: string, isRunning: boolean, onCount: () => unknown): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  const later = () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      onCount();
    }, AFTER_COUNT_MS);
  };
  useLiveMovements({
    onMovements: (movements) => {
      // A revert may be of a count.
      const isOwn = movements.some((one) => one.referenceId === id || one.revertedSequence !== null);
      if (isRunning && isOwn) later();
    },
    onGap: later,
  });
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
    ...(isRunning ? { refetchInterval: RUNNING_MS } : { staleTime: Number.POSITIVE_INFINITY }),
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
export const cancelStocktake = (id: string) => api<Stocktake>('POST', at(id, '/cancel'), LONG);
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
  return () => readAgain(queries, ['stocktakes']);
}
