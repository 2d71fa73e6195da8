import type { Principal } from '../../domain/access/principal.ts';
import type { KeyQuery, NewKey } from '../../domain/admin-store.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { ActionAuthor } from '../../domain/management/activity.ts';
import { timestamp, timestampOrNull } from '../../domain/timestamps.ts';
import { KEYS, type KeyRow, toPrincipal } from '../access/key-row.ts';
import type { SqlValue } from '../sql-client.ts';
import { recordAction } from './activity.ts';
import type { AdminEngine } from './admin-engine.ts';
import { ADMIN } from './statements.ts';

export function createKey(engine: AdminEngine, key: NewKey, author: ActionAuthor): Promise<void> {
  return engine.transaction(async () => {
    await engine.run(ADMIN.createKey, keyValues(key, null));
    await recordAction(engine, author, {
      action: `${groupOf(key)}.create`,
      target: key.id,
      details: shownFields(key),
    });
  });
}

export async function listKeys(engine: AdminEngine, query: KeyQuery): Promise<readonly Principal[]> {
  const { sql, values } = keysStatement(engine, query);
  return (await engine.all<KeyRow>(sql, values)).map(toPrincipal);
}

export async function findKey(engine: AdminEngine, keyId: string): Promise<Principal | undefined> {
  const [row] = await engine.all<KeyRow>(ADMIN.key, [keyId]);
  return row && toPrincipal(row);
}

export function rotateKey(
  engine: AdminEngine,
  oldKeyId: string,
  replacement: NewKey,
  oldExpiresAtMs: number,
  author: ActionAuthor,
): Promise<void> {
  return engine.transaction(async () => {
    // First, because the changed row makes another rotation of the key wait.
    const bounds = [oldKeyId, oldExpiresAtMs, replacement.createdAtMs];
    if ((await engine.run(ADMIN.expireKey, bounds)) === 0) {
      throw new OperatorError(`Key ${oldKeyId} does not work any more, so it cannot be rotated.`);
    }
    const [successor] = await engine.all<{ id: string }>(ADMIN.successor, [oldKeyId]);
    if (successor) {
      throw new OperatorError(`Key ${oldKeyId} was replaced by ${successor.id} already; rotate that one.`);
    }
    await engine.run(ADMIN.createKey, keyValues(replacement, oldKeyId));
    await recordAction(engine, author, {
      action: `${groupOf(replacement)}.rotate`,
      target: oldKeyId,
      details: {
        ...shownFields(replacement),
        replacement: replacement.id,
        oldExpiresAt: timestamp(oldExpiresAtMs),
      },
    });
  });
}

export function revokeKey(
  engine: AdminEngine,
  keyId: string,
  atMs: number,
  author: ActionAuthor,
): Promise<void> {
  return engine.transaction(async () => {
    if ((await engine.run(ADMIN.revokeKey, [keyId, atMs])) === 0) return;
    const found = await findKey(engine, keyId);
    const action = `${groupOf({ role: found?.key.role ?? null })}.revoke` as const;
    await recordAction(engine, author, { action, target: keyId, details: { name: found?.key.name } });
  });
}

export function liftBan(
  engine: AdminEngine,
  keyId: string,
  atMs: number,
  author: ActionAuthor,
): Promise<boolean> {
  return engine.transaction(async () => {
    if ((await engine.all(ADMIN.runningBan, [keyId, atMs])).length === 0) return false;
    await engine.run(ADMIN.liftBans, [keyId, atMs]);
    await recordAction(engine, author, { action: 'keys.lift-ban', target: keyId, details: {} });
    return true;
  });
}

/** The keys after `query.after` in their order; all without it. */
function keysStatement(
  { dialect: { bytewise } }: AdminEngine,
  { kind = 'client', accountId, after, limit }: KeyQuery,
): { readonly sql: string; readonly values: SqlValue[] } {
  const values: SqlValue[] = [];
  const place = (value: SqlValue) => `$${values.push(value)}`;
  const order = `coalesce(accounts.name, '') ${bytewise}, api_keys.created_at, api_keys.id ${bytewise}`;
  const conditions = [kind === 'client' ? 'role IS NULL' : 'role IS NOT NULL'];
  if (accountId !== undefined) conditions.push(`account_id = ${place(accountId)}`);
  if (after !== undefined) {
    const last = `SELECT ${order} FROM api_keys LEFT JOIN accounts ON accounts.id = account_id`;
    conditions.push(`(${order}) > (${last} WHERE api_keys.id = ${place(after)})`);
  }
  const page = limit === undefined ? '' : ` LIMIT ${place(limit)}`;
  return { sql: `${KEYS} WHERE ${conditions.join(' AND ')} ORDER BY ${order}${page}`, values };
}

/** The first part of the names of actions. */
function groupOf({ role }: Pick<NewKey, 'role'>): 'keys' | 'admin-keys' {
  return role === null ? 'keys' : 'admin-keys';
}

function shownFields({ accountId, role, name, hint, scopes, expiresAtMs }: NewKey) {
  const expiresAt = timestampOrNull(expiresAtMs);
  return { name, hint, expiresAt, ...(role === null ? { accountId, scopes } : { role }) };
}

function keyValues(key: NewKey, rotatedFrom: string | null): SqlValue[] {
  const { id, accountId, role, name, hash, hint, createdAtMs, expiresAtMs } = key;
  const scopes = key.scopes?.join(' ') ?? null;
  return [id, accountId, role, name, hash, hint, scopes, createdAtMs, expiresAtMs, rotatedFrom];
}
