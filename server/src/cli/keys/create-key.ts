import type { Config } from '../../config.ts';
import type { KeyKind } from '../../domain/access/api-key.ts';
import * as actions from '../../domain/actions/keys.ts';
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import type { OpenedAdminStore } from '../../store/schema/database-metadata.ts';
import { requirePepper } from '../pepper.ts';

/** Makes a key for the operator; without a role it is a client's. */
export function createKey(
  config: Config,
  store: OpenedAdminStore,
  {
    role = null,
    accountId = null,
    ...fields
  }: Omit<actions.KeyFields, 'role' | 'accountId'> & Partial<Pick<actions.KeyFields, 'role' | 'accountId'>>,
): Promise<actions.MadeKey> {
  return actions.createKey(store, secretsOf(config, store), { ...fields, role, accountId }, CLI_AUTHOR);
}

/** Replaces a key for the operator. */
export function rotateKey(
  config: Config,
  store: OpenedAdminStore,
  key: { readonly keyId: string; readonly kind: KeyKind },
  options: { readonly overlapSeconds: number; readonly expiresAtMs: number | undefined },
): ReturnType<typeof actions.rotateKey> {
  return actions.rotateKey(store, secretsOf(config, store), key, options, CLI_AUTHOR);
}

function secretsOf(config: Config, { environment, pepperCheck }: OpenedAdminStore): actions.KeySecrets {
  return { environment, pepper: requirePepper(config, pepperCheck) };
}
