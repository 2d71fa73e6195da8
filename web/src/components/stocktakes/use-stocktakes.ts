import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Stocktake, StocktakeState } from '../../api/schemas.ts';
import { useRecords } from '../records/use-records.ts';

/** Others start, close, cancel and undo stock-takes too. */
const READ_MS = 15_000;
const PATH = '/stocktakes';

/** Stock-takes, the newest first. */
export const useStocktakes = (state?: StocktakeState) =>
  useRecords<Stocktake>(['stocktakes', 'list', state], PATH, {
    everyMs: READ_MS,
    ...(state !== undefined && { query: { state } }),
  });

/** One stock-take; nothing without an id. */
export const useStocktake = (id: string | undefined) =>
  useQuery({
    queryKey: ['stocktakes', 'one', id],
    queryFn: ({ signal }) => api<Stocktake>('GET', `${PATH}/${encodeURIComponent(id ?? '')}`, { signal }),
    enabled: id !== undefined,
    refetchInterval: READ_MS,
  });
