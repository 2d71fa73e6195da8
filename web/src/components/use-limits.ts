import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import type { SystemFacts } from '../api/schemas.ts';

/** What the service was configured with; `undefined` until it is known. */
export function useLimits(): SystemFacts['limits'] | undefined {
  const { data } = useQuery({
    queryKey: ['limits'],
    queryFn: async ({ signal }) => (await api<SystemFacts>('GET', '/system', { signal })).limits,
  });
  return data;
}
