import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOON, startApp, type TestApp } from '../support/harness.ts';

const MINUTE_RESET = Date.UTC(2026, 6, 1, 12, 1) / 1_000;
const DAY_RESET = Date.UTC(2026, 6, 2) / 1_000;

/** Brings a key to its ban: it continues after 429 without waiting, longer than the grace period. */
async function provokeBan({ request, clock }: TestApp): Promise<void> {
  for (let i = 0; i < 200; i += 1) {
    const { code } = await request('GET', '/v1/inventory');
    if (code === 'api_key_banned') return;
    clock.nowMs += 200;
  }
  assert.fail('the key was never banned');
}

test('200: the plan, the current state of both windows, and no ban', async (t) => {
  const { request } = await startApp(t, { plan: 'pro' });
  for (let i = 0; i < 3; i += 1) await request('GET', '/v1/inventory');
  const { json, headers } = await request('GET', '/v1/rate-limit');
  assert.deepEqual(json, {
    plan: 'pro',
    minute: { limit: 300, remaining: 297, reset: MINUTE_RESET },
    day: { limit: 10_000, remaining: 9_997, reset: DAY_RESET },
    ban: null,
  });
  assert.equal(headers.get('Cache-Control'), 'no-store');
});

test('GET and HEAD take nothing from either window, and succeed when nothing remains', async (t) => {
  const { request } = await startApp(t, { limits: { perMinute: 2, perDay: 10 } });
  for (let i = 0; i < 5; i += 1) assert.equal((await request('GET', '/v1/rate-limit')).status, 200);
  assert.equal((await request('HEAD', '/v1/rate-limit')).headers.get('X-RateLimit-Remaining'), '2');
  assert.equal((await request('GET', '/v1/inventory')).headers.get('X-RateLimit-Remaining'), '1');
  await request('GET', '/v1/inventory');
  assert.equal((await request('GET', '/v1/inventory')).status, 429);
  const { status, json, headers } = await request('GET', '/v1/rate-limit');
  assert.equal(status, 200);
  assert.equal((json as { minute: { remaining: number } }).minute.remaining, 0);
  assert.equal(headers.get('X-RateLimit-Remaining'), '0');
});

test('the query is ignored, as in version 1.0.0', async (t) => {
  const { request } = await startApp(t);
  assert.equal((await request('GET', '/v1/rate-limit?limit=5&a')).status, 200);
});

test('windows turn over at the full UTC minute and day', async (t) => {
  const { request, clock } = await startApp(t, { limits: { perMinute: 5, perDay: 6 } });
  for (let i = 0; i < 5; i += 1) await request('GET', '/v1/inventory');
  clock.nowMs = MINUTE_RESET * 1_000;
  const { json } = await request('GET', '/v1/rate-limit');
  assert.deepEqual(json, {
    plan: 'enterprise',
    minute: { limit: 5, remaining: 5, reset: MINUTE_RESET + 60 },
    day: { limit: 6, remaining: 1, reset: DAY_RESET },
    ban: null,
  });
  clock.nowMs = DAY_RESET * 1_000;
  const next = (await request('GET', '/v1/rate-limit')).json as { day: { remaining: number } };
  assert.equal(next.day.remaining, 6);
});

test('a banned key reads the end of its ban, and another key of the account has no ban', async (t) => {
  const app = await startApp(t, { limits: { perMinute: 1, perDay: 1_000 } });
  await provokeBan(app);
  const { status, json } = await app.request('GET', '/v1/rate-limit');
  assert.equal(status, 200);
  const { until } = (json as { ban: { until: number } }).ban;
  assert.equal(until, Math.ceil((app.clock.nowMs + 5 * 60_000) / 1_000));

  const refused = await app.request('GET', '/v1/inventory');
  assert.deepEqual([refused.status, refused.code], [429, 'api_key_banned']);
  assert.equal(refused.headers.get('X-RateLimit-Reset'), String(until));

  const other = await app.makeKey();
  const { json: ofOther } = await app.request('GET', '/v1/rate-limit', { key: other.key });
  assert.equal((ofOther as { ban: unknown }).ban, null);

  app.clock.nowMs = until * 1_000;
  assert.equal((await app.request('GET', '/v1/inventory')).status, 200);
  assert.equal(((await app.request('GET', '/v1/rate-limit')).json as { ban: unknown }).ban, null);
});

test('when both windows are exhausted the headers show the day, which resets last', async (t) => {
  const { request } = await startApp(t, { limits: { perMinute: 2, perDay: 2 } });
  await request('GET', '/v1/inventory');
  await request('GET', '/v1/inventory');
  const { code, headers } = await request('GET', '/v1/inventory');
  assert.equal(code, 'daily_quota_exceeded');
  assert.equal(headers.get('X-RateLimit-Reset'), String(DAY_RESET));
  assert.equal(headers.get('Retry-After'), String(DAY_RESET - NOON / 1_000));
});

test('405 with Allow for another method, which does count', async (t) => {
  const { request } = await startApp(t, { limits: { perMinute: 5, perDay: 5 } });
  const { status, headers } = await request('POST', '/v1/rate-limit', { body: '{}' });
  assert.deepEqual([status, headers.get('Allow')], [405, 'GET, HEAD, OPTIONS']);
  assert.equal(headers.get('X-RateLimit-Remaining'), '4');
});

test('each plan has the limits that the specification gives it', async (t) => {
  const plans = { free: [60, 1_000], pro: [300, 10_000], business: [1_000, 100_000] } as const;
  for (const [plan, [perMinute, perDay]] of Object.entries(plans)) {
    const { request } = await startApp(t, { plan: plan as keyof typeof plans });
    const { json, headers } = await request('GET', '/v1/rate-limit');
    const { minute, day } = json as { minute: { limit: number }; day: { limit: number } };
    assert.deepEqual([minute.limit, day.limit], [perMinute, perDay]);
    assert.equal(headers.get('RateLimit-Policy'), `"minute";q=${perMinute};w=60, "day";q=${perDay};w=86400`);
  }
});
