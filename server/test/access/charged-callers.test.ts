import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiKey } from '../../src/domain/access/api-key.ts';
import { type ApiError, serviceUnavailable } from '../../src/domain/errors.ts';
import type { Admission, KeyStore } from '../../src/domain/store.ts';
import { accountLimits } from '../../src/http/access/account-limits.ts';
import { AddressLimit } from '../../src/http/access/address-limit.ts';
import { Authenticator } from '../../src/http/access/authenticator.ts';
import { KeyCache } from '../../src/http/access/key-cache.ts';
import { managementLimits } from '../../src/http/access/management-limits.ts';
import { TrustedProxies } from '../../src/http/access/trusted-proxies.ts';
import type { RequestContext } from '../../src/http/request/request-context.ts';

const NOW_MS = 1_000_000;
const ADMITTED: Admission = { windows: [], refusal: undefined, atMs: NOW_MS };

function contextOf(): RequestContext {
  return { principal: { key: { id: 'key_1' } }, nowMs: NOW_MS, windows: [] } as unknown as RequestContext;
}

/** Sends one request of a client, for which the store has this answer. */
function charged(admission: Admission) {
  const seen = { uses: 0, refused: 0 };
  const store = {
    admit: () => admission,
    limitStatus: () => {
      throw new Error('The request is not free.');
    },
    noteKeyUse: () => {
      seen.uses += 1;
    },
  };
  const onRefused = () => {
    seen.refused += 1;
  };
  const admit = () => void accountLimits({ store, isFree: () => false, onRefused })(contextOf());
  return { seen, admit };
}

test('a request passes where the store admits it, and where the store cannot decide it does not', () => {
  const admitted = charged(ADMITTED);
  admitted.admit();
  assert.deepEqual(admitted.seen, { uses: 1, refused: 0 });
  const failed = charged({ ...ADMITTED, failure: serviceUnavailable('The database does not answer.') });
  assert.throws(failed.admit, { code: 'service_unavailable' });
  assert.deepEqual(failed.seen, { uses: 0, refused: 0 });
  const refused = charged({
    ...ADMITTED,
    refusal: { code: 'rate_limit_exceeded', retryAtMs: NOW_MS + 1_000 },
  });
  assert.throws(refused.admit, { code: 'rate_limit_exceeded', headers: { 'Retry-After': '1' } });
  assert.deepEqual(refused.seen, { uses: 0, refused: 1 });
});

test('each use of a management key is noted', () => {
  const uses: unknown[] = [];
  const store = { noteKeyUse: (...use: unknown[]) => uses.push(use) };
  managementLimits({ store, isCostly: () => false })(contextOf());
  assert.deepEqual(uses, [['key_1', NOW_MS]]);
});

test('behind a proxy that does not know the address, what a client has forged before counts for nothing', () => {
  const limit = new AddressLimit(10, ['10.0.0.1']);
  const proxy = { remoteAddress: '10.0.0.1' };
  assert.equal(limit.callerOf(proxy, '192.0.2.7'), '192.0.2.7');
  assert.equal(limit.callerOf(proxy, '192.0.2.7, unknown'), '10.0.0.1');
});

test('an address is the same one with a port, and as the IPv4 address in an IPv6 one', () => {
  const limit = new AddressLimit(10, ['10.0.0.1']);
  const proxy = { remoteAddress: '::ffff:10.0.0.1' };
  assert.equal(limit.callerOf(proxy, '192.0.2.7:4711'), '192.0.2.7');
  assert.equal(limit.callerOf(proxy, '[2001:db8:1:2::5]:443'), '2001:db8:1:2');
  assert.equal(limit.callerOf({ remoteAddress: '::ffff:192.0.2.7' }, null), '192.0.2.7');
});

test('a block of proxies with an unclear prefix is refused, and trusts no address', () => {
  for (const proxy of ['10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/x', 'proxy.example']) {
    assert.throws(() => new TrustedProxies([proxy]), /is not an address or CIDR block/, proxy);
  }
  const proxies = new TrustedProxies(['10.0.0.0/8']);
  assert.deepEqual([proxies.has('10.1.2.3'), proxies.has('11.1.2.3')], [true, false]);
});

test('guesses that have waited for the database leave their places to others', async () => {
  const store = { accessVersion: () => 1, findKey: async () => undefined } as unknown as KeyStore;
  const authenticator = new Authenticator(store, 'production', new Uint8Array(32));
  const guess = async () => {
    const header = `Bearer ${createApiKey('production')}`;
    return (await authenticator.authenticate(header, NOW_MS, () => true)) as ApiError;
  };
  for (let i = 0; i < 1_001; i += 1) assert.equal((await guess()).code, 'invalid_api_key');
});

test('more requests are given back than were taken, and the limit stays', () => {
  const limit = new AddressLimit(2, []);
  const peer = { remoteAddress: '192.0.2.7' };
  for (let i = 0; i < 3; i += 1) limit.refund(peer, null, NOW_MS);
  const admitted = Array.from({ length: 3 }, () => limit.charge(peer, null, NOW_MS).isAdmitted);
  assert.deepEqual(admitted, [true, true, false]);
});

test('a key is unknown for five seconds', (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  const cache = new KeyCache<object>();
  cache.note('a guess', undefined, cache.follow(1));
  nowMs = 4_999;
  assert.equal(cache.isUnknown('a guess'), true);
  nowMs = 5_000;
  assert.equal(cache.isUnknown('a guess'), false);
});
