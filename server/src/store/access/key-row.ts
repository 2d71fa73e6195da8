import type { PlanName, Role } from '@petstore-inventory/shared/words';
import { type Account, type ApiKey, ROLE_SCOPES, SCOPES, type Scope } from '../../domain/access/api-key.ts';
import type { Principal, Session, SessionOwner } from '../../domain/access/principal.ts';

const KEY_TABLES = 'api_keys LEFT JOIN accounts ON accounts.id = account_id';

/** A subquery: the first one of the keys that led to the key `id` by rotation. */
export const firstKeyOf = (id: string) => `(WITH RECURSIVE chain (id, rotated_from) AS (
  SELECT newest.id, newest.rotated_from FROM api_keys AS newest WHERE newest.id = ${id}
  UNION SELECT earlier.id, earlier.rotated_from FROM api_keys AS earlier JOIN chain ON earlier.id = chain.rotated_from
)
SELECT chain.id FROM chain WHERE chain.rotated_from IS NULL)`;

/** The columns of a `KeyRow`. */
const KEY_COLUMNS = `api_keys.id, account_id AS "accountId", role, api_keys.name, hint, scopes, api_keys.created_at AS "createdAtMs",
expires_at AS "expiresAtMs", revoked_at AS "revokedAtMs", last_used_at AS "lastUsedAtMs", rotated_from AS "rotatedFrom",
accounts.name AS "accountName", plan, per_minute AS "perMinute", per_day AS "perDay", accounts.created_at AS "accountCreatedAtMs"`;

/** Not in lists, in which each key of a long chain of rotations would follow the chain. */
const CALLER_COLUMNS = `${KEY_COLUMNS},
CASE WHEN role IS NOT NULL THEN ${firstKeyOf('api_keys.id')} END AS "firstKeyId"`;

/** Keys with their accounts; those of management have none. */
export const KEYS = `SELECT ${KEY_COLUMNS} FROM ${KEY_TABLES}`;

/** Keys with what a request needs of its caller. */
export const CALLERS = `SELECT ${CALLER_COLUMNS} FROM ${KEY_TABLES}`;

/** Callers with the hashes of their keys. */
export const CALLERS_WITH_HASHES = `SELECT hash, ${CALLER_COLUMNS} FROM ${KEY_TABLES}`;

/** A row of `KEYS`, or of `CALLERS`. A management key has a role and no account. */
export interface KeyRow extends Omit<ApiKey, 'accountId' | 'role' | 'scopes'> {
  accountId: string | null;
  role: Role | null;
  scopes: string | null;
  accountName: string | null;
  plan: PlanName | null;
  perMinute: number | null;
  perDay: number | null;
  accountCreatedAtMs: number | null;
}

/** Stands for the account of every management key. No limit of an account applies to them. */
const MANAGEMENT: Account = {
  id: 'management',
  name: 'management',
  plan: 'enterprise',
  limits: { perMinute: Number.MAX_SAFE_INTEGER, perDay: Number.MAX_SAFE_INTEGER },
  createdAtMs: 0,
};

export function toPrincipal(row: KeyRow): Principal {
  const { scopes, accountName, plan, perMinute, perDay, accountCreatedAtMs, ...key } = row;
  const account = accountOf(row);
  return { key: { ...key, accountId: account.id, scopes: scopesOf(row) }, account };
}

function accountOf(row: KeyRow): Account {
  const { accountId, accountName: name, plan, perMinute, perDay, accountCreatedAtMs: createdAtMs } = row;
  if (accountId === null) return MANAGEMENT;
  return { id: accountId, name, plan, limits: { perMinute, perDay }, createdAtMs } as Account;
}

/** A key without stored scopes has every scope, also future ones. */
function scopesOf({ role, scopes }: Pick<KeyRow, 'role' | 'scopes'>): readonly Scope[] {
  if (role !== null) return ROLE_SCOPES[role];
  return scopes === null ? SCOPES : (scopes.split(' ') as Scope[]);
}

const SESSION_COLUMNS = `sessions.id AS "sessionId", begun_at AS "begunAtMs", used_at AS "sessionUsedAtMs",
ends_at AS "sessionExpiresAtMs"`;
const SESSION_TABLES = `${KEY_TABLES} JOIN sessions ON sessions.key_id = api_keys.id`;

/** Sessions with what a request needs of its caller. */
export const SESSION_CALLERS = `SELECT ${SESSION_COLUMNS}, ${CALLER_COLUMNS} FROM ${SESSION_TABLES}`;

/** Callers with the hashes of the secrets of their sessions. */
export const SESSION_CALLERS_WITH_HASHES = `SELECT sessions.hash, ${SESSION_COLUMNS}, ${CALLER_COLUMNS} FROM ${SESSION_TABLES}`;

/** A row of `SESSION_CALLERS`. */
export interface SessionRow extends KeyRow {
  sessionId: string;
  begunAtMs: number;
  sessionUsedAtMs: number;
  sessionExpiresAtMs: number;
}

export function toSessionOwner(row: SessionRow): SessionOwner {
  const { sessionId, begunAtMs, sessionUsedAtMs, sessionExpiresAtMs, ...key } = row;
  const session: Session = {
    id: sessionId,
    keyId: key.id,
    createdAtMs: begunAtMs,
    lastUsedAtMs: sessionUsedAtMs,
    expiresAtMs: sessionExpiresAtMs,
  };
  return { ...toPrincipal(key), session };
}
