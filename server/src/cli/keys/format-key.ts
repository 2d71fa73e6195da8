import { coloured } from '@petstore-inventory/shared/terminal/colour';
import { table } from '@petstore-inventory/shared/terminal/table';
import { SCOPES } from '../../domain/access/api-key.ts';
import type { Principal } from '../../domain/access/principal.ts';
import { keyState } from '../../domain/actions/keys.ts';
import { operatorKeyJson } from '../../wire/key-json.ts';
import { readableTime } from '../parse-time.ts';

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
    `  expires  ${readableTime(key.expiresAtMs)}`,
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
    coloured(keyState(key, nowMs)),
    key.scopes.length === SCOPES.length ? 'all' : key.scopes.join(','),
    readableTime(key.expiresAtMs),
    readableTime(key.lastUsedAtMs),
  ]);
  const text =
    rows.length === 0
      ? 'There are no keys; petstore-server keys create makes one.'
      : table(['ID', 'KEY', 'ACCOUNT', 'NAME', 'STATE', 'SCOPES', 'EXPIRES', 'LAST USED'], rows);
  return { value: principals.map((principal) => operatorKeyJson(principal, nowMs)), text };
}
