import type { Principal, SessionOwner } from '../../domain/access/principal.ts';
import {
  MAX_SESSIONS_OF_KEY,
  SESSION_IDLE_MS,
  SIGN_IN_CODE_LIFE_MS,
  sessionExpiryMs,
} from '../../domain/access/sessions.ts';
import { keyState } from '../../domain/actions/keys.ts';
import { OperatorError } from '../../domain/errors.ts';
import type { ActionAuthor } from '../../domain/management/activity.ts';
import type { NewSession, SessionQuery, SessionStore } from '../../domain/management/sessions.ts';
import { timestamp } from '../../domain/timestamps.ts';
import { SESSION_CALLERS, type SessionRow, toSessionOwner } from '../access/key-row.ts';
import { recordAction } from '../ledger/activity.ts';
import type { AdminEngine } from './admin-engine.ts';
import { SqlApiKeyStore } from './api-key-store.ts';

/** Expired at the moment `$1`, or not used since `$2`. */
const IS_OVER = 'ends_at <= $1 OR used_at <= $2';

const STATEMENTS = {
  begin: `INSERT INTO sessions (id, key_id, hash, begun_at, used_at, ends_at)
VALUES ($1, $2, $3, $4, $4, $5)`,
  purge: `DELETE FROM sessions WHERE ${IS_OVER}`,
  /** Deletes the sessions of a key except the newest `$2`. */
  endOldest: ({ bytewise }: AdminEngine['dialect']) => `DELETE FROM sessions WHERE id IN (
  SELECT id FROM sessions WHERE key_id = $1 ORDER BY begun_at DESC, id ${bytewise} DESC
  LIMIT ${Number.MAX_SAFE_INTEGER} OFFSET CAST($2 AS bigint)
) RETURNING id`,
  addCode: 'INSERT INTO sign_in_codes (hash, key_id, expires_at) VALUES ($1, $2, $3)',
  purgeCodes: 'DELETE FROM sign_in_codes WHERE expires_at <= $1',
  takeCode: 'DELETE FROM sign_in_codes WHERE hash = $1 AND expires_at > $2 RETURNING key_id AS "keyId"',
  end: `DELETE FROM sessions WHERE id = $1 AND (CAST($2 AS text) IS NULL OR key_id = $2) RETURNING key_id AS "keyId"`,
} as const;

/** The sign-ins of the dashboard, on either engine. */
export class SqlSessionStore implements SessionStore {
  readonly #engine: AdminEngine;

  constructor(engine: AdminEngine) {
    this.#engine = engine;
  }

  begin(session: NewSession, keyId: string, requestId: string | null): Promise<SessionOwner | undefined> {
    return this.#engine.transaction(() => this.#begin(session, keyId, requestId));
  }

  beginWithCode(
    session: NewSession,
    codeHash: Uint8Array,
    requestId: string | null,
  ): Promise<SessionOwner | undefined> {
    return this.#engine.transaction(async () => {
      const values = [codeHash, await this.#engine.now()];
      // Another use of the code waits for this transaction, and then finds no row.
      const [code] = await this.#engine.all<{ keyId: string }>(STATEMENTS.takeCode, values);
      return code && this.#begin(session, code.keyId, requestId, 'sign-in code');
    });
  }

  addCode(hash: Uint8Array, keyId: string, author: ActionAuthor): Promise<number> {
    return this.#engine.transaction(async () => {
      const nowMs = await this.#engine.now();
      const key = (await this.#findKey(keyId, nowMs))?.key;
      if (!key) throw new OperatorError(`Management key ${keyId} does not work.`, { code: 'not_found' });
      const expiresAtMs = nowMs + SIGN_IN_CODE_LIFE_MS;
      await this.#engine.run(STATEMENTS.purgeCodes, [nowMs]);
      await this.#engine.run(STATEMENTS.addCode, [hash, keyId, expiresAtMs]);
      const details = { name: key.name, role: key.role, expiresAt: timestamp(expiresAtMs) };
      await recordAction(this.#engine, author, { action: 'sign-in-codes.create', target: keyId, details });
      return expiresAtMs;
    });
  }

  async list({ keyId, after, limit }: SessionQuery): Promise<readonly SessionOwner[]> {
    const { bytewise } = this.#engine.dialect;
    const nowMs = await this.#engine.now();
    const rows = await this.#engine.all<SessionRow>(
      `${SESSION_CALLERS} WHERE ends_at > $1 AND used_at > $2
AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $1)
AND (CAST($3 AS text) IS NULL OR key_id = $3) AND (CAST($4 AS text) IS NULL OR sessions.id ${bytewise} > $4)
ORDER BY sessions.id ${bytewise} LIMIT CAST($5 AS bigint)`,
      [nowMs, nowMs - SESSION_IDLE_MS, keyId ?? null, after ?? null, limit],
    );
    return rows.map(toSessionOwner);
  }

  end(sessionId: string, keyId: string | undefined, author: ActionAuthor): Promise<boolean> {
    return this.#engine.transaction(async () => {
      const [ended] = await this.#engine.all<{ keyId: string }>(STATEMENTS.end, [sessionId, keyId ?? null]);
      if (!ended) return false;
      const details = { keyId: ended.keyId };
      await recordAction(this.#engine, author, { action: 'sessions.end', target: sessionId, details });
      return true;
    });
  }

  async #begin(
    { id, hash }: NewSession,
    keyId: string,
    requestId: string | null,
    means: 'key' | 'sign-in code' = 'key',
  ): Promise<SessionOwner | undefined> {
    const engine = this.#engine;
    const nowMs = await engine.now();
    const owner = await this.#findKey(keyId, nowMs);
    if (!owner) return undefined;
    await engine.run(STATEMENTS.purge, [nowMs, nowMs - SESSION_IDLE_MS]);
    const expiresAtMs = sessionExpiryMs(owner.key, nowMs);
    await engine.run(STATEMENTS.begin, [id, keyId, hash, nowMs, expiresAtMs]);
    const author = { actor: keyId, requestId };
    await recordAction(engine, author, { action: 'sessions.create', target: id, details: { with: means } });
    const values = [keyId, MAX_SESSIONS_OF_KEY];
    for (const oldest of await engine.all<{ id: string }>(STATEMENTS.endOldest(engine.dialect), values)) {
      const details = { keyId, reason: `more than ${MAX_SESSIONS_OF_KEY} sessions` };
      await recordAction(engine, author, { action: 'sessions.end', target: oldest.id, details });
    }
    const session = { id, keyId, createdAtMs: nowMs, lastUsedAtMs: nowMs, expiresAtMs };
    return { ...owner, session };
  }

  /** A management key that works. */
  async #findKey(keyId: string, nowMs: number): Promise<Principal | undefined> {
    const found = await new SqlApiKeyStore(this.#engine).find(keyId);
    return found && found.key.role !== null && keyState(found.key, nowMs) === 'active' ? found : undefined;
  }
}
