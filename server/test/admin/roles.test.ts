import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ROLES, type Role } from '@petstore-inventory/shared/words';
import { createApiKey } from '../../src/domain/access/api-key.ts';
import { includesRole } from '../../src/domain/access/roles.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { adminShop } from '../support/admin-shop.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { ADMIN_DOCUMENT, operationsIn } from '../support/openapi-document.ts';
import { petRow } from '../support/pet-rows.ts';
import { sampleOf } from '../support/sample-requests.ts';
import { ADMIN_REQUESTS, sendAdmin } from './requests.ts';

const OPERATIONS = operationsIn(ADMIN_DOCUMENT).map(({ method, operation }) => ({
  method,
  operationId: operation.operationId,
  /** `undefined`: it requires no credential. */
  role: operation['x-role'] as Role | undefined,
}));

test('every operation has its row in ADMIN_REQUESTS, and every row its operation', () => {
  const names = OPERATIONS.map(({ operationId }) => operationId);
  for (const name of names) sampleOf(ADMIN_REQUESTS, name);
  assert.deepEqual(Object.keys(ADMIN_REQUESTS).toSorted(), names.toSorted());
});

/** Keys that open nothing, each with the code of its refusal. */
async function refusedKeys(app: TestApp): Promise<readonly (readonly [string, string | null, string])[]> {
  const revoked = await app.makeAdminKey('administrator');
  await app.admin.keys.revoke(revoked.principal.key.id, app.clock.nowMs, CLI_AUTHOR);
  const expired = await app.makeAdminKey('administrator', app.clock.nowMs);
  const { key: valid } = await app.makeAdminKey('administrator');
  return [
    ['no key', null, 'missing_api_key'],
    ['a key of a client', app.key, 'invalid_api_key'],
    ['an unknown key', createApiKey('production', 'management'), 'invalid_api_key'],
    ['a key of the other environment', createApiKey('staging', 'management'), 'invalid_api_key'],
    [
      'a key with a wrong checksum',
      `${valid.slice(0, -1)}${valid.endsWith('A') ? 'B' : 'A'}`,
      'invalid_api_key',
    ],
    ['a revoked key', revoked.key, 'revoked_api_key'],
    ['an expired key', expired.key, 'expired_api_key'],
  ];
}

test('each operation accepts the roles that include its own, and no other credential', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n, 50)] });
  await app.request('POST', '/v1/store/orders', { body: '{"lines":[{"petId":1,"quantity":1}]}' });
  const keys = await Promise.all(ROLES.map((role) => app.makeAdminKey(role)));
  const refused = await refusedKeys(app);
  for (const operation of OPERATIONS) {
    for (const [i, role] of ROLES.entries()) {
      const answer = await sendAdmin(app, operation, keys[i]?.key ?? '');
      const expected = sampleOf(ADMIN_REQUESTS, operation.operationId).status;
      const cell = `${operation.operationId} as ${role}: ${answer.text}`;
      if (operation.role === undefined || includesRole(role, operation.role))
        assert.equal(answer.status, expected, cell);
      else {
        assert.equal(answer.status, 403, cell);
        if (operation.method !== 'GET') assert.equal(answer.code, 'insufficient_scope', cell);
        assert.match(answer.headers.get('WWW-Authenticate') ?? '', new RegExp(`scope="${operation.role}"`));
      }
    }
    for (const [title, key, code] of operation.role === undefined ? [] : refused) {
      const answer = await sendAdmin(app, operation, key);
      assert.equal(answer.status, 401, `${operation.operationId} with ${title}`);
      if (answer.text !== '') assert.equal(answer.code, code, `${operation.operationId} with ${title}`);
    }
  }
});

test('management keys open nothing below /v1, and nothing but their document is open without a key', async (t) => {
  const { app, key } = await adminShop(t, 'administrator', { pets: [petRow(1n, 50)] });
  for (const target of ['/v1/inventory', '/v1/inventory/1', '/v1/rate-limit', '/v1/nowhere']) {
    assert.equal((await app.request('GET', target, { key })).code, 'invalid_api_key', target);
  }
  for (const target of ['/admin/v1', '/admin/v1/', '/admin/v1/nowhere', '/admin/v1/keys/x/nowhere']) {
    assert.equal((await app.request('GET', target, { key: null })).code, 'missing_api_key', target);
    assert.equal((await app.request('GET', target, { key })).code, 'route_not_found', target);
  }
  assert.equal((await app.request('GET', '/admin/openapi.json', { key: null })).status, 200);
  assert.equal((await app.request('DELETE', '/admin/v1/system', { key })).code, 'method_not_allowed');
});
