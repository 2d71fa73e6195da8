import { KEYS } from '../access/key-row.ts';
import type { SqlDialect } from './admin-engine.ts';

const ACCOUNTS = `SELECT id, name, plan, per_minute AS "perMinute", per_day AS "perDay", created_at AS "createdAtMs"
FROM accounts`;

/** The statements of accounts, keys and bans; those of import, verify, prune and backup are next to their code. */
export const ADMIN = {
  createAccount: `INSERT INTO accounts (id, name, plan, per_minute, per_day, created_at)
VALUES ($1, $2, $3, $4, $5, $6)`,

  account: `${ACCOUNTS} WHERE id = $1`,

  /** Those after the account `$1`, if it is given. */
  accounts: ({ bytewise }: SqlDialect) => `${ACCOUNTS}
WHERE CAST($1 AS text) IS NULL OR name ${bytewise} > (SELECT name FROM accounts WHERE id = $1)
ORDER BY name ${bytewise} LIMIT CAST($2 AS bigint)`,

  updateAccount: 'UPDATE accounts SET name = $2, plan = $3, per_minute = $4, per_day = $5 WHERE id = $1',

  createKey: `INSERT INTO api_keys (id, account_id, role, name, hash, hint, scopes, created_at, expires_at, rotated_from)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,

  key: `${KEYS} WHERE api_keys.id = $1`,

  successor: 'SELECT id FROM api_keys WHERE rotated_from = $1',

  /** Only a key that works now can be rotated; it never lives longer than it would have. */
  expireKey: `UPDATE api_keys SET expires_at = CASE WHEN expires_at < $2 THEN expires_at ELSE $2 END
WHERE id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)`,

  revokeKey: 'UPDATE api_keys SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL',

  runningBans: ({
    bytewise,
  }: SqlDialect) => `SELECT bans.id, key_id AS "keyId", level, banned_at AS "bannedAtMs", ends_at AS "endsAtMs",
lifted_at AS "liftedAtMs", hint AS "keyHint", accounts.name AS "accountName"
FROM bans JOIN api_keys ON api_keys.id = key_id JOIN accounts ON accounts.id = account_id
WHERE lifted_at IS NULL AND ends_at > $1 AND (CAST($2 AS text) IS NULL OR key_id ${bytewise} > $2)
ORDER BY key_id ${bytewise}, bans.id LIMIT CAST($3 AS bigint)`,

  runningBan: 'SELECT 1 FROM bans WHERE key_id = $1 AND lifted_at IS NULL AND ends_at > $2',

  /** All of them: a ban that stays unlifted would make the next one longer. */
  liftBans: 'UPDATE bans SET lifted_at = $2 WHERE key_id = $1 AND lifted_at IS NULL',
} as const;
