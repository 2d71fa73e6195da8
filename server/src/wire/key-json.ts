import type { ApiKey } from '../domain/access/api-key.ts';
import type { Principal } from '../domain/access/principal.ts';
import { keyState, type MadeKey } from '../domain/actions/keys.ts';
import type { BanRow } from '../domain/admin-store.ts';
import { timestamp, timestampOrNull } from '../domain/timestamps.ts';

/** The members in JSON that keys of accounts and management keys have. */
function keyMembers(key: ApiKey, nowMs: number) {
  return {
    id: key.id,
    name: key.name,
    hint: key.hint,
    state: keyState(key, nowMs),
    createdAt: timestamp(key.createdAtMs),
    expiresAt: timestampOrNull(key.expiresAtMs),
    revokedAt: timestampOrNull(key.revokedAtMs),
    lastUsedAt: timestampOrNull(key.lastUsedAtMs),
    rotatedFrom: key.rotatedFrom,
  };
}

/** A key in a response. */
export function keyJson({ key, account }: Principal, nowMs: number) {
  const owner = key.role === null ? { accountId: account.id, scopes: key.scopes } : { role: key.role };
  return { ...keyMembers(key, nowMs), ...owner };
}

/** A key that was made now, with its secret, in a response. */
export function madeKeyJson({ secret, principal }: MadeKey) {
  return { ...keyJson(principal, principal.key.createdAtMs), key: secret };
}

/** A key as the command line prints it. */
export function operatorKeyJson({ key, account }: Principal, nowMs: number) {
  const { id, name, hint, ...rest } = keyMembers(key, nowMs);
  const owner =
    key.role === null
      ? { account: account.name, plan: account.plan, scopes: key.scopes }
      : { role: key.role };
  return { id, name, hint, ...owner, ...rest };
}

/** The members of a running ban in JSON. */
export function banMembers({ keyId, keyHint, accountName, level, bannedAtMs, endsAtMs }: BanRow) {
  return {
    keyId,
    hint: keyHint,
    account: accountName,
    level,
    bannedAt: timestamp(bannedAtMs),
    endsAt: timestamp(endsAtMs),
  };
}
