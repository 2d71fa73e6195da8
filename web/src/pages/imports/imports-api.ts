import { MAX_PAGE_ITEMS } from '@petstore-inventory/shared/limits';
import type { Decimal } from '@petstore-inventory/shared/words';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { isApiError } from '../../api/api-error.ts';
import { API_BASE, api } from '../../api/client.ts';
import { readPage } from '../../api/pages.ts';
import type {
  Import,
  ImportEffect,
  ImportFormat,
  ImportMapping,
  ImportMode,
  ImportRow,
  ImportState,
  WrittenImportMapping,
} from '../../api/schemas.ts';
import { sendFile } from '../../api/send-file.ts';
import { useRecords } from '../../components/records/use-records.ts';
import { readAgain } from '../../live/read-again.ts';
import { type FindImport, type NewestUndo, newestUndo, readChain } from './undo-chain.ts';

/** How often imports are read while the service works on one. */
const BUSY_MS = 700;
/** How often imports are read otherwise: other people send and apply files too. */
const IDLE_MS = 15_000;
const ROWS_PER_PAGE = 500;

const TYPES: Readonly<Record<ImportFormat, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

export const isBusy = (state: ImportState): boolean =>
  state === 'receiving' || state === 'checking' || state === 'applying';
/** Nothing changes it any more, except its deletion. */
export const isOver = (state: ImportState): boolean =>
  state === 'invalid' || state === 'applied' || state === 'cancelled';

/** Whether something of it may be left to undo. */
export const isUndoable = ({ state, undoneBy, counts }: Import): boolean =>
  state === 'applied' && undoneBy === null && counts.new + counts.changed > 0;

const at = (importId: string) => `/imports/${encodeURIComponent(importId)}`;

export const useImports = () => useRecords<Import>(['imports', 'list'], '/imports', { everyMs: IDLE_MS / 3 });

const importQuery = (importId: string) => ({
  queryKey: ['imports', 'one', importId],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => api<Import>('GET', at(importId), { signal }),
});

export const useImport = (importId: string) =>
  useQuery({
    ...importQuery(importId),
    refetchInterval: ({ state: { data } }) => (data && isBusy(data.state) ? BUSY_MS : IDLE_MS),
  });

/** The import of the same file that was applied before. */
export const useAppliedBefore = ({ appliedBefore }: Import): Import | undefined =>
  useQuery({ ...importQuery(appliedBefore ?? ''), enabled: appliedBefore !== null }).data;

/** The import that this one undoes, while it is kept. */
export const useUndone = ({ undoes }: Import): Import | undefined =>
  useQuery({ ...importQuery(undoes ?? ''), enabled: undoes !== null, retry: false }).data;

/** The imports that an undo takes back, the last one first, while they are kept; `undefined` until they are read. */
export function useUndoneImports(undo: Import | undefined): FindImport | undefined {
  const { data, isError } = useQuery({
    queryKey: ['imports', 'undone', undo?.id],
    queryFn: ({ signal }) =>
      readChain(undo?.undoes ?? null, (importId) => findImport(importId, signal), 'undoes'),
    enabled: undo !== undefined && undo.undoes !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (data === undefined && !isError && undo?.undoes !== null) return undefined;
  return (importId) => data?.get(importId);
}

/** The newest undo of an import; until it is read, the first one. */
export function useNewestUndo(found: Import): NewestUndo | undefined {
  const { data } = useQuery({
    queryKey: ['imports', 'list', 'newest-undo', found.id, found.undoneBy],
    queryFn: async ({ signal }) => {
      const read = (importId: string) => findImport(importId, signal);
      const undos = await readChain(found.undoneBy, read, 'undoneBy');
      return newestUndo(found, (id) => undos.get(id));
    },
    enabled: found.undoneBy !== null,
    refetchInterval: IDLE_MS,
  });
  return data ?? newestUndo(found, () => undefined);
}

/** An import; `undefined` if it is not kept any more. @throws ApiError */
async function findImport(importId: string, signal: AbortSignal): Promise<Import | undefined> {
  try {
    return await api<Import>('GET', at(importId), { signal });
  } catch (error) {
    if (isApiError(error) && error.status === 404) return undefined;
    throw error;
  }
}

/** The petIds of all rows of a plan. */
async function petsOf(
  importId: string,
  signal: AbortSignal,
  effect?: ImportEffect,
): Promise<readonly string[]> {
  const petIds: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { effect, limit: MAX_PAGE_ITEMS, cursor };
    const { items, next } = await readPage<ImportRow>(`${at(importId)}/rows`, query, signal);
    for (const { petId } of items) petIds.push(petId);
    cursor = next;
  } while (cursor !== undefined);
  return petIds;
}

/**
 * The petIds of the pets that an import added, and whose units its undo took. Those that were deleted are left out: another
 * pet can have the petId.
 */
export async function addedPetsOf(
  undone: Import,
  undo: Import,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const taken = new Set(await petsOf(undo.id, signal));
  return (await petsOf(undone.id, signal, 'new')).filter((petId) => taken.has(petId));
}

/** The rows of a plan, which is another one after each check. */
export function useImportRows({ id, updatedAt }: Import, effect: ImportEffect | undefined) {
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['imports', 'rows', id, updatedAt, effect],
    queryFn: ({ pageParam, signal }) =>
      readPage<ImportRow>(`${at(id)}/rows`, { effect, limit: ROWS_PER_PAGE, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return {
    rows: data?.pages.flatMap(({ items }) => items),
    error,
    retry: () => void refetch(),
    more: hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined,
  };
}

export function sendImport(
  file: {
    readonly body: Blob;
    readonly name: string;
    readonly format: ImportFormat;
    readonly mode: ImportMode;
    readonly decimal: Decimal | undefined;
    readonly sheet: string | undefined;
    /** The remembered mapping of its columns. */
    readonly mapping: string | undefined;
  },
  onSent: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Import> {
  const { body, name, format, mode, decimal, sheet, mapping } = file;
  return api<Import>('POST', '/imports', {
    query: { fileName: name.slice(0, 200), mode, decimal, sheet, mapping },
    raw: {
      body,
      type: TYPES[format],
      send: (url, request, onProgress) =>
        sendFile(url, request, (bytes) => {
          onProgress();
          onSent(bytes);
        }),
    },
    signal,
  });
}

export type ImportAction = 'apply' | 'plan' | 'cancel';
export const actOn = (importId: string, action: ImportAction) =>
  api<Import>('POST', `${at(importId)}/${action}`);
/** Applies the rows without errors. */
export const applyGoodRows = (importId: string) =>
  api<Import>('POST', `${at(importId)}/apply`, { body: { goodRows: true } });
/** The address of the file of the other rows. */
export const badRowsAddress = (importId: string): string => `${API_BASE}${at(importId)}/bad-rows`;
/** Plans the undo of an import, as another import. While such a one waits to be applied, it is that. */
export const planUndo = (importId: string) => api<Import>('POST', `${at(importId)}/undo`);
export const deleteImport = (importId: string) => api<void>('DELETE', at(importId));

const MAPPINGS = '/import-mappings';
const mappingAt = (name: string) => `${MAPPINGS}/${encodeURIComponent(name)}`;

export const useMappings = () =>
  useQuery({
    queryKey: ['imports', 'mappings'],
    queryFn: ({ signal }) => api<readonly ImportMapping[]>('GET', MAPPINGS, { signal }),
  });

/** Reads the remembered mappings. A file can be read without them. */
export function useMappingsReader(): () => Promise<readonly ImportMapping[]> {
  return useCallback(async () => {
    try {
      return await api<readonly ImportMapping[]>('GET', MAPPINGS);
    } catch {
      return [];
    }
  }, []);
}

/** Remembers or forgets a mapping, and reads the list again. */
export function useMappingChanges() {
  const queries = useQueryClient();
  const read = () => readAgain(queries, ['imports', 'mappings']);
  return {
    remember: async (name: string, mapping: WrittenImportMapping) => {
      const written = await api<ImportMapping>('PUT', mappingAt(name), { body: mapping });
      await read();
      return written;
    },
    forget: async (name: string) => {
      await api<void>('DELETE', mappingAt(name));
      await read();
    },
  };
}

/** Shows an import as an answer had it, and reads the list again. */
export function useNoteImport(): (changed: Import) => void {
  const queries = useQueryClient();
  return (changed) => {
    queries.setQueryData(['imports', 'one', changed.id], changed);
    void readAgain(queries, ['imports', 'list']);
  };
}

/** Names of management keys: an import has only their ids. */
export function useKeyNames(): ReadonlyMap<string, string> {
  const { data } = useQuery({
    queryKey: ['imports', 'key-names'],
    queryFn: ({ signal }) =>
      readPage<{ readonly id: string; readonly name: string }>('/admin-keys', { limit: 1_000 }, signal),
    staleTime: 60_000,
  });
  return new Map(data?.items.map(({ id, name }) => [id, name]));
}
