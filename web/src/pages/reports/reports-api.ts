import { MAX_PAGE_ITEMS } from '@petstore-inventory/shared/limits';
import type { ReportFormat } from '@petstore-inventory/shared/words';
import { useInfiniteQuery } from '@tanstack/react-query';
import { LONG_WORK_MS, open, send } from '../../api/client.ts';
import { nextCursor } from '../../api/pages.ts';
import { MAX_PRINTED } from '../../components/records/use-printing.ts';

export type ReportName = 'stock' | 'movements' | 'variance';
export type ReportQuery = Readonly<Record<string, string | undefined>>;

export interface Report<Row> {
  readonly rows: readonly Row[];
  /** Where the history begins, if a prune deleted what was before. */
  readonly retentionStart?: string | null;
}

/** A report costs as much as a long list, and its past does not change. */
const FRESH_MS = 60_000;

async function readPage<Row>(
  name: ReportName,
  query: ReportQuery,
  cursor: string | undefined,
  signal?: AbortSignal,
) {
  const { value, headers } = await send<Report<Row>>('GET', `/reports/${name}`, {
    query: { ...query, limit: MAX_PAGE_ITEMS, cursor },
    signal,
    // A ledger of millions of movements takes seconds.
    limitMs: LONG_WORK_MS,
  });
  return { ...value, next: nextCursor(headers.get('Link')) };
}

/** The rows of a report. Those by pet come in pages, on request. */
export function useReport<Row>(name: ReportName, query: ReportQuery) {
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['reports', name, query],
    queryFn: ({ pageParam, signal }) => readPage<Row>(name, query, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: FRESH_MS,
  });
  const [first] = data?.pages ?? [];
  return {
    /** `undefined` until the first page is there. */
    report: first && { ...first, rows: data?.pages.flatMap(({ rows }) => rows) ?? [] },
    error,
    retry: () => void refetch(),
    more: hasNextPage ? () => void fetchNextPage() : undefined,
    isLoadingMore: isFetchingNextPage,
  };
}

/** The rows of a report for paper. @returns `undefined` for more than there is paper for. @throws ApiError */
export async function readWhole<Row>(
  name: ReportName,
  query: ReportQuery,
): Promise<readonly Row[] | undefined> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const page = await readPage<Row>(name, query, cursor);
    for (const row of page.rows) rows.push(row);
    cursor = page.next;
    if (rows.length > MAX_PRINTED) return undefined;
  } while (cursor !== undefined);
  return rows;
}

/** The file of a report, as the service writes it. @throws ApiError */
export async function readFile(name: ReportName, query: ReportQuery, format: ReportFormat): Promise<Blob> {
  const response = await open('GET', `/reports/${name}/export`, {
    query: { ...query, format },
    limitMs: LONG_WORK_MS,
  });
  return response.blob();
}
