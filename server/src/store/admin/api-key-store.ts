import type { Principal } from '../../domain/access/principal.ts';
import type { ApiKeyStore, KeyQuery, NewKey } from '../../domain/admin-store.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { ActionAuthor } from '../../domain/management/activity.ts';
import { timestampOrNull } from '../../domain/timestamps.ts';
import { CALLERS, KEYS, type KeyRow, toPrincipal } from '../access/key-row.ts';
import { recordAction } from '../ledger/activity.ts';
import type { SqlDialect, SqlValue } from '../sql-client.ts';
import type { AdminEngine } from './admin-engine.ts';
import { matchingRows, type TextSearch, textCondition, textSearch } from './text-search.ts';

const KEY = {
  byId: `${CALLERS} WHERE api_keys.id = $1`,

  create: `INSERT INTO api_keys (id, account_id, role, name, hash, hint, scopes, created_at, expires_at, rotated_from)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,

  successor: 'SELECT id FROM api_keys WHERE rotated_from = $1',

  /** Only a key that works now can be rotated; it never lives longer than it would have. */
  expire: `UPDATE api_keys SET expires_at = CASE WHEN expires_at < $2 THEN expires_at ELSE $2 END
WHERE id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3)`,

  revoke: 'UPDATE api_keys SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL',
} as const;

/** The keys of either engine. */
export class SqlApiKeyStore implements ApiKeyStore {
  readonly #engine: AdminEngine;

  constructor(engine: AdminEngine) {
    this.#engine = engine;
  }

  create(key: NewKey, author: ActionAuthor): Promise<void> {
    return this.#engine.transaction(async () => {
      await this.#engine.run(KEY.create, keyValues(key, null));
      await recordAction(this.#engine, author, {
        action: `${groupOf(key)}.create`,
        target: key.id,
        details: shownFields(key),
      });
    });
  }

  async list(query: KeyQuery = {}): Promise<readonly Principal[]> {
    const { words, limit = Number.MAX_SAFE_INTEGER } = query;
    const search = words === undefined ? undefined : textSearch(words);
    const rows = await matchingRows(
      (last: KeyRow | undefined, count) => {
        const after = last ? { ...last, accountName: last.accountName ?? '' } : query.after;
        const part = {
          ...query,
          ...(query.limit !== undefined && { limit: count }),
          ...(after && { after }),
        };
        const { sql, values } = keysStatement(this.#engine.dialect, part, search);
        return this.#engine.all<KeyRow>(sql, values);
      },
      ({ name, id, hint, accountName }) => search?.matches([name, id, hint, accountName]) ?? true,
      limit,
    );
    return rows.map(toPrincipal);
  }

  async find(keyId: string): Promise<Principal | undefined> {
    const [row] = await this.#engine.all<KeyRow>(KEY.byId, [keyId]);
    return row && toPrincipal(row);
  }

  rotate(oldKeyId: string, replacement: NewKey, oldExpiresAtMs: number, author: ActionAuthor): Promise<void> {
    return this.#engine.transaction(async () => {
      // First, because the changed row makes another rotation of the key wait.
      const bounds = [oldKeyId, oldExpiresAtMs, replacement.createdAtMs];
      if ((await this.#engine.run(KEY.expire, bounds)) === 0) {
        throw new OperatorError(`Key ${oldKeyId} does not work any more, so it cannot be rotated.`);
      }
      const [successor] = await this.#engine.all<{ id: string }>(KEY.successor, [oldKeyId]);
      if (successor) {
        throw new OperatorError(
          `Key ${oldKeyId} was replaced by ${successor.id} already; rotate that one, or revoke this one to end it now.`,
        );
      }
      await this.#engine.run(KEY.create, keyValues(replacement, oldKeyId));
      // The key may expire before the overlap ends.
      const oldExpiresAt = timestampOrNull((await this.find(oldKeyId))?.key.expiresAtMs ?? null);
      await recordAction(this.#engine, author, {
        action: `${groupOf(replacement)}.rotate`,
        target: oldKeyId,
        details: { ...shownFields(replacement), replacement: replacement.id, oldExpiresAt },
      });
    });
  }

  revoke(keyId: string, atMs: number, author: ActionAuthor): Promise<void> {
    return this.#engine.transaction(async () => {
      if ((await this.#engine.run(KEY.revoke, [keyId, atMs])) === 0) return;
      const found = await this.find(keyId);
      const action = `${groupOf({ role: found?.key.role ?? null })}.revoke` as const;
      await recordAction(this.#engine, author, { action, target: keyId, details: { name: found?.key.name } });
    });
  }
}

const SEARCHED = ['api_keys.name', 'api_keys.id', 'hint', "coalesce(accounts.name, '')"];

/** The keys after `query.after` in their order; all without it. */
function keysStatement(
  dialect: SqlDialect,
  { kind = 'client', accountId, after, limit }: KeyQuery,
  search: TextSearch | undefined,
): { readonly sql: string; readonly values: SqlValue[] } {
  const { bytewise } = dialect;
  const values: SqlValue[] = [];
  const place = (value: SqlValue) => `$${values.push(value)}`;
  const order = `coalesce(accounts.name, '') ${bytewise}, api_keys.created_at, api_keys.id ${bytewise}`;
  const conditions = [kind === 'client' ? 'role IS NULL' : 'role IS NOT NULL'];
  if (accountId !== undefined) conditions.push(`account_id = ${place(accountId)}`);
  if (search) conditions.push(textCondition(SEARCHED, place(search.pattern), dialect));
  if (after !== undefined) {
    const last = `${place(after.accountName)}, CAST(${place(after.createdAtMs)} AS bigint), ${place(after.id)}`;
    conditions.push(`(${order}) > (${last})`);
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
