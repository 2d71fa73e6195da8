import {
  type ApiKey,
  createApiKey,
  createId,
  type Environment,
  hashApiKey,
  type KeyKind,
  keyHint,
  SCOPES,
} from '../access/api-key.ts';
import type { Principal } from '../access/principal.ts';
import type { AdminStore, NewKey } from '../admin-store.ts';
import { OperatorError } from '../errors.ts';
import type { ActionAuthor } from '../management/activity.ts';

type KeyAdmin = Pick<AdminStore, 'now' | 'keys'>;

/** What the secrets of keys are made and hashed with. */
export interface KeySecrets {
  readonly environment: Environment;
  readonly pepper: Uint8Array;
}

export interface MadeKey {
  /** The key itself; it is shown once. */
  readonly secret: string;
  readonly principal: Principal;
}

/** The values of a new key. One of `accountId` and `role` is `null`. */
export type KeyFields = Pick<NewKey, 'accountId' | 'role' | 'name' | 'scopes' | 'expiresAtMs'>;

export const MAX_OVERLAP_SECONDS = 7 * 86_400;
export const DEFAULT_OVERLAP_SECONDS = 86_400;

/** Whether a key works, and why not. */
export function keyState(
  { revokedAtMs, expiresAtMs }: Pick<ApiKey, 'revokedAtMs' | 'expiresAtMs'>,
  nowMs: number,
): 'active' | 'revoked' | 'expired' {
  if (revokedAtMs !== null) return 'revoked';
  return expiresAtMs !== null && expiresAtMs <= nowMs ? 'expired' : 'active';
}

/**
 * Finds a key of a kind by its id.
 * @throws OperatorError `not_found`. The message never repeats a secret that was passed instead.
 */
export async function requireKey(
  store: Pick<AdminStore, 'keys'>,
  keyId: string,
  kind: KeyKind = 'client',
): Promise<Principal> {
  const found = await store.keys.find(keyId);
  if (found && kindOf(found.key) === kind) return found;
  // A name is no id: several keys can have it.
  const hint = keyId.startsWith('key_') ? '.' : '; an id begins with key_.';
  const message = /^ps[ka]_/.test(keyId)
    ? 'That is a key, not the id of one.'
    : `There is no ${kind === 'client' ? 'key' : 'management key'} ${JSON.stringify(keyId)}${hint}`;
  throw new OperatorError(message, { code: 'not_found' });
}

/** Makes a key and stores it without its secret. */
export async function createKey(
  store: KeyAdmin,
  secrets: KeySecrets,
  fields: KeyFields,
  author: ActionAuthor,
): Promise<MadeKey> {
  const { secret, row } = newKey(secrets, fields, await store.now());
  await store.keys.create(row, author);
  return { secret, principal: await requireKey(store, row.id, kindOf(row)) };
}

/**
 * Replaces a key by a new one of the same name, and the same scopes or role. The old one expires after the overlap, or at
 * its own expiry if that is sooner. By default the new one has the lifetime of the old one.
 * @throws OperatorError `not_found`, or `conflict` when the key does not work or was replaced before.
 */
export async function rotateKey(
  store: KeyAdmin,
  secrets: KeySecrets,
  { keyId, kind }: { readonly keyId: string; readonly kind: KeyKind },
  options: { readonly overlapSeconds: number; readonly expiresAtMs: number | undefined },
  author: ActionAuthor,
): Promise<MadeKey & { readonly oldExpiresAtMs: number | null }> {
  const nowMs = await store.now();
  const { key: old } = await requireKey(store, keyId, kind);
  const state = keyState(old, nowMs);
  if (state !== 'active') {
    throw new OperatorError(`Key ${keyId} is ${state}, so it cannot be rotated; make a new one.`);
  }
  const lifeMs = old.expiresAtMs === null ? null : old.expiresAtMs - old.createdAtMs;
  const fields = {
    accountId: old.role === null ? old.accountId : null,
    role: old.role,
    name: old.name,
    // A key with every scope keeps every scope, also those of later releases.
    scopes: old.role !== null || old.scopes.length === SCOPES.length ? null : old.scopes,
    expiresAtMs: options.expiresAtMs ?? (lifeMs === null ? null : nowMs + lifeMs),
  };
  const { secret, row } = newKey(secrets, fields, nowMs);
  await store.keys.rotate(keyId, row, nowMs + options.overlapSeconds * 1_000, author);
  const { expiresAtMs: oldExpiresAtMs } = (await requireKey(store, keyId, kind)).key;
  return { secret, principal: await requireKey(store, row.id, kind), oldExpiresAtMs };
}

/** Revokes a key for good. Returns it, and whether it was revoked before. @throws OperatorError `not_found`. */
export async function revokeKey(
  store: KeyAdmin,
  { keyId, kind }: { readonly keyId: string; readonly kind: KeyKind },
  author: ActionAuthor,
): Promise<{ readonly principal: Principal; readonly wasRevoked: boolean }> {
  const { key } = await requireKey(store, keyId, kind);
  await store.keys.revoke(keyId, await store.now(), author);
  return { principal: await requireKey(store, keyId, kind), wasRevoked: key.revokedAtMs !== null };
}

function kindOf({ role }: Pick<NewKey, 'role'>): KeyKind {
  return role === null ? 'client' : 'management';
}

function newKey(
  { environment, pepper }: KeySecrets,
  fields: KeyFields,
  createdAtMs: number,
): { secret: string; row: NewKey } {
  const secret = createApiKey(environment, kindOf(fields));
  const hash = hashApiKey(secret, pepper);
  return { secret, row: { ...fields, id: createId('key'), hash, hint: keyHint(secret), createdAtMs } };
}
