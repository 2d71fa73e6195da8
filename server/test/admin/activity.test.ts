import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ACTIVITY_ACTIONS, type Role } from '@petstore-inventory/shared/words';
import { includesRole } from '../../src/domain/access/roles.ts';
import { adminShop } from '../support/admin-shop.ts';
import { startApp } from '../support/harness.ts';
import { ADMIN_DOCUMENT, operationsIn } from '../support/openapi-document.ts';
import { petRow } from '../support/pet-rows.ts';
import { EFFECTIVE_REQUESTS } from './effective-requests.ts';
import { ADMIN_REQUESTS, sendAdmin } from './requests.ts';

const OPERATIONS = operationsIn(ADMIN_DOCUMENT).map(({ method, operation }) => ({
  method,
  operationId: operation.operationId,
  role: operation['x-role'] as Role | undefined,
}));

const REQUESTS = { ...ADMIN_REQUESTS, ...EFFECTIVE_REQUESTS };
/**
 * A verification changes nothing, and saved views are of a person, not of the shop. The lines of the other two have the key of
 * the session: see sessions.test.ts.
 */
const NO_OWN_LINE = ['verifyLedger', 'setSavedViews', 'createSession', 'endSession'];

test('each action is recorded with its author and its request, and nothing else is', async (t) => {
  const { app, key, principal } = await adminShop(t, 'administrator', { pets: [petRow(1n, 50)] });
  await app.request('POST', '/v1/store/orders', { body: '{"lines":[{"petId":1,"quantity":1}]}' });
  const actor = principal.key.id;
  const ownEntries = () => app.admin.activity.list({ actor, limit: 1_000 });
  const isPrune = ({ operationId }: { operationId: string }) => operationId === 'pruneLedger';
  // A prune deletes what other actions need.
  for (const operation of OPERATIONS.toSorted((a, b) => Number(isPrune(a)) - Number(isPrune(b)))) {
    const { method, operationId } = operation;
    const isAction = method !== 'GET' && !NO_OWN_LINE.includes(operationId);
    const before = (await ownEntries()).length;
    const answer = await sendAdmin(app, operation, key, REQUESTS);
    const entries = await ownEntries();
    if (isAction) assert.ok(answer.status < 300, `${operationId}: ${answer.text}`);
    assert.equal(entries.length - before, isAction ? 1 : 0, `${operationId} (see effective-requests.ts)`);
    if (!isAction) continue;
    const [entry] = entries.toSorted((a, b) => b.id - a.id);
    assert.equal(entry?.requestId, answer.headers.get('X-Request-Id'), operationId);
    assert.ok(entry && ACTIVITY_ACTIONS.includes(entry.action), `${entry?.action} is listed`);
    assert.doesNotMatch(
      JSON.stringify(entry),
      /ps[ka]_(?:live|test)_[0-9A-Za-z]{8}/,
      'no secret is recorded',
    );
  }
});

test('a refused action is not recorded', async (t) => {
  const { app, key, principal } = await adminShop(t, 'viewer', { pets: [petRow(1n, 50)] });
  for (const operation of OPERATIONS.filter(
    ({ role }) => role !== undefined && !includesRole('viewer', role),
  )) {
    assert.equal((await sendAdmin(app, operation, key)).status, 403, operation.operationId);
  }
  assert.deepEqual(await app.admin.activity.list({ actor: principal.key.id, limit: 10 }), []);
});

test('writes by clients are no actions, and movements name the management key', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n, 50)] });
  const before = (await app.admin.activity.list({ limit: 100 })).length;
  await app.request('PATCH', '/v1/inventory/1', { body: '{"quantity":1}' });
  assert.equal((await app.admin.activity.list({ limit: 100 })).length, before);

  const { key, principal } = await app.makeAdminKey('staff');
  const body = '{"lowStockAt":10,"restockAt":20}';
  assert.equal((await app.request('PUT', '/admin/v1/thresholds', { key, body })).status, 200);
  const { json } = await app.request('GET', '/admin/v1/movements?order=desc&limit=1', { key });
  const [movement] = json as { actor: { keyId: string; name: string }; alertAfter: string }[];
  assert.deepEqual(movement?.actor, { keyId: principal.key.id, name: 'staff' });
  assert.equal(movement.alertAfter, 'low');
});
