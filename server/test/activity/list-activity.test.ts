import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startManaged } from '../usage/managed-app.ts';

interface Entry {
  readonly actor: { readonly keyId: string | null; readonly name: string };
  readonly action: string;
  readonly target: string | null;
}

const HOSTILE_QUERIES = [
  'actor=',
  'actor=%00',
  `action=${'a'.repeat(201)}`,
  'target=a&target=b',
  'since=now',
  'until=2026-02-30T00:00:00Z',
  'limit=0',
  'limit=1001',
  'cursor=%27',
  `cursor=${Buffer.from('9223372036854775807').toString('base64url')}`,
  'order=asc',
];

test('the log lists actions newest first, in pages, with their authors', async (t) => {
  const { app, get } = await startManaged(t);
  for (let i = 0; i < 5; i += 1) await app.makeAccount();
  const whole = (await get('/admin/v1/activity?action=accounts.create')).json as unknown as Entry[];
  assert.ok(whole.length >= 5);
  assert.ok(whole.every(({ action }) => action === 'accounts.create'));
  for (const { actor } of whole) assert.deepEqual(actor, { keyId: null, name: 'cli' });
  const paged: Entry[] = [];
  let target: string | undefined = '/admin/v1/activity?action=accounts.create&limit=2';
  while (target !== undefined) {
    const { json, headers } = await get(target);
    paged.push(...(json as unknown as Entry[]));
    const [, next] = /<[^>]*(\/admin\/v1[^>]*)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
    target = next;
  }
  assert.deepEqual(paged, whole);
  const [first] = whole;
  const one = (await get(`/admin/v1/activity?target=${first?.target}&actor=cli`)).json as unknown as Entry[];
  assert.deepEqual(
    one.map(({ target: id }) => id),
    [first?.target],
  );
});

test('hostile values of the filters are refused by name, or match nothing', async (t) => {
  const { get } = await startManaged(t);
  for (const query of HOSTILE_QUERIES) {
    const { status, code } = await get(`/admin/v1/activity?${query}`);
    assert.deepEqual([status, code], [400, 'invalid_parameter'], query);
  }
  for (const text of ["' OR '1'='1", '%', '_', '\u202e', '𝔠𝔩𝔦']) {
    const { status, json } = await get(`/admin/v1/activity?actor=${encodeURIComponent(text)}`);
    assert.deepEqual([status, json], [200, []], text);
  }
});

test('numbers are exact, times have the names and forms of the interface, and the actor is that of movements', async (t) => {
  const { app, get, viewer } = await startManaged(t);
  const { key: administrator, principal } = await app.makeAdminKey('administrator');
  const { id: accountId } = app.principal.account;
  const body = `{"accountId":"${accountId}","url":"https://shop.example/hooks","petIds":[9223372036854775807]}`;
  const made = await app.request('POST', '/admin/v1/webhook-endpoints', { key: administrator, body });
  assert.equal(made.status, 201, made.text);
  const { text } = await get('/admin/v1/activity?action=webhooks.create');
  assert.ok(text.includes('"petIds":[9223372036854775807]'), text);
  assert.ok(text.includes(`"actor":{"keyId":"${principal.key.id}","name":"${principal.key.name}"}`), text);
  const keys = (await get(`/admin/v1/activity?target=${viewer.key.id}`)).json as unknown as {
    details: object;
  }[];
  assert.deepEqual(keys[0]?.details, { name: 'Ada', hint: viewer.key.hint, expiresAt: null, role: 'viewer' });
  const rotated = await app.request('POST', `/admin/v1/admin-keys/${viewer.key.id}/rotate`, {
    key: administrator,
    body: '{"overlapSeconds":60}',
  });
  assert.equal(rotated.status, 201, rotated.text);
  const [rotation] = (await get('/admin/v1/activity?action=admin-keys.rotate')).json as unknown as {
    details: { oldExpiresAt: string };
  }[];
  assert.match(rotation?.details.oldExpiresAt ?? '', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
});
