import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { learnTime } from '../src/api/service-clock.ts';
import { isSamePerson, keepSession, keptSession } from '../src/offline/kept-session.ts';
import type { Session } from '../src/session/session-api.ts';
import { browserStorage } from '../src/storage/browser-storage.ts';

const HOUR_MS = 3_600_000;

/** A browser with an own storage, whose clock is wrong by `hours`. */
function openBrowser(t: TestContext, hours: number) {
  const items = new Map<string, string>();
  t.mock.method(browserStorage, 'getItem', (key: string) => items.get(key) ?? null);
  t.mock.method(browserStorage, 'setItem', (key: string, value: string) => void items.set(key, value));
  const serviceMs = Date.UTC(2026, 6, 1, 12);
  let nowMs = serviceMs + hours * HOUR_MS;
  t.mock.method(Date, 'now', () => nowMs);
  learnTime(new Headers({ Date: new Date(serviceMs).toUTCString() }), nowMs);
  const at = (later: number) => new Date(serviceMs + later * HOUR_MS).toISOString();
  keepSession({ keyId: 'key_me', idleExpiresAt: at(8), expiresAt: at(24) } as Session);
  return (later: number) => {
    nowMs = serviceMs + (hours + later) * HOUR_MS;
    return keptSession()?.keyId;
  };
}

for (const hours of [0, 24, -24]) {
  test(`a session opens the dashboard until it ends, with a clock that is wrong by ${hours} hours`, (t) => {
    const keptAfter = openBrowser(t, hours);
    assert.deepEqual([0, 7.9, 8.1].map(keptAfter), ['key_me', 'key_me', undefined]);
  });
}

test('a person is the same one after a rotation of the key, also where an earlier release names only the key', () => {
  const rotated = { keyId: 'key_new', firstKeyId: 'key_me' };
  assert.equal(isSamePerson({ keyId: 'key_me' }, rotated), true);
  assert.equal(isSamePerson({ keyId: 'key_new' }, rotated), true);
  assert.equal(isSamePerson({ keyId: 'key_other', firstKeyId: 'key_me' }, rotated), true);
  assert.equal(isSamePerson({ keyId: 'key_other' }, rotated), false);
});
