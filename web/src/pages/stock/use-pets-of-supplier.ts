import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { open } from '../../api/client.ts';
import { REORDERS_KEY } from '../../components/reorder.ts';
import type { PetsOfSupplier } from '../../stock/stock-view.ts';

/** Suppliers are in no movement of the stream. */
const REFRESH_MS = 30_000;
/** Stands for no supplier: requests leave empty texts out, and a blank one is the same for the service. */
const NONE = ' ';

interface Found {
  /** `undefined` until they are read, and without a supplier to look for. */
  readonly petIds: PetsOfSupplier;
  /** Why they cannot be read. */
  readonly error: unknown;
  retry(): void;
}

/** The pets of a supplier, which the rows of the stock list do not have; an empty supplier: the pets without one. */
export function usePetsOfSupplier(supplier: string | undefined): Found {
  const { data, error, refetch } = useQuery({
    queryKey: [REORDERS_KEY, 'pets', supplier],
    queryFn: ({ signal }) => readPetIds(supplier || NONE, signal),
    enabled: supplier !== undefined,
    refetchInterval: REFRESH_MS,
  });
  // One set per content, so that reading the same again moves no row.
  const petIds = useMemo(() => (data === undefined ? undefined : new Set(data.split('\n'))), [data]);
  const isFailed = data === undefined && error !== null;
  return { petIds, error: isFailed ? error : undefined, retry: () => void refetch() };
}

/** The petIds as a text: an export of them is the shortest response of the service that has all. */
async function readPetIds(supplier: string, signal: AbortSignal): Promise<string> {
  const query = { format: 'csv', columns: 'petId', archived: 'include', supplier };
  const response = await open('GET', '/pets/export', { query, signal });
  const [, ...petIds] = (await response.text()).trimEnd().split('\r\n');
  return petIds.join('\n');
}
