import type { ApiKey } from '../domain/access/api-key.ts';
import type { Principal } from '../domain/access/principal.ts';
import { keyState } from '../domain/actions/keys.ts';
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

/** The members of an account's key in JSON. */
export function accountKeyMembers({ key, account }: Principal, nowMs: number) {
  return { ...keyMembers(key, nowMs), accountId: account.id, scopes: key.scopes };
}

/** The members of a management key in JSON. */
export function managementKeyMembers({ key }: Principal, nowMs: number) {
  return { ...keyMembers(key, nowMs), role: key.role ?? '' };
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
