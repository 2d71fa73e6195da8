import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Role } from '@petstore-inventory/shared/words';
import { adminShop } from '../support/admin-shop.ts';
import { petRow } from '../support/command-line.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const PETS = '/admin/v1/pets';
const LEAST = '-9223372036854775808';

function shop(t: TestContext, role: Role = 'staff') {
  return adminShop(t, role, {
    pets: [petRow(1, { name: 'Rex', quantity: 2 }), petRow(2, { name: 'Rexy' })],
  });
}

test('a pet is created, read, edited, archived and restored', async (t) => {
  const { app, send } = await shop(t);
  const body = `{"petId":${LEAST},"name":"Luna","category":"Cats","lowStockAt":2,"restockAt":4}`;
  const created = await send('POST', PETS, body);
  assert.equal(created.status, 201, created.text);
  const address = `${PETS}/${LEAST}`;
  assert.ok(created.headers.get('Location')?.endsWith(address));
  const pet = await send('GET', address);
  assert.equal(pet.text, created.text);
  assert.match(pet.text, /^\{"petId":-9223372036854775808,"quantity":0,"status":"available","reserved":0/);
  const tag = pet.headers.get('ETag') ?? '';
  assert.equal((await send('GET', address, undefined, { 'If-None-Match': tag })).status, 304);
  const item = await app.request('GET', `/v1/inventory/${LEAST}`);
  const edited = await send('PATCH', address, { name: null }, { 'If-Match': item.headers.get('ETag') ?? '' });
  assert.equal(edited.status, 200, edited.text);
  assert.equal(
    (await send('PATCH', address, { name: 'X' }, { 'If-Match': tag })).code,
    'precondition_failed',
  );
  const archived = await send('POST', `${address}/archive`);
  assert.equal(archived.status, 200);
  assert.notEqual(archived.headers.get('ETag'), edited.headers.get('ETag'));
  assert.equal(
    (await send('PATCH', address, { name: 'Luna' }, { 'If-Match': archived.headers.get('ETag') ?? '' }))
      .status,
    200,
  );
  assert.equal((await app.request('GET', `/v1/inventory/${LEAST}`)).status, 200);
  assert.equal((await send('GET', `${PETS}?q=luna`)).text, '[]');
  assert.match((await send('GET', `${PETS}?q=luna&archived=only`)).text, /"petId":-9223372036854775808/);
  assert.equal((await send('POST', `${address}/restore`)).status, 200);
  assert.deepEqual(
    (await app.admin.activity.list({ limit: 9, target: LEAST })).map(({ action }) => action).toReversed(),
    ['pets.create', 'pets.update', 'pets.archive', 'pets.update', 'pets.restore'],
  );
});

test('an edit is refused when If-None-Match names the pet, also with a weak tag', async (t) => {
  const { send } = await shop(t);
  const tag = (await send('GET', `${PETS}/1`)).headers.get('ETag') ?? '';
  for (const ifNoneMatch of [tag, `W/${tag}`, `"other", W/${tag}`, '*']) {
    const { code } = await send('PATCH', `${PETS}/1`, { name: 'Luna' }, { 'If-None-Match': ifNoneMatch });
    assert.equal(code, 'precondition_failed', ifNoneMatch);
  }
  const edited = await send('PATCH', `${PETS}/1`, { name: 'Luna' }, { 'If-None-Match': 'W/"other"' });
  assert.equal(edited.status, 200, edited.text);
});

test('pages of pets follow each other', async (t) => {
  const { send } = await shop(t);
  for (const filter of ['', 'q=re&', 'q=REX%20&archived=include&']) {
    const first = await send('GET', `${PETS}?${filter}limit=1`);
    assert.match(first.text, /^\[\{"petId":1,/);
    const [, next = ''] = /<[^>]*?(\/admin\/v1[^>]*)>/.exec(first.headers.get('Link') ?? '') ?? [];
    const second = await send('GET', next);
    assert.match(second.text, /^\[\{"petId":2,/);
    assert.equal(second.headers.get('Link'), null);
    if (filter !== '')
      assert.equal((await send('GET', next.replace(/q=[^&]*&?/, 'q=other&'))).code, 'invalid_parameter');
  }
});

test('a list has only pets of the wanted status, alert levels and category', async (t) => {
  const { send } = await shop(t);
  await send('POST', PETS, '{"petId":3,"name":"Tux","category":"Pen guins"}');
  const petIds = async (query: string) =>
    (JSON.parse((await send('GET', `${PETS}?${query}`)).text) as { petId: number }[]).map(
      ({ petId }) => petId,
    );
  assert.deepEqual(await petIds('category=Pen%20guins'), [3]);
  assert.deepEqual(await petIds('category=pen%20guins'), []);
  assert.deepEqual(await petIds('status=available&q=re'), [1, 2]);
  assert.deepEqual(await petIds('status=sold'), []);
  assert.deepEqual(await petIds('alert=out,low'), [3]);
  for (const query of [
    'status=gone',
    'alert=',
    'alert=low,,out',
    'category=',
    `category=${'x'.repeat(201)}`,
  ]) {
    assert.equal((await send('GET', `${PETS}?${query}`)).code, 'invalid_parameter', query);
  }
});

test('a list of named pets has those that exist, archived ones too', async (t) => {
  const { send } = await shop(t);
  await send('POST', PETS, `{"petId":${LEAST},"name":"Luna"}`);
  assert.equal((await send('POST', `${PETS}/${LEAST}/archive`)).status, 200);
  const named = await send('GET', `${PETS}?petId=2,9,${LEAST},2`);
  assert.equal(named.status, 200, named.text);
  assert.deepEqual(named.text.match(/"petId":-?\d+/g), [`"petId":${LEAST}`, '"petId":2']);
  assert.equal(named.headers.get('Link'), null);
  const hundred = Array.from({ length: 100 }, (_, i) => i).join();
  assert.equal((await send('GET', `${PETS}?petId=${hundred}`)).status, 200);
  for (const query of [
    `petId=${hundred},100`,
    'petId=',
    'petId=1,',
    'petId=x',
    'petId=1&limit=1',
    'petId=1&q=rex',
  ]) {
    assert.equal((await send('GET', `${PETS}?${query}`)).code, 'invalid_parameter', query);
  }
});

test('an export is a file of one movement, and continues after any pet', async (t) => {
  const { app, send } = await shop(t);
  const csv = await send('GET', `${PETS}/export`);
  assert.equal(csv.headers.get('Content-Type'), 'text/csv');
  assert.equal(csv.headers.get('Inventory-Sequence'), '2');
  const header = 'petId,name,category,quantity,status,lowStockAt,restockAt\r\n';
  assert.equal(csv.text, `${header}1,Rex,,2,available,,\r\n2,Rexy,,1,available,,\r\n`);
  await app.request('PATCH', '/v1/inventory/2', { body: '{"quantity":9}' });
  const rest = await send('GET', `${PETS}/export?sequence=2&after=1`);
  assert.equal(rest.text, `${header}2,Rexy,,1,available,,\r\n`);
  const json = await send('GET', `${PETS}/export?format=json`);
  assert.deepEqual(
    (JSON.parse(json.text) as { quantity: number }[]).map(({ quantity }) => quantity),
    [2, 9],
  );
  assert.equal(json.headers.get('Inventory-Sequence'), '3');
  assert.equal((await send('GET', `${PETS}/export?format=json&after=2`)).text, '[\n]\n');
  for (const query of ['format=xml', 'after=01', 'sequence=9', 'sequence=-1', 'limit=1']) {
    assert.equal((await send('GET', `${PETS}/export?${query}`)).code, 'invalid_parameter', query);
  }
});

test('an export of many parts is whole', async (t) => {
  if (isSkippedDaily(t)) return;
  const pets = Array.from({ length: 3_500 }, (_, i) => petRow(i, { quantity: 0 }));
  const { send } = await adminShop(t, 'viewer', { pets });
  const json = await send('GET', `${PETS}/export?format=json`);
  assert.deepEqual(
    (JSON.parse(json.text) as { petId: number }[]).map(({ petId }) => petId),
    pets.map(({ petId }) => Number(petId)),
  );
  assert.equal((await send('GET', `${PETS}/export?format=json&archived=only`)).text, '[\n]\n');
});

test('wrong requests are refused', async (t) => {
  const { send } = await shop(t);
  const bodies = [
    ['{}', 'validation_failed'],
    ['[]', 'validation_failed'],
    ['{"petId":1.5}', 'validation_failed'],
    ['{"petId":"3"}', 'validation_failed'],
    ['{"petId":9223372036854775808}', 'validation_failed'],
    ['{"petId":3,"other":1}', 'validation_failed'],
    [`{"petId":3,"name":"${'x'.repeat(201)}"}`, 'validation_failed'],
    ['{"petId":3,"name":"a\\nb"}', 'validation_failed'],
    ['{"petId":3,"name":"\\ud83d"}', 'validation_failed'],
    ['{"petId":3,"quantity":-1}', 'validation_failed'],
    ['{"petId":3,"restockAt":1}', 'validation_failed'],
    ['{"petId":1}', 'conflict'],
    ['{', 'malformed_json'],
  ] as const;
  for (const [body, code] of bodies) assert.equal((await send('POST', PETS, body)).code, code, body);
  for (const cursor of ['x', 'MQ==', 'MSAA', '!', 'MSBhIGI']) {
    assert.equal((await send('GET', `${PETS}?cursor=${cursor}`)).code, 'invalid_parameter', cursor);
  }
  for (const query of ['archived=yes', `q=${'x'.repeat(201)}`, 'limit=0', 'other=1']) {
    assert.equal((await send('GET', `${PETS}?${query}`)).code, 'invalid_parameter', query);
  }
  for (const path of ['9', '9/archive', '9/restore']) {
    const method = path === '9' ? 'GET' : 'POST';
    assert.equal((await send(method, `${PETS}/${path}`)).code, 'not_found', path);
  }
  assert.equal((await send('PATCH', `${PETS}/9`, { name: 'X' })).code, 'not_found');
  assert.equal((await send('PATCH', `${PETS}/1`, { petId: 4 })).code, 'validation_failed');
  assert.equal((await send('POST', `${PETS}/1/archive`)).code, 'conflict');
});

test('a viewer reads pets and changes none', async (t) => {
  const { app, send } = await shop(t, 'viewer');
  assert.equal((await send('GET', PETS)).status, 200);
  assert.equal((await send('GET', `${PETS}/1`)).status, 200);
  assert.equal((await send('POST', PETS, { petId: 7 })).code, 'insufficient_scope');
  assert.equal((await send('PATCH', `${PETS}/1`, { name: 'X' })).code, 'insufficient_scope');
  for (const verb of ['archive', 'restore']) {
    assert.equal((await send('POST', `${PETS}/1/${verb}`)).code, 'insufficient_scope');
  }
  assert.equal((await app.request('GET', PETS)).code, 'invalid_api_key');
});
