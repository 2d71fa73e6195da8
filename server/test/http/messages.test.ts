import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Sending, startApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';

const REASONS =
  'correction, cycle_count, received, restock, returned, damaged, shrinkage, promotion, sold, other';

/** Requests that people make by mistake, each with its whole message. */
const REFUSED: Readonly<Record<string, readonly [sending: Sending, message: string]>> = {
  'GET /v1/inventory?limit=0': [{}, 'limit must be a whole number from 1 to 1000. It is "0".'],
  'GET /v1/inventory/seven': [
    {},
    'petId must be a 64-bit integer in plain decimal, such as 7. It is "seven".',
  ],
  'GET /v2/inventory': [
    {},
    'This path does not exist. It is "/v2/inventory". Paths begin with /v1; /openapi.json lists them.',
  ],
  'DELETE /v1/inventory': [{}, 'DELETE is not allowed here, but GET, HEAD, OPTIONS.'],
  'GET /v1/inventory': [
    { headers: { Accept: 'text/html' } },
    'Responses are application/json; Accept must allow it. It is "text/html".',
  ],
  'PATCH /v1/inventory/1': [{ body: '' }, 'The body is empty; send a JSON object.'],
  'PUT /v1/inventory/1/status': [
    { body: '{"status":"sold"}', headers: { 'Content-Type': 'text/plain' } },
    'Send the body as application/json in UTF-8, without a Content-Encoding. The Content-Type is "text/plain".',
  ],
  'POST /v1/inventory/2/adjustments': [
    { body: '{}', headers: { 'Content-Encoding': 'gzip' } },
    'Send the body as application/json in UTF-8, without a Content-Encoding. The Content-Encoding is "gzip".',
  ],
  'PATCH /v1/inventory/2': [
    { body: '\u{feff}{"quantity":4}' },
    'The body begins with a byte order mark; send UTF-8 without one.',
  ],
  // As a number of JavaScript it would be 9223372036854776000.
  'PATCH /v1/inventory/3': [
    { body: '{"quantity":9223372036854775807}' },
    'quantity must be a whole number from 0 to 9007199254740991.',
  ],
  'POST /v1/inventory/1/adjustments': [{ body: '{"delta":1}' }, `reason is required: one of ${REASONS}.`],
  'POST /v1/store/orders': [
    { body: '{"lines":[{"petId":"7","quantity":1}]}' },
    'lines[0].petId is the text "7"; send 7 without quotes.',
  ],
  'POST /v1/inventory/batch': [
    { body: '{"changes":[{"petId":1,"delta":1,"reason":"stolen\\u001b[31m"}]}' },
    `changes[0].reason must be one of ${REASONS}. It is "stolen\\u001b[31m".`,
  ],
  'POST /v1/movements/1/revert': [
    { body: '{"note":7}' },
    'note must be a text of 1000 characters at most, well-formed and without U+0000. It is 7.',
  ],
  'POST /v1/webhook-endpoints': [
    { body: '{"url":"http://shop.example/hooks"}' },
    'url: http is allowed only inside PETSTORE_WEBHOOK_NETWORKS, which is empty. Begin the URL with https.',
  ],
};

test('a refusal says what is wrong, with the value, and what to do', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n, 50)] });
  for (const [request, [sending, message]] of Object.entries(REFUSED)) {
    const [method = '', target = ''] = request.split(' ');
    const { json } = await app.request(method, target, sending);
    assert.equal((json as { message: string }).message, message, request);
  }
});

test('the refusal of a key names its kind, its role or its scopes', async (t) => {
  const app = await startApp(t);
  const messageOf = async (method: string, target: string, key: string) =>
    ((await app.request(method, target, { key })).json as { message: string }).message;
  const viewer = await app.makeAdminKey('viewer');
  const reader = await app.makeKey({ scopes: ['inventory:read'] });
  assert.equal(
    await messageOf('GET', '/admin/v1/accounts', app.key),
    'This is the API key of an account (psk_). /admin/v1 needs a management key (psa_).',
  );
  assert.equal(
    await messageOf('GET', '/v1/inventory', viewer.key),
    'This is a management key (psa_). /v1 needs the API key of an account (psk_).',
  );
  assert.equal(
    await messageOf('POST', '/admin/v1/accounts', viewer.key),
    `Key "${viewer.principal.key.name}" has the role viewer; this needs administrator.`,
  );
  assert.equal(
    await messageOf('PATCH', '/v1/inventory/1', reader.key),
    `Key "${reader.principal.key.name}" has the scopes inventory:read; this needs inventory:write.`,
  );
});

test('the refusal of a sign-in repeats nothing of its body', async (t) => {
  const app = await startApp(t, { nowMs: 'now' });
  const code = 'a-code-that-nobody-may-read';
  for (const body of [{ code: [code] }, { key: { code } }, { key: code, code }, { code: code.repeat(9) }]) {
    const { text } = await app.request('POST', '/admin/v1/session', {
      key: null,
      body: JSON.stringify(body),
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    });
    assert.match(text, /validation_failed/);
    assert.ok(!text.includes(code), text);
    assert.doesNotMatch(text, /characters\. It has/);
  }
});
