import { randomBytes } from 'node:crypto';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@petstore-inventory/shared/durations';
import type { ApiKey } from './api-key.ts';
import type { Principal, Session, SessionOwner } from './principal.ts';

/** Sessions of the dashboard. Each belongs to a management key and ends with it. */

/** A session ends when it was not used for so long. */
export const SESSION_IDLE_MS = 8 * HOUR_MS;
/** A session ends so long after the sign-in, however often it is used. */
const SESSION_LIFE_MS = DAY_MS;
export const SIGN_IN_CODE_LIFE_MS = 10 * MINUTE_MS;
/** A sign-in beyond it ends the oldest session of the key. */
export const MAX_SESSIONS_OF_KEY = 100;

const SECRET_BYTES = 32;
const SECRET_SHAPE = /^[\w-]{43}$/;

/** A new secret of a session or a sign-in code: 256 random bits as base64url. */
export function createSessionSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** Other text is refused without a look-up in the store. */
export function isSessionSecret(text: string): boolean {
  return SECRET_SHAPE.test(text);
}

/** When a session ends if it is not used again. */
export function idleExpiryMs({ lastUsedAtMs, expiresAtMs }: Session): number {
  return Math.min(lastUsedAtMs + SESSION_IDLE_MS, expiresAtMs);
}

/** When a new session ends at the latest: with its key, if that expires earlier. */
export function sessionExpiryMs({ expiresAtMs }: Pick<ApiKey, 'expiresAtMs'>, createdAtMs: number): number {
  return Math.min(createdAtMs + SESSION_LIFE_MS, expiresAtMs ?? Number.POSITIVE_INFINITY);
}

/** Until when a caller has access at the most; `null`: without end. */
export function accessEndsAtMs({ key, session }: Principal): number | null {
  if (session === undefined) return key.expiresAtMs;
  return Math.min(idleExpiryMs(session), key.expiresAtMs ?? Number.POSITIVE_INFINITY);
}

/** Whether a session and its key are valid at a moment. */
export function isSessionLive(owner: SessionOwner, nowMs: number): boolean {
  // Independent of the clock: a step back must not reactivate a revoked key.
  return owner.key.revokedAtMs === null && (accessEndsAtMs(owner) ?? 0) > nowMs;
}
