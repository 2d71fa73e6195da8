import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signedIn } from '../../admin/cookie-requests.ts';
import type { Answer } from '../../support/harness.ts';
import { petRow } from '../../support/pet-rows.ts';
import { useEngine } from '../../support/test-database.ts';
import { until } from '../../support/until.ts';
import { PostgresEngine } from '../support/postgres-engine.ts';
import { at, HOUR_MS, startSkewed } from './skewed-services.ts';

useEngine(new PostgresEngine());

test('instances with wrong clocks decide alike, by the time of the database', async (t) => {
  const services = await startSkewed(t);
  const { app, now } = services;
  await app.admin.importPets([petRow(1n, 100)], 'cli');
  const instances = [at(services.ahead, app), at(services.behind, app)] as const;
  const [ahead, behind] = instances;
  const startMs = await now();
  const iso = (ms: number) => new Date(startMs + ms).toISOString();
  const both = (send: (instance: typeof ahead) => Promise<Answer>) => Promise.all(instances.map(send));
  const codesOf = async (send: (instance: typeof ahead) => Promise<Answer>) =>
    (await both(send)).map(({ status, code }) => code ?? status);

  // Streams first: the time until one ends is that of the checks below.
  const streamAt = async ({ url }: { url: string }, key: string) => {
    const response = await fetch(`${url}/v1/movements/stream`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    if (response.status === 401) return undefined;
    assert.ok(response.status === 200 && response.body);
    const stream = { text: '', isEnded: false };
    const decoded = response.body.pipeThrough(new TextDecoderStream());
    const read = async () => {
      for await (const text of decoded) stream.text += text;
      stream.isEnded = true;
    };
    // The end of the instance breaks it off.
    void read().catch(() => undefined);
    return stream;
  };
  const lasting = await streamAt(services.ahead, (await app.makeKey({ expiresAtMs: startMs + HOUR_MS })).key);
  assert.ok(lasting);
  let ending: typeof lasting | undefined;
  // On a busy machine the key may expire before its stream opens.
  for (let validMs = 1_500; !ending; validMs *= 2) {
    const { key } = await app.makeKey({ expiresAtMs: (await now()) + validMs });
    ending = await streamAt(services.behind, key);
  }

  const expiring = await app.makeKey({ expiresAtMs: startMs + HOUR_MS });
  const staff = (await app.makeAdminKey('staff', startMs + HOUR_MS)).key;
  for (const [key, target] of [
    [expiring.key, '/v1/inventory'],
    [staff, '/admin/v1/system'],
  ] as const) {
    assert.deepEqual(await codesOf((instance) => instance.request('GET', target, { key })), [200, 200]);
  }
  const expired = await app.makeAdminKey('viewer', startMs - 60_000);
  const useExpired = (instance: typeof ahead) =>
    instance.request('GET', '/admin/v1/system', { key: expired.key });
  assert.deepEqual(await codesOf(useExpired), ['expired_api_key', 'expired_api_key']);
  for (const { headers } of await both((one) => one.request('GET', '/admin/v1/system', { key: staff }))) {
    const resetMs = Number(headers.get('X-RateLimit-Reset')) * 1_000 - startMs;
    assert.ok(
      resetMs > -60_000 && resetMs < 120_000,
      `the limit of a management key resets in ${resetMs} ms`,
    );
    const dateMs = Date.parse(headers.get('Date') as string) - startMs;
    assert.ok(dateMs > -60_000 && dateMs < 120_000, `a response is dated ${dateMs} ms after the start`);
  }

  const page = await signedIn(behind, 'viewer');
  const useSession = (instance: typeof ahead) =>
    instance.request('GET', '/admin/v1/session', { key: null, headers: { Cookie: page.cookie } });
  await app.database.run(`UPDATE sessions SET used_at = ${startMs - 7 * HOUR_MS}`);
  assert.equal((await useSession(ahead)).status, 200, 'it is idle for 7 hours, and not for 9');

  const banned = await app.makeKey();
  const ban = `'${banned.principal.key.id}', 1, ${startMs - 60_000}, ${startMs + HOUR_MS}`;
  await app.database.run(`INSERT INTO bans (key_id, level, banned_at, ends_at) VALUES (${ban})`);
  await until(async () => {
    const codes = await codesOf((instance) => instance.request('GET', '/v1/inventory', { key: banned.key }));
    return codes.every((code) => code === 'api_key_banned');
  }, 'both instances ban the key');

  const adjust = { key: staff, body: '{"delta":1,"reason":"received"}' };
  const adjusted = await ahead.request('POST', '/admin/v1/inventory/1/adjustments', adjust);
  assert.equal(adjusted.status, 201);
  const place = (expiresAt: string) => (instance: typeof ahead) =>
    instance.request('POST', '/v1/store/orders', {
      body: JSON.stringify({ lines: [{ petId: 1, quantity: 1 }], expiresAt }),
    });
  assert.deepEqual(await codesOf(place(iso(HOUR_MS))), [201, 201]);
  assert.deepEqual(await codesOf(place(iso(-HOUR_MS))), ['validation_failed', 'validation_failed']);

  await until(() => ending.isEnded, 'the stream of an expired key ends');
  await until(() => lasting.text.includes(`"petId":1`), 'the other one goes on');
  assert.equal(lasting.isEnded, false);
});
