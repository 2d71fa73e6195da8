import { type Principal, SCOPES, type Scope } from '../../domain/api-key.ts';
import type { PlanName } from '../../domain/plans.ts';

/** What the statement `key` of every database returns. */
export interface KeyRow {
  id: string;
  accountId: string;
  name: string;
  hint: string;
  scopes: string | null;
  createdAtMs: number;
  expiresAtMs: number | null;
  revokedAtMs: number | null;
  lastUsedAtMs: number | null;
  rotatedFrom: string | null;
  accountName: string;
  plan: PlanName;
  perMinute: number;
  perDay: number;
  accountCreatedAtMs: number;
}

/** A key without stored scopes has every scope there is, also those that come later. */
export function toPrincipal(row: KeyRow): Principal {
  const { scopes, accountName, plan, perMinute, perDay, accountCreatedAtMs, ...key } = row;
  return {
    key: { ...key, scopes: scopes === null ? SCOPES : (scopes.split(' ') as Scope[]) },
    account: {
      id: row.accountId,
      name: accountName,
      plan,
      limits: { perMinute, perDay },
      createdAtMs: accountCreatedAtMs,
    },
  };
}
