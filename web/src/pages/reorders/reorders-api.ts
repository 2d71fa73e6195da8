import { MAX_PAGE_ITEMS } from '@petstore-inventory/shared/limits';
import type { ReportFormat } from '@petstore-inventory/shared/words';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { isApiError } from '../../api/api-error.ts';
import { api, LONG_WORK_MS, newIdempotencyKey, open, send } from '../../api/client.ts';
import { readPage } from '../../api/pages.ts';
import type { Movement, Reorder, ReorderChanges } from '../../api/schemas.ts';
import { MAX_PRINTED } from '../../components/records/use-printing.ts';
import { useRecords } from '../../components/records/use-records.ts';
import { REORDERS_KEY } from '../../components/reorder.ts';
import { readAgain } from '../../live/read-again.ts';
import { useLiveMovements } from '../../live/use-live.ts';

export type ReorderFilters = Readonly<Record<string, string>>;

/** A key may read the list some times per minute; it follows a busy shop at this pace. */
const FOLLOW_MS = 5_000;

/** The list, which follows the live stream. */
export function useReorders(filters: ReorderFilters) {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const reload = () => readAgain(queries, [REORDERS_KEY]);
  useLiveMovements({
    onMovements: () => {
      timer.current ??= setTimeout(() => {
        timer.current = undefined;
        void reload();
      }, FOLLOW_MS);
    },
    onGap: () => void reload(),
  });
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  const list = useRecords<Reorder>([REORDERS_KEY, 'list', filters], '/reorders', {
    query: filters,
    isLive: true,
  });
  return { ...list, reload };
}

export function useSuppliers(): readonly string[] {
  const { data = [] } = useQuery({
    queryKey: [REORDERS_KEY, 'suppliers'],
    queryFn: ({ signal }) => api<readonly string[]>('GET', '/reorders/suppliers', { signal }),
  });
  return data;
}

/** @throws ApiError */
export const readReorder = (petId: string) => api<Reorder>('GET', `/reorders/${petId}`);

/** @throws ApiError `precondition_failed` if the reorder is another one by now. */
export const updateReorder = ({ petId, etag }: Reorder, body: ReorderChanges) =>
  api<Reorder>('PATCH', `/reorders/${petId}`, { body, ifMatch: etag });

/** Attempts to add units to the stock of a pet that other people change at the same time. */
const RECEIVE_ATTEMPTS = 5;

/**
 * Adds units that arrived to the stock, once `check` has seen the reorder of exactly this stock: what another person receives
 * after the check refuses them, and they are checked again.
 * @param check Throws if the reorder is not as the person saw it.
 * @throws ApiError
 */
export async function receiveUnits(
  petId: string,
  delta: number,
  check: (now: Reorder) => void,
): Promise<Movement> {
  const path = `/inventory/${petId}`;
  for (let attempt = 1; ; attempt += 1) {
    // The tag is older than the reorder, never newer.
    const ifMatch = (await send('GET', path)).headers.get('ETag') ?? '';
    check(await readReorder(petId));
    try {
      const body = { delta, reason: 'received' };
      const options = { body, ifMatch, idempotencyKey: newIdempotencyKey() };
      return await api<Movement>('POST', `${path}/adjustments`, options);
    } catch (error) {
      if (attempt === RECEIVE_ATTEMPTS || !isApiError(error, 'precondition_failed')) throw error;
    }
  }
}

/** @returns `undefined` for more rows than there is paper for. @throws ApiError */
export async function readRows(filters: ReorderFilters): Promise<readonly Reorder[] | undefined> {
  const rows: Reorder[] = [];
  let cursor: string | undefined;
  do {
    const page = await readPage<Reorder>('/reorders', { ...filters, limit: MAX_PAGE_ITEMS, cursor });
    for (const row of page.items) rows.push(row);
    cursor = page.next;
    if (rows.length > MAX_PRINTED) return undefined;
  } while (cursor !== undefined);
  return rows;
}

/** @throws ApiError */
export async function readFile(filters: ReorderFilters, format: ReportFormat): Promise<Blob> {
  const response = await open('GET', '/reorders/export', {
    query: { ...filters, format },
    limitMs: LONG_WORK_MS,
  });
  return response.blob();
}
