import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';
import { getItem, update } from '../support/stock-requests.ts';

const PETS = [
  petRow(7n, 3, 'pending'),
  { ...petRow(9_007_199_254_740_993n), name: 'Zoë "Z" 🐕', category: null },
];

test('200: a pet’s stock with its version, time of change, and name', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const { status, text, headers } = await getItem(app, 7);
  const updatedAt = new Date(app.clock.nowMs).toISOString();
  assert.deepEqual(
    [status, text],
    [
      200,
      `{"petId":7,"quantity":3,"status":"pending","reserved":0,"available":3,"alertLevel":null,"lowStockAt":null,"restockAt":null,"daysOfStock":null,"version":1,"updatedAt":"${updatedAt}","name":"Pet 7","category":"Dogs"}`,
    ],
  );
  assert.equal(headers.get('Cache-Control'), 'private, no-cache');
  const large = await getItem(app, 9_007_199_254_740_993n);
  assert.match(large.text, /^\{"petId":9007199254740993,.*"name":"Zoë \\"Z\\" 🐕","category":null\}$/);
});

test('200: the version counts the changes, and each has another strong ETag', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const tags = [(await getItem(app, 7)).headers.get('ETag')];
  for (const quantity of [4, 5, 4]) {
    app.clock.nowMs += 1_000;
    const updated = await update(app, 7, { quantity });
    const { headers, json } = await getItem(app, 7);
    assert.equal(updated.headers.get('ETag'), headers.get('ETag'), 'a write returns the new tag');
    tags.push(headers.get('ETag'));
    const { version, updatedAt } = json as { version: number; updatedAt: string };
    assert.deepEqual([version, Date.parse(updatedAt)], [tags.length, app.clock.nowMs]);
  }
  assert.equal(new Set(tags).size, 4);
  for (const tag of tags) assert.match(tag ?? '', /^"[\x21\x23-\x7e]+"$/);
});

test('304 when the client has the item, by any of its tags, and 200 when it has another', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const { headers } = await getItem(app, 7);
  const tag = headers.get('ETag') as string;
  for (const ifNoneMatch of [tag, `"x", ${tag}`, `W/${tag}`, '*']) {
    const answer = await getItem(app, 7, { 'If-None-Match': ifNoneMatch });
    assert.deepEqual([answer.status, answer.text], [304, ''], ifNoneMatch);
    assert.equal(answer.headers.get('ETag'), tag);
  }
  assert.equal((await getItem(app, 7, { 'If-None-Match': '"x"' })).status, 200);
  await update(app, 7, { quantity: 9 });
  assert.equal((await getItem(app, 7, { 'If-None-Match': tag })).status, 200);
});

test('200: setting the current value leaves item and tag unchanged', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const before = await getItem(app, 7);
  app.clock.nowMs += 1_000;
  const { status, headers } = await update(app, 7, { quantity: 3 });
  const after = await getItem(app, 7);
  assert.deepEqual([status, headers.get('ETag')], [200, before.headers.get('ETag')]);
  assert.equal(after.text, before.text);
});

test('200: a change of the operator’s, of no more than a name, is another version', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const before = await getItem(app, 7);
  await app.admin.importPets([{ ...petRow(7n, 3, 'pending'), name: 'Rex' }], 'cli', app.clock.nowMs);
  const after = await getItem(app, 7);
  assert.match(after.text, /"version":2,.*"name":"Rex"/);
  assert.notEqual(after.headers.get('ETag'), before.headers.get('ETag'));
});

test('HEAD has the headers of GET and no body', async (t) => {
  const app = await startApp(t, { pets: PETS });
  const head = await app.request('HEAD', '/v1/inventory/7');
  const get = await getItem(app, 7);
  assert.deepEqual([head.status, head.text, head.headers.get('ETag')], [200, '', get.headers.get('ETag')]);
});
