import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ERROR_STATUS, type ErrorCode } from '../../src/domain/errors.ts';
import { dropPets, ERROR_TRIGGERS, meetUnforeseen, TRIGGER_PETS } from '../support/error-triggers.ts';
import { type Answer, startApp, type TestApp } from '../support/harness.ts';

for (const [code, trigger] of Object.entries(ERROR_TRIGGERS) as [
  ErrorCode,
  (app: TestApp) => Promise<Answer>,
][]) {
  test(`${ERROR_STATUS[code]} ${code} can be met, and is counted under its own name`, async (t) => {
    const app = await startApp(t, { pets: TRIGGER_PETS, freeBytes: () => 0 });
    const answer = await trigger(app);
    assert.deepEqual([answer.status, answer.code], [ERROR_STATUS[code], code]);
    const metrics = await app.request('GET', '/metrics', { key: null });
    assert.match(metrics.text, new RegExp(`petstore_refusals_total{reason="${code}"} [1-9]`));
  });
}

test('every code has a way to it', () => {
  assert.deepEqual(Object.keys(ERROR_TRIGGERS).toSorted(), Object.keys(ERROR_STATUS).toSorted());
});

test('500 internal_error keeps its cause for the log, under the request id and without the key', async (t) => {
  const app = await startApp(t, { pets: TRIGGER_PETS, config: { PETSTORE_LOG_LEVEL: 'info' } });
  const { text, headers } = await meetUnforeseen(app);
  assert.doesNotMatch(text, /secret/);
  assert.equal(app.logs.length, 1);
  const [logged] = app.logs as [{ requestId: string; code: string; err: { message: string; stack: string } }];
  assert.equal(logged.requestId, headers.get('X-Request-Id'));
  assert.equal(logged.code, 'internal_error');
  assert.equal(logged.err.message, 'a secret of ours');
  assert.match(logged.err.stack, /readListQuery/);
  assert.ok(!JSON.stringify(app.logs).includes(app.key.slice(0, 16)));
  const next = await app.request('GET', '/v1/inventory');
  assert.equal(next.status, 200, 'the service continues');
});

test('503 service_unavailable when the database cannot be read, and the cause is only in the log', async (t) => {
  const app = await startApp(t, { pets: TRIGGER_PETS, config: { PETSTORE_LOG_LEVEL: 'info' } });
  await dropPets(app);
  const { status, code, text, headers } = await app.request('GET', '/v1/pets/1');
  assert.deepEqual([status, code, headers.get('Retry-After')], [503, 'service_unavailable', '5']);
  assert.doesNotMatch(text, /table/);
  assert.match(JSON.stringify(app.logs), /no such table: .*pets|relation \\*"pets\\*" does not exist/);
  assert.equal((await app.request('GET', '/v1/inventory')).status, 200, 'reads still succeed');
});

test('a client error is not logged as an error, and each request is one line of debug', async (t) => {
  const app = await startApp(t, { pets: TRIGGER_PETS });
  await app.request('GET', '/v1/inventory?limit=0');
  await app.request('PATCH', '/v1/inventory/99', { body: '{"quantity":1}' });
  assert.deepEqual(
    app.logs.map(({ level, operation, status, keyId }) => ({ level, operation, status, keyId })),
    [
      { level: 20, operation: 'listInventory', status: 400, keyId: app.principal.key.id },
      { level: 20, operation: 'updateInventory', status: 404, keyId: app.principal.key.id },
    ],
  );
});
