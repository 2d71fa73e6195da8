import { table } from '@petstore-inventory/shared/terminal/table';
import { thousands } from '@petstore-inventory/shared/terminal/thousands';
import type { Account } from '../../domain/access/api-key.ts';
import { accountMembers } from '../../wire/account-json.ts';
import { readableTime } from '../parse-time.ts';
import type { Output } from '../terminal/output.ts';

export function planText({ plan, limits }: Pick<Account, 'plan' | 'limits'>): string {
  return `plan ${plan}: ${thousands(limits.perMinute)} requests per minute, ${thousands(limits.perDay)} per day`;
}

export function describeAccount(account: Account, text: string): Output {
  return { value: accountMembers(account), text };
}

export function describeAccounts(accounts: readonly Account[]): Output {
  const rows = accounts.map(({ name, plan, limits, id, createdAtMs }) => {
    return [name, plan, thousands(limits.perMinute), thousands(limits.perDay), readableTime(createdAtMs), id];
  });
  const text =
    rows.length === 0
      ? 'There are no accounts yet; petstore-server accounts create makes one.'
      : table(['NAME', 'PLAN', 'PER MINUTE', 'PER DAY', 'CREATED', 'ID'], rows);
  return { value: accounts.map(accountMembers), text };
}
