import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminShop } from '../support/admin-shop.ts';
import { testOnceIn } from '../support/test-database.ts';

const once = testOnceIn();

const PATH = '/admin/v1/saved-views';
const VIEW = {
  name: 'Low cats',
  list: 'stock',
  query: 'category=Cats&alert=low',
  density: null,
  isDefault: false,
};

once('each person has views of their own, which another browser replaces only if it read them', async (t) => {
  const { app, send } = await adminShop(t, 'viewer');
  const first = await send('GET', PATH);
  const none = first.headers.get('ETag') ?? '';
  assert.deepEqual(first.json, { views: [] });
  const made = await send('PUT', PATH, { views: [VIEW] }, { 'If-Match': none });
  const tag = made.headers.get('ETag') ?? '';
  assert.equal(made.status, 200);
  assert.notEqual(tag, none);
  const late = await send('PUT', PATH, { views: [] }, { 'If-Match': none });
  assert.deepEqual([late.status, late.code], [412, 'precondition_failed']);
  const read = await send('GET', PATH);
  assert.deepEqual([read.json, read.headers.get('ETag')], [{ views: [VIEW] }, tag]);
  assert.equal((await send('GET', PATH, undefined, { 'If-None-Match': tag })).status, 304);
  const renamed = { ...VIEW, name: 'Katzen', density: 'dense', isDefault: true };
  assert.equal((await send('PUT', PATH, { views: [renamed, VIEW] }, { 'If-Match': '*' })).status, 200);
  const other = await app.makeAdminKey('administrator');
  assert.deepEqual((await app.request('GET', PATH, { key: other.key })).json, { views: [] });
  assert.deepEqual((await send('GET', PATH)).json, { views: [renamed, VIEW] });
  const emptied = (await send('PUT', PATH, { views: [] })).headers.get('ETag');
  assert.ok(![none, tag].includes(emptied ?? ''), 'the same views after other ones have another tag');
});

once('after a restored backup the tag of lost views names none', async (t) => {
  const { app, send } = await adminShop(t, 'viewer');
  const save = async (name: string) => {
    const { status, headers } = await send('PUT', PATH, { views: [{ ...VIEW, name }] });
    assert.equal(status, 200);
    return headers.get('ETag') ?? '';
  };
  await save('in the backup');
  const lost = await save('lost');
  await app.database.run('UPDATE saved_views SET version = version - 1');
  assert.notEqual(await save('new'), lost);
  assert.equal((await send('GET', PATH, undefined, { 'If-None-Match': lost })).status, 200);
  assert.equal((await send('PUT', PATH, { views: [] }, { 'If-Match': lost })).status, 412);
});

once('a key that replaced another one by rotation has its views, also after the next rotation', async (t) => {
  const { app, send, principal } = await adminShop(t, 'viewer');
  await send('PUT', PATH, { views: [VIEW] });
  const administrator = await app.makeAdminKey('administrator');
  let { id, key } = { id: principal.key.id, key: '' };
  for (const name of ['Renamed', VIEW.name]) {
    const rotated = await app.request('POST', `/admin/v1/admin-keys/${id}/rotate`, {
      key: administrator.key,
      body: '{"overlapSeconds":3600}',
    });
    ({ id, key } = rotated.json as { id: string; key: string });
    const { json, headers } = await app.request('GET', PATH, { key });
    const [found] = (json as { views: object[] }).views;
    const { status } = await app.request('PUT', PATH, {
      key,
      headers: { 'If-Match': headers.get('ETag') ?? '' },
      body: JSON.stringify({ views: [{ ...found, name }] }),
    });
    assert.equal(status, 200);
    assert.deepEqual(
      (await send('GET', PATH)).json,
      { views: [{ ...VIEW, name }] },
      'the old key sees the same',
    );
  }
});

once('two replacements of one version at the same time: one is refused', async (t) => {
  const { send } = await adminShop(t, 'staff');
  const names = ['a', 'b', 'c', 'd'];
  const tag = (await send('GET', PATH)).headers.get('ETag') ?? '';
  const sent = await Promise.all(
    names.map((name) => send('PUT', PATH, { views: [{ ...VIEW, name }] }, { 'If-Match': tag })),
  );
  assert.deepEqual(sent.map(({ status }) => status).toSorted(), [200, 412, 412, 412]);
});

test('as many views as there may be, each of the greatest length, are kept, however JSON writes them', async (t) => {
  const { send } = await adminShop(t, 'viewer');
  const views = Array.from({ length: 30 }, (_, i) => ({
    ...VIEW,
    name: `${String(i).padStart(2, '0')}${'🐈'.repeat(29)}`,
    query: `q=${'"'.repeat(498)}`,
  }));
  assert.equal((await send('PUT', PATH, { views })).status, 200);
  assert.deepEqual((await send('GET', PATH)).json, { views });
});

test('wrong and hostile views are refused by their member, and nothing changes', async (t) => {
  const { send } = await adminShop(t, 'viewer');
  const many = Array.from({ length: 31 }, (_, i) => ({ ...VIEW, name: `view ${i}` }));
  assert.equal((await send('PUT', PATH, { views: many.slice(1) })).status, 200);
  const before = (await send('GET', PATH)).json;
  for (const [views, message] of [
    [many, /views must be an array of up to 30 views/],
    [[VIEW, { ...VIEW, name: 'LOW cats' }], /views\[1\]\.name must differ/],
    [[{ ...VIEW, name: '' }], /views\[0\]\.name must have 1 to 60 characters/],
    [[{ ...VIEW, name: 'x'.repeat(61) }], /views\[0\]\.name must have 1 to 60 characters/],
    [[{ ...VIEW, name: 'a\u202eb' }], /views\[0\]\.name has/],
    [[{ ...VIEW, name: 'a\u0000' }], /views\[0\]\.name has/],
    [[{ ...VIEW, query: 'q=a b' }], /views\[0\]\.query must be the query/],
    [[{ ...VIEW, query: 'q=\n' }], /views\[0\]\.query must be the query/],
    [[{ ...VIEW, query: 'x'.repeat(501) }], /views\[0\]\.query must be the query/],
    [[{ ...VIEW, list: 'pets' }], /views\[0\]\.list must be one of stock, orders/],
    [[{ ...VIEW, density: 'huge' }], /views\[0\]\.density must be one of/],
    [[{ ...VIEW, isDefault: 1 }], /views\[0\]\.isDefault must be true or false/],
    [[{ ...VIEW, other: 1 }], /other/],
    [
      [
        { ...VIEW, isDefault: true },
        { ...VIEW, name: 'b', isDefault: true },
      ],
      /views\[1\]\.isDefault must be true for one view/,
    ],
  ] as const) {
    const { status, code, text } = await send('PUT', PATH, { views });
    assert.deepEqual([status, code], [400, 'validation_failed'], text);
    assert.match(text, message);
  }
  const lists = [
    { ...VIEW, isDefault: true },
    { ...VIEW, list: 'orders', isDefault: true },
  ];
  assert.deepEqual((await send('GET', PATH)).json, before);
  assert.equal(
    (await send('PUT', PATH, { views: lists })).status,
    200,
    'each list has its own names and default',
  );
});
