import type { Session, SessionOwner } from '../../domain/access/principal.ts';
import { KEY_COLUMNS, KEY_TABLES, type KeyRow, toPrincipal } from './key-row.ts';

const SESSION_COLUMNS = `sessions.id AS "sessionId", begun_at AS "begunAtMs", used_at AS "sessionUsedAtMs",
ends_at AS "sessionExpiresAtMs"`;
const SESSION_TABLES = `${KEY_TABLES} JOIN sessions ON sessions.key_id = api_keys.id`;

/** Sessions with their keys. */
export const SESSIONS = `SELECT ${SESSION_COLUMNS}, ${KEY_COLUMNS} FROM ${SESSION_TABLES}`;

/** Sessions with their keys and the hashes of their secrets. */
export const SESSIONS_WITH_HASHES = `SELECT sessions.hash, ${SESSION_COLUMNS}, ${KEY_COLUMNS} FROM ${SESSION_TABLES}`;

/** A row of `SESSIONS`. */
export interface SessionRow extends KeyRow {
  sessionId: string;
  begunAtMs: number;
  sessionUsedAtMs: number;
  sessionExpiresAtMs: number;
}

export function toSessionOwner(row: SessionRow): SessionOwner {
  const { sessionId, begunAtMs, sessionUsedAtMs, sessionExpiresAtMs, ...key } = row;
  const session: Session = {
    id: sessionId,
    keyId: key.id,
    createdAtMs: begunAtMs,
    lastUsedAtMs: sessionUsedAtMs,
    expiresAtMs: sessionExpiresAtMs,
  };
  return { ...toPrincipal(key), session };
}
