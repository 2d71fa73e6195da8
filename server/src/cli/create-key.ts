import type { Config } from '../config.ts';
import {
  createApiKey,
  createId,
  hashApiKey,
  keyHint,
  type Principal,
  SCOPES,
} from '../domain/access/api-key.ts';
import { OperatorError } from '../domain/errors.ts';
import type { NewKey } from '../domain/store.ts';
import type { OpenedAdminStore } from '../store/schema/database-metadata.ts';
import { findKey, keyState } from './format-key.ts';
import { requirePepper } from './pepper.ts';

export interface MadeKey {
  /** The key itself; it is shown once. */
  readonly secret: string;
  readonly principal: Principal;
}

type KeyFields = Pick<NewKey, 'accountId' | 'name' | 'scopes' | 'expiresAtMs'>;

/** Makes a key and stores it without its secret. */
export async function createKey(
  config: Config,
  store: OpenedAdminStore,
  fields: KeyFields,
): Promise<MadeKey> {
  const { secret, row } = newKey(config, store, fields, await store.now());
  await store.createKey(row);
  return { secret, principal: findKey(await store.listKeys(), row.id) };
}

/**
 * Replaces a key by a new one of the same name and scopes. The old one expires after the overlap, or at its own expiry if
 * that is sooner. By default the new one has the lifetime of the old one.
 */
export async function rotateKey(
  config: Config,
  store: OpenedAdminStore,
  keyId: string,
  options: { readonly overlapSeconds: number; readonly expiresAtMs: number | undefined },
): Promise<MadeKey & { readonly oldExpiresAtMs: number | null }> {
  const principals = await store.listKeys();
  const nowMs = await store.now();
  const { key: old } = findKey(principals, keyId);
  refuseUnrotatable(principals, keyId, nowMs);

  const lifeMs = old.expiresAtMs === null ? null : old.expiresAtMs - old.createdAtMs;
  const fields = {
    accountId: old.accountId,
    name: old.name,
    // A key with every scope keeps every scope, also those of later releases.
    scopes: old.scopes.length === SCOPES.length ? null : old.scopes,
    expiresAtMs: options.expiresAtMs ?? (lifeMs === null ? null : nowMs + lifeMs),
  };
  const { secret, row } = newKey(config, store, fields, nowMs);
  await store.rotateKey(keyId, row, nowMs + options.overlapSeconds * 1_000);
  const rotated = await store.listKeys();
  const { expiresAtMs: oldExpiresAtMs } = findKey(rotated, keyId).key;
  return { secret, principal: findKey(rotated, row.id), oldExpiresAtMs };
}

function refuseUnrotatable(principals: readonly Principal[], keyId: string, nowMs: number): void {
  const state = keyState(findKey(principals, keyId).key, nowMs);
  if (state !== 'active') {
    throw new OperatorError(`Key ${keyId} is ${state}, so it cannot be rotated; make a new one.`);
  }
  const successor = principals.find(({ key }) => key.rotatedFrom === keyId);
  if (successor) {
    throw new OperatorError(`Key ${keyId} was replaced by ${successor.key.id} already; rotate that one.`);
  }
}

function newKey(
  config: Config,
  { environment, pepperCheck }: OpenedAdminStore,
  fields: KeyFields,
  createdAtMs: number,
): { secret: string; row: NewKey } {
  const secret = createApiKey(environment);
  const hash = hashApiKey(secret, requirePepper(config, pepperCheck));
  return { secret, row: { ...fields, id: createId('key'), hash, hint: keyHint(secret), createdAtMs } };
}
