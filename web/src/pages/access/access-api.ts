import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type {
  Account,
  AccountCreation,
  AccountUpdate,
  AccountUsage,
  Key,
  LiftedBan,
  RunningBan,
  Session,
  Usage,
  UsageUnit,
} from '../../api/schemas.ts';
import { serviceNow } from '../../api/service-clock.ts';
import { useRecords } from '../../components/records/use-records.ts';
import { readAgain } from '../../live/read-again.ts';
import { UNIT_MS } from './usage/periods.ts';

/** A ban, a session or a used request may be new at any time. */
const REFRESH_MS = 15_000;
const at = (path: string, id: string) => `${path}/${encodeURIComponent(id)}`;

export const useApiKeysOf = (accountId: string) =>
  useRecords<Key>(['access', 'keys', accountId], '/keys', { query: { accountId } });
export const useBans = () => useRecords<RunningBan>(['access', 'bans'], '/bans', { everyMs: REFRESH_MS });
export const useSessions = () =>
  useRecords<Session>(['access', 'sessions'], '/sessions', { everyMs: REFRESH_MS });

export const useAccount = (accountId: string) =>
  useQuery({
    queryKey: ['access', 'account', accountId],
    queryFn: ({ signal }) => readAccount(accountId, signal),
  });

/** The requests of the periods since a moment. */
export const useUsage = (accountId: string, unit: UsageUnit, periods: number) =>
  useQuery({
    queryKey: ['access', 'usage', accountId, unit, periods],
    queryFn: ({ signal }) =>
      api<AccountUsage>('GET', `${at('/accounts', accountId)}/usage`, {
        query: { unit, since: sinceOf(unit, periods) },
        signal,
      }),
    placeholderData: (before) => (before?.unit === unit ? before : undefined),
    refetchInterval: REFRESH_MS,
  });

/** The requests of an account in as many periods before those of a response. */
export const useUsageBefore = (accountId: string, usage: AccountUsage | undefined, periods: number) =>
  useQuery({
    queryKey: ['access', 'usage-before', accountId, usage?.unit, usage?.since, periods],
    queryFn: ({ signal }) =>
      api<AccountUsage>('GET', `${at('/accounts', accountId)}/usage`, {
        query: queryBefore(usage, periods),
        signal,
      }),
    enabled: usage !== undefined,
    placeholderData: (before) => (before?.unit === usage?.unit ? before : undefined),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The requests of all accounts in the periods since a moment, and each account's own. */
export const useShopUsage = (unit: UsageUnit, periods: number) =>
  useQuery({
    queryKey: ['access', 'shop-usage', unit, periods],
    queryFn: ({ signal }) => readShopUsage({ unit, since: sinceOf(unit, periods) }, signal),
    placeholderData: (before) => (before?.unit === unit ? before : undefined),
    refetchInterval: REFRESH_MS,
  });

/** The requests of all accounts in as many periods before those of a response. */
export const useShopUsageBefore = (usage: Usage | undefined, periods: number) =>
  useQuery({
    queryKey: ['access', 'shop-usage-before', usage?.unit, usage?.since, periods],
    queryFn: ({ signal }) => readShopUsage(queryBefore(usage, periods), signal),
    enabled: usage !== undefined,
    placeholderData: (before) => (before?.unit === usage?.unit ? before : undefined),
    staleTime: Number.POSITIVE_INFINITY,
  });

function queryBefore(usage: Pick<Usage, 'unit' | 'since'> | undefined, periods: number) {
  if (!usage) throw new Error('There is no usage to compare with.');
  const { unit, since: until } = usage;
  return { unit, since: new Date(Date.parse(until) - periods * UNIT_MS[unit]).toISOString(), until };
}

const readShopUsage = (query: Record<string, string>, signal: AbortSignal) =>
  api<Usage>('GET', '/usage', { query, signal });

/** The current period is the last one. */
function sinceOf(unit: UsageUnit, periods: number): string {
  return new Date(serviceNow() - (periods - 1) * UNIT_MS[unit]).toISOString();
}

export const readAccount = (accountId: string, signal?: AbortSignal) =>
  api<Account>('GET', at('/accounts', accountId), { signal });
export const createAccount = (body: AccountCreation) => api<Account>('POST', '/accounts', { body });
export const updateAccount = (accountId: string, body: AccountUpdate) =>
  api<Account>('PATCH', at('/accounts', accountId), { body });
export const liftBan = (keyId: string) => api<LiftedBan>('POST', `${at('/keys', keyId)}/lift-ban`);
export const endSession = (sessionId: string) => api<void>('DELETE', at('/sessions', sessionId));

/** Reads everything about access again, after a change. */
export function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return () => readAgain(queries, ['access']);
}
