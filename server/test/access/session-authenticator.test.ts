import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionOwner } from '../../src/domain/access/principal.ts';
import { createSessionSecret, isSessionLive } from '../../src/domain/access/sessions.ts';
import { ApiError } from '../../src/domain/errors.ts';
import { SessionAuthenticator } from '../../src/http/access/session-authenticator.ts';

const NOW_MS = 1_000_000;

/** A session of a key without an expiry, which is live at `NOW_MS`. */
function liveOwner(): SessionOwner {
  const session = {
    id: 'ses_1',
    keyId: 'key_1',
    createdAtMs: NOW_MS,
    lastUsedAtMs: NOW_MS,
    expiresAtMs: 2 * NOW_MS,
  };
  return { session, key: { revokedAtMs: null, expiresAtMs: null } } as SessionOwner;
}

test('a session that ended here is looked up again, before the other instances announce its end', async () => {
  let owner: SessionOwner | undefined = liveOwner();
  let lookUps = 0;
  const store = {
    // The end of the session is not announced yet.
    accessVersion: () => 1,
    findSession: () => {
      lookUps += 1;
      return owner;
    },
    noteSessionUse: () => {},
  };
  const sessions = new SessionAuthenticator(store, new Uint8Array(32));
  const secret = createSessionSecret();
  for (let i = 0; i < 2; i += 1) assert.equal(await sessions.authenticate(secret, NOW_MS), owner);
  assert.equal(lookUps, 1, 'it is cached');
  owner = undefined;
  sessions.forget(secret);
  const refused = await sessions.authenticate(secret, NOW_MS);
  assert.ok(refused instanceof ApiError && refused.code === 'session_ended');
});

test('a session ends with its key, also where a rotation has shortened its life since the sign-in', () => {
  const { session, key } = liveOwner();
  const ownerOf = (expiresAtMs: number, revokedAtMs: number | null = null) =>
    ({ session, key: { ...key, expiresAtMs, revokedAtMs } }) as SessionOwner;
  assert.equal(isSessionLive(ownerOf(NOW_MS + 1), NOW_MS), true);
  assert.equal(isSessionLive(ownerOf(NOW_MS), NOW_MS), false);
  assert.equal(isSessionLive(ownerOf(NOW_MS + 1, NOW_MS), NOW_MS), false);
});

test('a guess of an address over its limit is looked up as one, and an unknown session once', async () => {
  const lookUps: boolean[] = [];
  const store = {
    accessVersion: () => 1,
    findSession: (_hash: unknown, isGuess: boolean) => {
      lookUps.push(isGuess);
      return undefined;
    },
    noteSessionUse: () => {},
  };
  const sessions = new SessionAuthenticator(store, new Uint8Array(32));
  const secret = createSessionSecret();
  await sessions.authenticate(secret, NOW_MS);
  await sessions.authenticate(secret, NOW_MS);
  await sessions.authenticate(createSessionSecret(), NOW_MS, () => true);
  assert.deepEqual(lookUps, [false, true]);
});
