import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { learnTime, serviceNow } from '../src/api/service-clock.ts';
import { KEPT_AT } from '../src/api/kept-at.ts';

const AT_MS = Date.UTC(2026, 6, 1, 12);
const learn = (serviceMs: number, sentAtMs: number, receivedAtMs: number) =>
  learnTime(new Headers({ Date: new Date(serviceMs).toUTCString() }), sentAtMs, receivedAtMs);
/** Without a difference it is not -0. */
const skew = () => Math.round((serviceNow() - Date.now()) / 1_000) + 0;

beforeEach(() => learn(AT_MS, AT_MS, AT_MS));

test('the difference to the clock of the service is known', () => {
  learn(AT_MS + 7_200_000, AT_MS, AT_MS + 100);
  assert.equal(skew(), 7_200);
  learn(AT_MS - 7_200_000, AT_MS, AT_MS + 100);
  assert.equal(skew(), -7_200);
});

test('a slow answer, and one without a time, are no difference', () => {
  learn(AT_MS, AT_MS - 20_000, AT_MS + 20_000);
  assert.equal(skew(), 0);
  learn(AT_MS, AT_MS + 900, AT_MS + 950);
  assert.equal(skew(), 0);
  learnTime(new Headers(), AT_MS);
  learnTime(new Headers({ Date: 'yesterday' }), AT_MS);
  assert.equal(skew(), 0);
});

test('a list that the service worker has kept has the time of another day, which is not that of now', () => {
  const kept = { Date: new Date(AT_MS - 86_400_000).toUTCString(), [KEPT_AT]: '2026-06-30T12:00:00.000Z' };
  learnTime(new Headers(kept), AT_MS, AT_MS + 100);
  assert.equal(skew(), 0);
});
