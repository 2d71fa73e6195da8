import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectGarbage } from '../../server/test/support/collect-garbage.ts';
import { SYSTEM_CLOCK } from '../src/clock.ts';
import { PetstoreClient } from '../src/index.ts';

const CALLS = 100_000;
const WARM_UP = 20_000;
const MAX_GROWTH_BYTES = 3_000_000;
const HEADERS = {
  'Content-Type': 'application/json',
  RateLimit: '"minute";r=900;t=30, "day";r=90000;t=3000',
  'RateLimit-Policy': '"minute";q=1000;w=60, "day";q=100000;w=86400',
};

/** Every fifth call fails once, each has the same signal, and each address is another one. */
test(`${CALLS} calls leave nothing behind`, async () => {
  let requests = 0;
  const clock = { ...SYSTEM_CLOCK, random: () => 0 };
  const fetch: typeof globalThis.fetch = async () => {
    requests += 1;
    if (requests % 5 === 0) throw new TypeError('fetch failed');
    return new Response('{"petId":7,"quantity":1}', { headers: { ...HEADERS, ETag: `"${requests}"` } });
  };
  const apiKey = 'psk_test_0000000000000000000000000000000000000000';
  const client = new PetstoreClient({ baseUrl: 'http://localhost', apiKey, fetch, clock, cache: 10_000 });
  const { signal } = new AbortController();
  const run = async (count: number) => {
    for (let i = 0; i < count; i += 1) {
      const call = client.getInventoryItem(i, { signal });
      if (i % 2) await call;
      else await call.withResponse();
    }
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = await run(WARM_UP);
  const after = await run(CALLS);
  assert.ok(after - before < MAX_GROWTH_BYTES, `${after - before} bytes more`);
});
