import { MAX_PAGE_ITEMS } from '@petstore-inventory/shared/limits';
import type { ReportFormat } from '@petstore-inventory/shared/words';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api, LONG_WORK_MS, newIdempotencyKey, open } from '../../api/client.ts';
import { readPage } from '../../api/pages.ts';
import type { InventoryBatchResult, Reorder, ReorderChanges } from '../../api/schemas.ts';
import { MAX_PRINTED } from '../../components/records/use-printing.ts';
import { useRecords } from '../../components/records/use-records.ts';
import { REORDERS_KEY } from '../../components/reorder.ts';
import { readAgain } from '../../live/read-again.ts';
import { useLiveMovements } from '../../live/use-live.ts';
import type { DeliveryCalls } from './delivery.ts';

export type ReorderFilters = Readonly<Record<string, string>>;

/** A key may read the list some times per minute; it follows a busy shop at this pace. */
const FOLLOW_MS = 5_000;

/** What somebody else orders, and suppliers, are in no movement of the stream. */
const REFRESH_MS = 30_000;

/** The list, which follows the live stream. */
export function useReorders(filters: ReorderFilters) {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const reload = () => readAgain(queries, [REORDERS_KEY]);
  const follow = () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      // A reading of many pages, of which each change began a new one, would never end.
      if (queries.isFetching({ queryKey: [REORDERS_KEY, 'list'] }) > 0) follow();
      else void reload();
    }, FOLLOW_MS);
  };
  useLiveMovements({
    onMovements: follow,
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
    shortEveryMs: REFRESH_MS,
  });
  return { ...list, reload };
}

/** @throws ApiError */
export const readReorder = (petId: string) => api<Reorder>('GET', `/reorders/${petId}`);

/** @throws ApiError `precondition_failed` if the reorder is another one by now. */
export const updateReorder = ({ petId, etag }: Reorder, body: ReorderChanges) =>
  api<Reorder>('PATCH', `/reorders/${petId}`, { body, ifMatch: etag });

/** Characters of the petIds of one request: many proxies accept addresses of 8,000. */
const MAX_NAMES = 6_000;

/** Reads pets by their ids, also those that are not in the list. @throws ApiError */
async function readReorders(petIds: readonly string[]): Promise<readonly Reorder[]> {
  const rows: Reorder[] = [];
  let named: string[] = [];
  let length = 0;
  const read = async () => {
    rows.push(...(await api<readonly Reorder[]>('GET', '/reorders', { query: { petId: named.join(',') } })));
    [named, length] = [[], 0];
  };
  for (const petId of petIds) {
    if (length + petId.length >= MAX_NAMES) await read();
    named.push(petId);
    length += petId.length + 1;
  }
  if (named.length > 0) await read();
  return rows;
}

const changeMany = (body: object, idempotencyKey?: string) =>
  api<InventoryBatchResult>('POST', '/inventory/batch', { body, idempotencyKey });

export const DELIVERY_CALLS: DeliveryCalls = {
  preview: (changes) => changeMany({ changes, dryRun: true }),
  readReorders,
  apply: (changes, key) => changeMany({ changes, errorPolicy: 'reject_failed_rows' }, key),
  newKey: newIdempotencyKey,
};

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
