import assert from 'node:assert/strict';
import { test } from 'node:test';
import { includesRole, type Role } from '../../src/domain/access/roles.ts';
import { startApp } from '../support/harness.ts';
import { ADMIN_DOCUMENT, operationsIn } from '../support/openapi-document.ts';
import { petRow } from '../support/pet-rows.ts';
import { sendAdmin } from './requests.ts';

const OPERATIONS = operationsIn(ADMIN_DOCUMENT).map(({ method, operation }) => ({
  method,
  operationId: operation.operationId,
  role: operation['x-role'] as Role | undefined,
}));

/** Actions whose request in the table has nothing to do, or acts for another key. */
const WITHOUT_CHANGE = ['createSession', 'liftBan', 'restorePet', 'pruneLedger', 'verifyLedger'];

test('each action is recorded with its author and its request, and nothing else is', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n, 50)] });
  const { key, principal } = await app.makeAdminKey('administrator');
  await app.request('POST', '/v1/store/orders', { body: '{"lines":[{"petId":1,"quantity":1}]}' });
  const actor = principal.key.id;
  const ownEntries = () => app.admin.activity.list({ actor, limit: 1_000 });
  for (const operation of OPERATIONS) {
    const before = (await ownEntries()).length;
    const answer = await sendAdmin(app, operation, key);
    const entries = await ownEntries();
    const isChange = operation.method !== 'GET' && answer.status < 300;
    const expected = isChange && !WITHOUT_CHANGE.includes(operation.operationId) ? 1 : 0;
    assert.equal(entries.length - before, expected, operation.operationId);
    if (expected === 0) continue;
    const [entry] = entries.toSorted((a, b) => b.id - a.id);
    assert.equal(entry?.requestId, answer.headers.get('X-Request-Id'), operation.operationId);
    assert.match(entry?.action ?? '', /^[a-z-]+\.[a-z-]+$/);
    assert.doesNotMatch(
      JSON.stringify(entry),
      /ps[ka]_(?:live|test)_[0-9A-Za-z]{8}/,
      'no secret is recorded',
    );
  }
});

test('a refused action is not recorded', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n, 50)] });
  const { key, principal } = await app.makeAdminKey('viewer');
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
