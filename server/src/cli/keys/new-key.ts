import { safe } from '@petstore-inventory/shared/terminal/safe-text';
import type { Config } from '../../config.ts';
import { type KeyKind, SCOPES } from '../../domain/access/api-key.ts';
import type { Principal } from '../../domain/access/principal.ts';
import * as actions from '../../domain/actions/keys.ts';
import { keyState } from '../../domain/actions/keys.ts';
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import type { OpenedAdminStore } from '../../store/schema/database-metadata.ts';
import { operatorKeyJson } from '../../wire/key-json.ts';
import { requireYes, type YesOptions } from '../confirm.ts';
import { paint, shownTable } from '../output.ts';
import { shownTime } from '../parse-time.ts';
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

/**
 * Asks before a second key of a name, which is probably a command that was repeated. Two keys of one name look alike
 * in the activity log.
 * @throws OperatorError unless there is no working key of the name, `--yes` is given, or the person at the terminal agrees.
 */
export async function confirmSameName(
  store: OpenedAdminStore,
  { name, accountId }: { readonly name: string | undefined; readonly accountId: string | null },
  options: YesOptions,
): Promise<void> {
  if (name === undefined) return;
  const nowMs = await store.now();
  const keys = await store.keys.list(accountId === null ? { kind: 'management' } : { accountId });
  const same = keys.find(({ key }) => key.name === name && keyState(key, nowMs) === 'active');
  if (!same) return;
  const { id, role } = same.key;
  const kind = role === null ? `of account ${same.account.name}` : `(role ${role})`;
  const what = `The key ${id} ${kind} has the name ${JSON.stringify(name)} already`;
  await requireYes(options, {
    what,
    question: () => `${safe(what)}. Make another key of this name?`,
    done: 'made',
    instead: 'give another --name',
  });
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

/** A new key with its secret, which is shown only here. */
export function describeNewKey(secret: string, principal: Principal) {
  const { key, account } = principal;
  const { id, ...fields } = operatorKeyJson(principal, key.createdAtMs);
  const isManagement = key.role !== null;
  const text = [
    isManagement
      ? `Management key (role ${key.role}), shown only this once:`
      : `API key of account ${account.name} (plan ${account.plan}), shown only this once:`,
    '',
    `  ${secret}`,
    '',
    `  id       ${id}`,
    `  name     ${key.name}`,
    ...(isManagement ? [] : [`  scopes   ${key.scopes.join(', ')}`]),
    `  expires  ${shownTime(key.expiresAtMs)}`,
  ].join('\n');
  return { value: { id, key: secret, ...fields }, text };
}

/** Keys as `keys list` shows them. */
export function listKeys(principals: readonly Principal[], nowMs: number) {
  const rows = principals.map(({ key, account }) => [
    key.id,
    key.hint,
    account.name,
    key.name,
    paint.state(keyState(key, nowMs)),
    key.scopes.length === SCOPES.length ? 'all' : key.scopes.join(','),
    shownTime(key.expiresAtMs),
    shownTime(key.lastUsedAtMs),
  ]);
  const text =
    rows.length === 0
      ? 'There are no keys; petstore-server keys create makes one.'
      : shownTable(['ID', 'KEY', 'ACCOUNT', 'NAME', 'STATE', 'SCOPES', 'EXPIRES', 'LAST USED'], rows);
  return { value: principals.map((principal) => operatorKeyJson(principal, nowMs)), text };
}
