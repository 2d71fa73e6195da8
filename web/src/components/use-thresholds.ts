import { useQuery } from '@tanstack/react-query';
import { api } from '../api/client.ts';
import type { DefaultThresholds } from '../api/schemas.ts';

/** Key of the thresholds of the shop, for pets without their own. */
export const THRESHOLDS_KEY = ['system', 'thresholds'];

export const getThresholds = (signal?: AbortSignal) =>
  api<DefaultThresholds>('GET', '/thresholds', { signal });

export const useThresholds = () =>
  useQuery({
    queryKey: THRESHOLDS_KEY,
    queryFn: ({ signal }) => getThresholds(signal),
  });
