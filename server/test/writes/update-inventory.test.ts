import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp, type TestApp } from '../support/harness.ts';
import { petRow, petRows } from '../support/pet-rows.ts';
import { recordedMovements } from '../support/recorded-movements.ts';

async function set({ request }: Pick<TestApp, 'request'>, petId: bigint | number, quantity: number | string) {
  return request('PATCH', `/v1/inventory/${petId}`, { body: `{"quantity":${quantity}}` });
}

test('200: the updated entry with exactly the three fields, and the list has it', async (t) => {
  const app = await startApp(t, { pets: [petRow(7n, 3, 'pending'), petRow(9_007_199_254_740_993n)] });
  const answer = await set(app, 7, 12);
  assert.deepEqual([answer.status, answer.text], [200, '{"petId":7,"quantity":12,"status":"pending"}']);
  assert.equal(answer.headers.get('Cache-Control'), 'no-store');
  const large = await set(app, 9_007_199_254_740_993n, 1);
  assert.equal(large.text, '{"petId":9007199254740993,"quantity":1,"status":"available"}');
  const { text } = await app.request('GET', '/v1/inventory');
  assert.equal(text, `[{"petId":7,"quantity":12,"status":"pending"},${large.text}]`);
});

test('200: integers are accepted by value, in any notation', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n)] });
  const spellings = {
    '5.0': 5,
    '1e3': 1_000,
    '-0': 0,
    '0.0': 0,
    '12E+1': 120,
    '250e-1': 25,
    '9007199254740991': 9007199254740991,
  };
  for (const [spelling, quantity] of Object.entries(spellings)) {
    const { status, text } = await set(app, 1, spelling);
    assert.deepEqual(
      [status, text],
      [200, `{"petId":1,"quantity":${quantity},"status":"available"}`],
      spelling,
    );
  }
});

test('200: members that are not known are ignored, and the media type may be merge-patch or have parameters', async (t) => {
  const { request } = await startApp(t, { pets: [petRow(1n)] });
  const body = '{"status":"sold","petId":2,"quantity":8,"extra":{"a":[1]}}';
  for (const type of [
    'application/json',
    'application/merge-patch+json',
    'Application/JSON; Charset=UTF-8',
    'application/json;charset="utf-8"',
    'application/json;',
    'application/merge-patch+json ; ;charset=utf-8; ',
    'application/json; profile="https://example.com/stock"; version=1',
    'application/json; odata=verbose; charset=utf-8',
  ]) {
    const answer = await request('PATCH', '/v1/inventory/1', { body, headers: { 'Content-Type': type } });
    assert.equal(answer.text, '{"petId":1,"quantity":8,"status":"available"}', type);
  }
});

test('200: a body without an encoding may say so', async (t) => {
  const { request } = await startApp(t, { pets: [petRow(1n)] });
  const body = '{"quantity":8}';
  for (const [coding, status] of [
    ['identity', 200],
    ['Identity, ', 200],
    ['', 200],
    [' , ', 200],
    ['identity, gzip', 415],
    ['gzip,', 415],
  ] as const) {
    const answer = await request('PATCH', '/v1/inventory/1', {
      body,
      headers: { 'Content-Encoding': coding },
    });
    assert.equal(answer.status, status, coding);
  }
});

test('200: setting the current value records no movement', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n, 5)] });
  for (const quantity of [5, '5.0', '5e0']) assert.equal((await set(app, 1, quantity)).status, 200);
  assert.equal((await recordedMovements(app)).length, 1, 'only the import');
  await set(app, 1, 6);
  const last = (await recordedMovements(app)).at(-1);
  assert.equal(last?.kind, 'set');
  assert.deepEqual([last?.quantityBefore, last?.quantityAfter, last?.actor], [5, 6, app.principal.key.id]);
});

test('200: a recount that confirms the quantity is a movement with delta 0, when it has a reason', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n, 5)] });
  const patch = (body: object) => app.request('PATCH', '/v1/inventory/1', { body: JSON.stringify(body) });
  const first = await patch({ quantity: 5, note: 'A note is no reason.' });
  assert.equal(first.status, 200);
  assert.equal((await recordedMovements(app)).length, 1, 'only the import');
  const confirmed = await patch({ quantity: 5, reason: 'cycle_count' });
  assert.equal(confirmed.text, '{"petId":1,"quantity":5,"status":"available"}');
  assert.notEqual(confirmed.headers.get('ETag'), first.headers.get('ETag'));
  assert.equal((await recordedMovements(app)).length, 2);
  const { text } = await app.request('GET', '/v1/movements/2');
  assert.match(text, /"version":2,"kind":"set","delta":0,"quantityBefore":5,"quantityAfter":5,/);
  assert.match(text, /"reason":"cycle_count"/);
  const reverted = await app.request('POST', '/v1/movements/2/revert', { body: '{}' });
  assert.deepEqual([reverted.status, reverted.code], [409, 'conflict']);
  assert.deepEqual((await app.admin.verify()).faults, []);
});

test('200: a movement names its request, and when it was made', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n, 5)] });
  const { headers } = await set(app, 1, 6);
  const last = (await recordedMovements(app)).at(-1);
  assert.equal(last?.requestId, headers.get('X-Request-Id'));
  assert.equal(last?.recordedAtMs, app.clock.nowMs);
});

test('200: of concurrent changes none is lost, and the movements add up to the balance', async (t) => {
  const app = await startApp(t, { pets: petRows(20), config: { PETSTORE_LOG_LEVEL: 'error' } });
  const before = new Map(petRows(20).map(({ petId, quantity }) => [petId, quantity]));
  const answers = await Promise.all(
    Array.from({ length: 600 }, (_, i) => set(app, (i % 20) + 1, (i * 7919) % 1_000)),
  );
  assert.ok(answers.every(({ status }) => status === 200));
  const balance = new Map(before);
  for (const { petId, kind, quantityBefore, quantityAfter } of await recordedMovements(app)) {
    if (kind !== 'set') continue;
    assert.equal(balance.get(petId), quantityBefore, 'each movement starts where the one before ended');
    balance.set(petId, quantityAfter);
  }
  const list = (await app.request('GET', '/v1/inventory')).json as { petId: number; quantity: number }[];
  assert.deepEqual(new Map(list.map(({ petId, quantity }) => [BigInt(petId), quantity])), balance);
  assert.deepEqual((await app.admin.verify()).faults, []);
});

test('200: a change of quantity leaves the status alone, unless the operator chose sold-at-zero', async (t) => {
  const pets = [petRow(1n, 5), petRow(2n, 5, 'pending'), petRow(3n, 0, 'sold')];
  const unchanged = await startApp(t, { pets });
  assert.match((await set(unchanged, 1, 0)).text, /"status":"available"/);
  assert.match((await set(unchanged, 3, 5)).text, /"status":"sold"/);

  const app = await startApp(t, { pets, config: { PETSTORE_STATUS_POLICY: 'sold-at-zero' } });
  assert.match((await set(app, 1, 0)).text, /"status":"sold"/);
  assert.match((await set(app, 1, 1)).text, /"status":"available"/);
  assert.match((await set(app, 2, 0)).text, /"status":"pending"/);
  assert.match((await set(app, 3, 5)).text, /"status":"available"/);
  const { text } = await app.request('GET', '/v1/inventory');
  assert.deepEqual(text.match(/available|pending|sold/g), ['available', 'pending', 'available']);
});

test('400: a quantity above the largest one of the shop, also of a pet that has more', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n, 20)], config: { PETSTORE_MAX_QUANTITY: '15' } });
  const refused = await set(app, 1, 18);
  assert.deepEqual([refused.status, refused.code], [400, 'validation_failed']);
  assert.match(refused.text, /quantity must be a whole number from 0 to 15\. It is 18\./);
  assert.equal((await set(app, 1, 15)).status, 200);
});
