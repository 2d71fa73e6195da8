import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Principal } from '../../src/domain/access/principal.ts';
import { bearerToken } from '../../src/http/access/bearer-token.ts';
import { KeyCache } from '../../src/http/access/key-cache.ts';
import { assertLinear } from '../fuzz/hostile/cpu-time.ts';
import { startApp } from '../support/harness.ts';
import { principalOf } from '../support/principals.ts';
import { isSkippedDaily } from '../support/long-test.ts';
import { collectGarbage } from '../support/collect-garbage.ts';

/** The maximum length of a header: Node accepts 16 KiB of headers. */
const MAX_LENGTH = 15_900;
const HOSTILE = [
  `bearer${' '.repeat(MAX_LENGTH)}x y`,
  `bearer ${'x '.repeat(MAX_LENGTH / 2)}y`,
  `bearer ${'x'.repeat(MAX_LENGTH)} y`,
  `bearer ${' x'.repeat(MAX_LENGTH / 2)}`,
  `${' '.repeat(MAX_LENGTH)}bearer x`,
  'bearer'.repeat(MAX_LENGTH / 6),
];

test('a credential is the text after the scheme (in any case), without surrounding spaces', () => {
  for (const [header, token] of [
    ['Bearer a', 'a'],
    ['bEARER    a.b~c   ', 'a.b~c'],
    ['Bearer', undefined],
    ['Bearer ', undefined],
    ['Bearera', undefined],
    ['Bearer  a b ', 'a b'],
    ['Bearer \ta', '\ta'],
    [' Bearer a', undefined],
    ['Basic a', undefined],
    ['', undefined],
  ] as const) {
    assert.equal(bearerToken(header), token, JSON.stringify(header));
  }
});

test('401 missing_api_key for a credential with white space in it', async (t) => {
  if (isSkippedDaily(t)) return;
  const { request, key } = await startApp(t);
  for (const Authorization of [`Bearer ${key} ${key}`, `Bearer x\ty`, `Bearer x ${key}`]) {
    const { code } = await request('GET', '/v1/inventory', { key: null, headers: { Authorization } });
    assert.equal(code, 'missing_api_key', Authorization);
  }
});

test('the longest credential is read in linear time', async () => {
  await assertLinear('a credential', MAX_LENGTH / 8, (length) => {
    for (let i = 0; i < 300; i += 1) {
      for (const header of HOSTILE) bearerToken(header.slice(0, length / 2) + header.slice(-length / 2));
    }
  });
});

test('a hostile credential costs a request next to nothing, with or without a token for /metrics', async (t) => {
  const { request } = await startApp(t, { config: { PETSTORE_METRICS_TOKEN: 'secret' } });
  const before = process.cpuUsage();
  for (let i = 0; i < 10; i += 1) {
    for (const Authorization of HOSTILE) {
      const sending = { key: null, headers: { Authorization } };
      assert.equal((await request('GET', '/v1/inventory', sending)).status, 401);
      assert.equal((await request('GET', '/metrics', sending)).status, 401);
    }
  }
  const { user, system } = process.cpuUsage(before);
  assert.ok(user + system < 1_000_000, `${(user + system) / 1_000} ms for 120 requests`);
});

test('2,000 spellings of one key take the memory of one', async (t) => {
  if (isSkippedDaily(t)) return;
  const { request, key } = await startApp(t, { config: { PETSTORE_LOG_LEVEL: 'silent' } });
  const spell = async (spaces: number) => {
    const headers = { Authorization: `Bearer${' '.repeat(spaces)}${key}` };
    assert.equal((await request('GET', '/v1/rate-limit', { key: null, headers })).status, 200);
  };
  for (let spaces = 1; spaces <= 100; spaces += 1) await spell(spaces);
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let spaces = 13_000; spaces < 15_000; spaces += 1) await spell(spaces);
  collectGarbage();
  const grownMiB = (process.memoryUsage().heapUsed - before) / 2 ** 20;
  assert.ok(grownMiB < 6, `the heap has grown by ${grownMiB} MiB`);
});

test('unknown keys push no known key out, and are forgotten with the generation', () => {
  const cache = new KeyCache<Principal>();
  const generation = cache.follow(7);
  const principal = principalOf('key', 'acc', { perMinute: 1, perDay: 1 });
  cache.note('good', principal, generation);
  for (let i = 0; i < 30_000; i += 1) cache.note(`unknown ${i}`, undefined, generation);
  assert.equal(cache.get('good')?.owner, principal);
  assert.deepEqual([cache.isUnknown('unknown 29999'), cache.isUnknown('unknown 0')], [true, false]);
  assert.notEqual(cache.follow(8), generation);
  assert.equal(cache.isUnknown('unknown 29999'), false);
  assert.equal(cache.get('good')?.generation, generation, 'to be looked up again');
  cache.note('unknown late', undefined, generation);
  assert.equal(cache.isUnknown('unknown late'), false, 'it may exist by now');
});

test('the cache evicts the oldest generation first', () => {
  const cache = new KeyCache<Principal>();
  const principal = principalOf('key', 'acc', { perMinute: 1, perDay: 1 });
  const first = cache.follow(1);
  for (let i = 0; i < 10_001; i += 1) cache.note(`key ${i}`, principal, first);
  assert.deepEqual([cache.get('key 0') !== undefined, cache.get('key 10000')], [true, undefined]);
  const second = cache.follow(2);
  cache.note('key 10000', principal, second);
  assert.deepEqual([cache.get('key 0'), cache.get('key 10000')?.generation], [undefined, second]);
});
