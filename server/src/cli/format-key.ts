import { type ApiKey, type Principal, SCOPES } from '../domain/access/api-key.ts';
import { OperatorError } from '../domain/errors.ts';
import { isoTime, readableTime } from './parse-time.ts';
import { table } from './terminal/table.ts';

/** Whether a key works, and why not. */
export function keyState(
  { revokedAtMs, expiresAtMs }: Pick<ApiKey, 'revokedAtMs' | 'expiresAtMs'>,
  nowMs: number,
): 'active' | 'revoked' | 'expired' {
  if (revokedAtMs !== null) return 'revoked';
  return expiresAtMs !== null && expiresAtMs <= nowMs ? 'expired' : 'active';
}

/**
 * Finds a key by its id.
 * @throws OperatorError when there is none. The message never repeats a secret that was passed instead.
 */
export function findKey(principals: readonly Principal[], keyId: string): Principal {
  const principal = principals.find(({ key }) => key.id === keyId);
  if (principal) return principal;
  if (keyId.startsWith('psk_')) {
    throw new OperatorError('That is a key, not the id of one; petstore-server keys list shows the ids.');
  }
  throw new OperatorError(
    `There is no key ${JSON.stringify(keyId)}; petstore-server keys list shows the ids.`,
  );
}

/** A new key with its secret, which is shown only here. */
export function describeNewKey(secret: string, principal: Principal) {
  const { key, account } = principal;
  const { id, ...fields } = keyJson(principal, key.createdAtMs);
  const text = [
    `API key of account ${account.name} (plan ${account.plan}), shown only this once:`,
    '',
    `  ${secret}`,
    '',
    `  id       ${id}`,
    `  name     ${key.name}`,
    `  scopes   ${key.scopes.join(', ')}`,
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
    keyState(key, nowMs),
    key.scopes.length === SCOPES.length ? 'all' : key.scopes.join(','),
    readableTime(key.expiresAtMs),
    readableTime(key.lastUsedAtMs),
  ]);
  const text =
    rows.length === 0
      ? 'There are no keys; petstore-server keys create makes one.'
      : table(['ID', 'KEY', 'ACCOUNT', 'NAME', 'STATE', 'SCOPES', 'EXPIRES', 'LAST USED'], rows);
  return { value: principals.map((principal) => keyJson(principal, nowMs)), text };
}

function keyJson({ key, account }: Principal, nowMs: number) {
  return {
    id: key.id,
    name: key.name,
    hint: key.hint,
    account: account.name,
    plan: account.plan,
    scopes: key.scopes,
    state: keyState(key, nowMs),
    createdAt: isoTime(key.createdAtMs),
    expiresAt: isoTime(key.expiresAtMs),
    revokedAt: isoTime(key.revokedAtMs),
    lastUsedAt: isoTime(key.lastUsedAtMs),
    rotatedFrom: key.rotatedFrom,
  };
}
