import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { type Answer, startApp, type TestApp } from '../support/harness.ts';
import { assertNoticed } from '../support/test-database.ts';
import { petRow } from '../support/command-line.ts';
import { signedIn } from '../admin/cookie-requests.ts';

/** A little longer than a body may take before its key is looked up again. */
const LATE_MS = 1_100;

const PET = '/v1/inventory/1';
const KEYS = '/admin/v1/admin-keys';

/** Begins a request, and returns what sends the rest of its body. */
function begin(
  app: TestApp,
  { method, target, key, body }: Record<'method' | 'target' | 'key' | 'body', string>,
) {
  return beginWith((readable) => app.request(method, target, { key, body: readable }), body);
}

async function beginWith(send: (body: ReadableStream<Uint8Array>) => Promise<Answer>, body: string) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const sent = send(readable);
  const writer = writable.getWriter();
  await writer.write(Buffer.from(body.slice(0, 1)));
  return async () => {
    await writer.write(Buffer.from(body.slice(1)));
    await writer.close();
    return sent;
  };
}

test('a body that arrives after its key was revoked changes nothing, and makes no other key', async (t) => {
  const app = await startApp(t, { nowMs: 'now', pets: [petRow(1, { quantity: 5 })] });
  const made = { client: await app.makeKey(), manager: await app.makeAdminKey('administrator') };
  const requests = [
    { made: made.client, method: 'PATCH', target: PET, body: '{"quantity":42}' },
    { made: made.manager, method: 'POST', target: KEYS, body: '{"name":"another","role":"administrator"}' },
  ] as const;
  const begun = await Promise.all(
    requests.map(({ made: { key }, ...request }) => begin(app, { ...request, key })),
  );
  for (const { principal } of Object.values(made)) {
    await app.admin.keys.revoke(principal.key.id, app.clock.nowMs, CLI_AUTHOR);
  }
  for (const [key, target] of [
    [made.client.key, PET],
    [made.manager.key, KEYS],
  ] as const) {
    await assertNoticed(async () => (await app.request('GET', target, { key })).code, 'revoked_api_key');
  }
  await delay(LATE_MS);
  for (const finish of begun) assert.equal((await finish()).code, 'revoked_api_key');
  assert.match((await app.request('GET', PET)).text, /"quantity":5,/);
  assert.equal((await app.admin.keys.list({ kind: 'management' })).length, 1);
});

test('a body that arrives after its key expired changes nothing', async (t) => {
  const app = await startApp(t, { nowMs: 'now', pets: [petRow(1, { quantity: 5 })] });
  const { key } = await app.makeKey({ expiresAtMs: app.clock.nowMs + 1_000 });
  const finish = await begin(app, { method: 'PATCH', target: PET, key, body: '{"quantity":42}' });
  await delay(LATE_MS);
  assert.equal((await finish()).code, 'expired_api_key');
  assert.match((await app.request('GET', PET)).text, /"quantity":5,/);
});

test('a late body of a key that still works is executed', async (t) => {
  const app = await startApp(t, { pets: [petRow(1, { quantity: 5 })] });
  const finish = await begin(app, { method: 'PATCH', target: PET, key: app.key, body: '{"quantity":42}' });
  await delay(LATE_MS);
  assert.equal((await finish()).status, 200);
});

test('a body that arrives after the sign-out changes nothing', async (t) => {
  const app = await startApp(t, { nowMs: 'now', pets: [petRow(1, { quantity: 5 })] });
  const page = await signedIn(app, 'staff');
  const finish = await beginWith((body) => page.send('PATCH', '/inventory/1', { body }), '{"quantity":42}');
  assert.equal((await page.send('DELETE', '/session')).status, 204);
  await delay(LATE_MS);
  assert.equal((await finish()).code, 'session_ended');
  assert.match((await app.request('GET', PET)).text, /"quantity":5,/);
});

test('a file whose end arrives after its key was revoked is not imported', async (t) => {
  const app = await startApp(t, { nowMs: 'now', pets: [petRow(1, { quantity: 5 })] });
  const { key, principal } = await app.makeAdminKey('staff');
  const headers = { 'Content-Type': 'text/csv' };
  const finish = await beginWith(
    (body) => app.request('POST', '/admin/v1/imports', { key, body, headers }),
    'petId,quantity\n1,42\n',
  );
  await app.admin.keys.revoke(principal.key.id, app.clock.nowMs, CLI_AUTHOR);
  await assertNoticed(
    async () => (await app.request('GET', '/admin/v1/imports', { key })).code,
    'revoked_api_key',
  );
  assert.equal((await finish()).code, 'revoked_api_key');
  const { key: other } = await app.makeAdminKey('viewer');
  assert.deepEqual((await app.request('GET', '/admin/v1/imports', { key: other })).json, []);
});
