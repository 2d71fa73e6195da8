import { type Principal, SCOPES, type Scope } from '../../domain/access/api-key.ts';
import type { PlanName } from '../../domain/access/plans.ts';

const KEY_TABLES = 'api_keys JOIN accounts ON accounts.id = account_id';

/** The columns of a `KeyRow`. */
const KEY_COLUMNS = `api_keys.id, account_id AS "accountId", api_keys.name, hint, scopes, api_keys.created_at AS "createdAtMs",
expires_at AS "expiresAtMs", revoked_at AS "revokedAtMs", last_used_at AS "lastUsedAtMs", rotated_from AS "rotatedFrom",
accounts.name AS "accountName", plan, per_minute AS "perMinute", per_day AS "perDay", accounts.created_at AS "accountCreatedAtMs"`;

/** Keys with their accounts. */
export const KEYS = `SELECT ${KEY_COLUMNS} FROM ${KEY_TABLES}`;

/** Keys with their accounts and hashes. */
export const KEYS_WITH_HASHES = `SELECT hash, ${KEY_COLUMNS} FROM ${KEY_TABLES}`;

/** A row of `KEYS`. */
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
