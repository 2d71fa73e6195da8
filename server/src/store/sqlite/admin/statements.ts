import { READ } from '../statements.ts';

/** The statements of the operator's command line, but those of import, verify and backup, which stand beside them. */
export const ADMIN = {
  createAccount: `INSERT INTO accounts (id, name, plan, per_minute, per_day, created_at)
VALUES ($id, $name, $plan, $perMinute, $perDay, $createdAtMs)`,

  accounts: `SELECT id, name, plan, per_minute AS perMinute, per_day AS perDay, created_at AS createdAtMs
FROM accounts ORDER BY name`,

  setPlan: 'UPDATE accounts SET plan = $plan, per_minute = $perMinute, per_day = $perDay WHERE id = $id',

  createKey: `INSERT INTO api_keys (id, account_id, name, hash, hint, scopes, created_at, expires_at, rotated_from)
VALUES ($id, $accountId, $name, $hash, $hint, $scopes, $createdAtMs, $expiresAtMs, $rotatedFrom)`,

  keys: `${READ.key} ORDER BY accounts.name, api_keys.created_at, api_keys.id`,

  /** Only a key that works now can be rotated; it never lives longer than it would have. */
  expireKey: `UPDATE api_keys SET expires_at = min(coalesce(expires_at, $expiresAtMs), $expiresAtMs)
WHERE id = $id AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $nowMs)`,

  revokeKey: 'UPDATE api_keys SET revoked_at = $atMs WHERE id = $id AND revoked_at IS NULL',

  runningBans: `SELECT bans.id, key_id AS keyId, level, banned_at AS bannedAtMs, ends_at AS endsAtMs,
lifted_at AS liftedAtMs, hint AS keyHint, accounts.name AS accountName
FROM bans JOIN api_keys ON api_keys.id = key_id JOIN accounts ON accounts.id = account_id
WHERE lifted_at IS NULL AND ends_at > $nowMs ORDER BY ends_at, bans.id`,

  runningBan: 'SELECT 1 FROM bans WHERE key_id = $keyId AND lifted_at IS NULL AND ends_at > $atMs',

  /** All of them: a ban that stays unlifted would make the next one longer. */
  liftBans: 'UPDATE bans SET lifted_at = $atMs WHERE key_id = $keyId AND lifted_at IS NULL',
} as const;
