import { useQuery } from '@tanstack/react-query';
import type { ApiError } from '../../api/api-error.ts';
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

interface Health {
  /** The process responds. */
  readonly isAlive: boolean;
  /** Requests can be served: the database responds, too. */
  readonly isReady: boolean;
  /** Why not, by the message of the service. */
  readonly refusal: Pick<ApiError, 'code' | 'message'> | undefined;
}

export const useHealth = () =>
  useQuery({
    queryKey: ['system', 'health'],
    queryFn: async ({ signal }): Promise<Health> => {
      const responseOf = (path: string) => fetch(path, { signal, cache: 'no-store' }).catch(() => undefined);
      const [alive, ready] = await Promise.all([responseOf('/healthz'), responseOf('/readyz')]);
      const isReady = ready?.ok === true;
      const refusal = isReady ? undefined : await refusalOf(ready);
      return { isAlive: alive?.ok === true, isReady, refusal };
    },
    refetchInterval: REFRESH_MS,
  });

/** `undefined` without a response, or for the page of a proxy. */
async function refusalOf(response: Response | undefined): Promise<Health['refusal']> {
  const body: unknown = await response?.json().catch(() => undefined);
  const { code, message } = Object(body) as { readonly code?: unknown; readonly message?: unknown };
  return typeof code === 'string' && typeof message === 'string' ? { code, message } : undefined;
}

export const setThresholds = (body: NewThresholds) =>
  api<ChangedThresholds>('PUT', '/thresholds', { body, limitMs: LONG_WORK_MS });

/** May take minutes, so the result stays while the person is on other pages. */
export const verifyLedger = (expect: readonly ExpectedPoint[]) =>
  api<VerificationReport>('POST', '/ledger/verify', { body: { expect }, limitMs: LONG_WORK_MS });
export const pruneLedger = (body: LedgerPruning) =>
  api<PrunedLedger>('POST', '/ledger/prune', { body, limitMs: LONG_WORK_MS });
