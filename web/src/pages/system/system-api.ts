import { useQuery } from '@tanstack/react-query';
import { api, LONG_WORK_MS } from '../../api/client.ts';
import type {
  ChangedThresholds,
  ExpectedPoint,
  LedgerPruning,
  NewThresholds,
  PrunedLedger,
  SystemFacts,
  VerificationReport,
} from '../../api/schemas.ts';

const REFRESH_MS = 15_000;

export const useSystem = () =>
  useQuery({
    queryKey: ['system', 'facts'],
    queryFn: ({ signal }) => api<SystemFacts>('GET', '/system', { signal }),
    refetchInterval: REFRESH_MS,
  });

export interface Health {
  /** The process responds. */
  readonly isAlive: boolean;
  /** Requests can be served: the database responds, too. */
  readonly isReady: boolean;
}

export const useHealth = () =>
  useQuery({
    queryKey: ['system', 'health'],
    queryFn: async ({ signal }): Promise<Health> => {
      const isOk = (path: string) =>
        fetch(path, { signal, cache: 'no-store' }).then(
          ({ ok }) => ok,
          () => false,
        );
      const [isAlive, isReady] = await Promise.all([isOk('/healthz'), isOk('/readyz')]);
      return { isAlive, isReady };
    },
    refetchInterval: REFRESH_MS,
  });

export const setThresholds = (body: NewThresholds) =>
  api<ChangedThresholds>('PUT', '/thresholds', { body, limitMs: LONG_WORK_MS });

/** May take minutes, so the result stays while the person is on other pages. */
export const verifyLedger = (expect: readonly ExpectedPoint[]) =>
  api<VerificationReport>('POST', '/ledger/verify', { body: { expect }, limitMs: LONG_WORK_MS });
export const pruneLedger = (body: LedgerPruning) =>
  api<PrunedLedger>('POST', '/ledger/prune', { body, limitMs: LONG_WORK_MS });
