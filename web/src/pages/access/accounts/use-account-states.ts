import { useMemo } from 'react';
import type { Account, Usage } from '../../../api/schemas.ts';
import { useAccounts } from '../../../components/accounts/use-accounts.ts';
import { useApiKeys } from '../../../components/accounts/use-keys.ts';
import type { Records } from '../../../components/records/use-records.ts';
import { useBans, useShopUsage } from '../access-api.ts';

/** An account, and what it does now. A member is `null` where it is not known. */
export interface AccountState {
  readonly account: Account;
  /** Requests of the last 60 minutes, and of the current UTC day, which the limit of a day counts. */
  readonly lastHour: number | null;
  readonly today: number | null;
  /** Minutes of the last 60 in which it was at its limit. */
  readonly fullMinutes: number | null;
  /** Keys of the account that are banned now. */
  readonly bans: number | null;
  readonly activeKeys: number | null;
  readonly lastUsedAt: string | null;
}

/** All accounts with their states, as soon as the requests are counted, so that no row moves after it is shown. */
export function useAccountStates() {
  const list = useAccounts();
  const hour = useShopUsage('minute', 60);
  const day = useShopUsage('day', 1);
  const keys = wholeOf(useApiKeys());
  const bans = wholeOf(useBans());
  const isCounted = [hour, day].every(({ data, error }) => data !== undefined || error !== null);
  const states = useMemo(() => {
    const keysOf = keys && Map.groupBy(keys, ({ accountId }) => accountId);
    const bansOf = bans && Map.groupBy(bans, ({ account }) => account);
    const ofHour = requestsOf(hour.data);
    const ofDay = requestsOf(day.data);
    return list.records?.map((account): AccountState => {
      const own = keysOf?.get(account.id) ?? [];
      const minutes = ofHour(account.id);
      return {
        account,
        lastHour: minutes?.requests ?? null,
        today: ofDay(account.id)?.requests ?? null,
        fullMinutes: minutes?.fullPeriods ?? null,
        bans: bansOf ? (bansOf.get(account.name)?.length ?? 0) : null,
        activeKeys: keysOf ? own.filter(({ state }) => state === 'active').length : null,
        lastUsedAt:
          own
            .map(({ lastUsedAt }) => lastUsedAt)
            .filter((moment) => moment !== null)
            .toSorted()
            .at(-1) ?? null,
      };
    });
  }, [list.records, keys, bans, hour.data, day.data]);
  return { ...list, records: isCounted ? states : undefined };
}

/** Some of the records of an account may be among those that are not read, so a part of the list counts nothing. */
const wholeOf = <T>({ records, isWhole }: Records<T>) => (isWhole ? records : undefined);

/** The service names so many accounts with requests. One that it leaves out may have had some. */
const MAX_NAMED = 1_000;
const IDLE = { requests: 0, fullPeriods: 0 };

function requestsOf(usage: Usage | undefined) {
  const found = new Map(usage?.accounts.map((account) => [account.id, account]));
  return (accountId: string) => found.get(accountId) ?? (usage && found.size < MAX_NAMED ? IDLE : undefined);
}
