import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, NOON, startApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';

const SINCE = '2026-03-01T00:00:00Z';
const SUNSET = '2026-09-30T12:00:00Z';
const config = {
  PETSTORE_GET_PET_DEPRECATED_AT: SINCE,
  PETSTORE_GET_PET_SUNSET_AT: SUNSET,
  PETSTORE_BASE_URL: 'https://api.pets.example/v1',
};
const pets = [petRow(7n), { ...petRow(-8n), name: null, category: null, status: 'sold' as const }];

/** Deprecation is a structured date (RFC 9745), Sunset an HTTP date (RFC 8594). */
function assertDeprecated({ headers, status, code }: Answer): void {
  assert.equal(
    headers.get('Deprecation'),
    `@${Date.parse(SINCE) / 1_000}`,
    `Deprecation on ${status} ${code}`,
  );
  assert.equal(headers.get('Sunset'), 'Wed, 30 Sep 2026 12:00:00 GMT');
  const link = headers.get('Link') ?? '';
  const docs = '<https://api.pets.example/docs/reference#getPet>';
  assert.ok(link.includes(`${docs}; rel="deprecation"`) && link.includes(`${docs}; rel="sunset"`), link);
}

test('200: the pet without its stock, and that the operation is deprecated', async (t) => {
  const { request } = await startApp(t, { pets, config });
  const answer = await request('GET', '/v1/pets/7');
  assert.equal(answer.text, '{"petId":7,"name":"Pet 7","category":"Dogs","status":"available"}');
  assertDeprecated(answer);
  const nameless = await request('GET', '/v1/pets/-8');
  assert.equal(nameless.text, '{"petId":-8,"name":null,"category":null,"status":"sold"}');
  const head = await request('HEAD', '/v1/pets/7');
  assert.equal(head.status, 200);
  assertDeprecated(head);
});

test('names are returned unchanged, with any characters', async (t) => {
  const name = 'Süße "Maus" \\ \u{1f42d}\u2028</script>';
  const { request } = await startApp(t, { pets: [{ ...petRow(1n), name }] });
  assert.equal(((await request('GET', '/v1/pets/1')).json as { name: string }).name, name);
});

test('every error of the operation has the deprecation headers', async (t) => {
  const app = await startApp(t, { pets, config, limits: { perMinute: 4, perDay: 100 } });
  const { request } = app;
  const other = await app.makeKey({ accountId: await app.makeAccount(), scopes: ['inventory:read'] });
  const answers = [
    await request('GET', '/v1/pets/x'),
    await request('GET', '/v1/pets/9'),
    await request('GET', '/v1/pets/7', { headers: { Accept: 'text/html' } }),
    await request('GET', '/v1/pets/7', { key: other.key }),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [400, 404, 406, 403],
  );
  for (const answer of answers) assertDeprecated(answer);
});

test('refusals before the operation have them too: 401, 429 and 400 for two credentials', async (t) => {
  const { request, key } = await startApp(t, { pets, config, limits: { perMinute: 1, perDay: 100 } });
  await request('GET', '/v1/pets/7');
  const answers = [
    await request('GET', '/v1/pets/7', { key: null }),
    await request('GET', '/v1/pets/7'),
    await request('GET', '/v1/pets/7', {
      key: null,
      headers: { Authorization: `Bearer ${key}, Bearer ${key}` },
    }),
  ];
  assert.deepEqual(
    answers.map(({ status }) => status),
    [401, 429, 400],
  );
  for (const answer of answers) assertDeprecated(answer);
});

test('410 operation_sunset from the sunset on, and not a moment before', async (t) => {
  const app = await startApp(t, { pets, config });
  app.clock.nowMs = Date.parse(SUNSET) - 1;
  assert.equal((await app.request('GET', '/v1/pets/7')).status, 200);
  app.clock.nowMs = Date.parse(SUNSET);
  for (const path of ['/v1/pets/7', '/v1/pets/99', '/v1/pets/x']) {
    const answer = await app.request('GET', path);
    assert.deepEqual([answer.status, answer.code], [410, 'operation_sunset']);
    assertDeprecated(answer);
  }
  assert.equal((await app.request('GET', '/v1/inventory')).status, 200, 'nothing else has ended');
});

test('no other operation is deprecated', async (t) => {
  const { request } = await startApp(t, { pets, config, nowMs: NOON });
  for (const path of ['/v1/inventory', '/v1/rate-limit', '/v1/pets', '/healthz']) {
    const { headers } = await request('GET', path);
    assert.deepEqual([headers.get('Deprecation'), headers.get('Sunset')], [null, null], path);
  }
});
