import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { catalogJson } from '../../src/domain/management/catalog.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { type Answer, type AppOptions, startApp } from '../support/harness.ts';
import { petRow } from '../support/command-line.ts';
import { testOnceIn } from '../support/test-database.ts';

const once = testOnceIn();

const EAN = '4006381333931';
const LEAST = -(2n ** 63n);
const GREATEST = 2n ** 63n - 1n;
const HOSTILE = ['"\\/\b', '<script>', '🐶 %s %d', "'; DROP", '\u2028\u007f', 'é\u0301'];

async function catalogShop(t: TestContext, options: AppOptions = {}) {
  const app = await startApp(t, options);
  const get = (target: string, headers: Record<string, string> = {}) =>
    app.request('GET', `/v1/catalog${target}`, { headers });
  return { app, get, pets: app.admin.pets };
}

function idsOf({ text }: Answer): bigint[] {
  return [...text.matchAll(/"petId":(-?\d+)/g)].map(([, petId = '']) => BigInt(petId));
}

/** The petIds of all pages. */
async function allPages(get: (target: string) => Promise<Answer>, query: string): Promise<bigint[][]> {
  const pages: bigint[][] = [];
  let target = `?${query}`;
  for (;;) {
    const answer = await get(target);
    assert.equal(answer.status, 200, answer.text);
    pages.push(idsOf(answer));
    const [, next] = /\/v1\/catalog(\?[^>]*)>; rel="next"$/.exec(answer.headers.get('Link') ?? '') ?? [];
    if (next === undefined) return pages;
    target = next;
  }
}

test('the catalog has names, codes and stock of pets, alike in a page, a search and alone', async (t) => {
  const names = HOSTILE.map((name, i) => petRow(i + 1, { name, category: name, quantity: i + 1 }));
  const { get, app, pets } = await catalogShop(t, { pets: [petRow(LEAST), ...names, petRow(GREATEST)] });
  await pets.update(1n, { sku: '"S"\\', barcodes: [EAN, 'a"b\\'] }, CLI_AUTHOR);
  await app.request('POST', '/v1/store/orders', { body: '{"lines":[{"petId":6,"quantity":2}]}' });
  await pets.update(6n, { lowStockAt: 5 }, CLI_AUTHOR);
  const all = await get('');
  assert.deepEqual(idsOf(all), [LEAST, 1n, 2n, 3n, 4n, 5n, 6n, GREATEST]);
  const single = await Promise.all(idsOf(all).map((petId) => pets.find(petId)));
  assert.equal(all.text, `[${single.map(catalogJson).join(',')}]`);
  assert.deepEqual((all.json as object[])[1], {
    petId: 1,
    name: HOSTILE[0],
    category: HOSTILE[0],
    sku: '"S"\\',
    barcodes: [EAN, 'a"b\\'],
    quantity: 1,
    reserved: 0,
    available: 1,
    status: 'available',
    alertLevel: null,
    version: 2,
  });
  const { reserved, available, alertLevel } = (all.json as { [name: string]: unknown }[])[6] ?? {};
  assert.deepEqual({ reserved, available, alertLevel }, { reserved: 2, available: 4, alertLevel: 'low' });
  for (const pet of single) {
    assert.equal((await get(`/${pet.petId}`)).text, catalogJson(pet));
    assert.equal((await get(`?q=${pet.petId}`)).text, `[${catalogJson(pet)}]`);
  }
});

test('pages lead through the whole catalog, archived pets and ends of int64 included', async (t) => {
  const ids = [LEAST, ...Array.from({ length: 9 }, (_, i) => BigInt(i * 3)), GREATEST];
  const { get, pets } = await catalogShop(t, { pets: ids.map((petId) => petRow(petId, { quantity: 0 })) });
  const archived = [LEAST, 3n, 6n, 9n, GREATEST];
  const left = ids.filter((petId) => !archived.includes(petId));
  for (const limit of [1, 2, 3, 11, 12]) {
    assert.deepEqual((await allPages(get, `limit=${limit}`)).flat(), ids, String(limit));
  }
  for (const petId of archived) await pets.archive(petId, CLI_AUTHOR);
  for (const limit of [1, 3, 11]) {
    const pages = await allPages(get, `limit=${limit}`);
    assert.deepEqual(pages.flat(), left);
    assert.ok(pages.every((page) => page.length <= limit));
  }
  assert.equal((await get('/3')).status, 200, 'an archived pet alone');
  assert.deepEqual((await allPages(get, 'status=available&limit=2')).flat(), left);
  assert.deepEqual((await allPages(get, 'updatedSince=2000-01-01T00:00:00Z&limit=4')).flat(), left);
});

test('a code finds its pet in each length of a GTIN, and no archived one', async (t) => {
  const { get, pets } = await catalogShop(t, { pets: [petRow(1), petRow(2, { quantity: 0 })] });
  await pets.update(1n, { sku: 'A b', barcodes: ['036000291452', 'a+b&c'] }, CLI_AUTHOR);
  await pets.update(2n, { barcodes: [EAN] }, CLI_AUTHOR);
  for (const query of ['sku=A+b', 'sku=%20A%20b', 'barcode=0036000291452', 'barcode=a%2Bb%26c', 'q=A%20b']) {
    assert.deepEqual(idsOf(await get(`?${query}`)), [1n], query);
  }
  for (const query of ['sku=a+b', 'barcode=A+b', 'sku=036000291452', 'barcode=96385074']) {
    assert.equal((await get(`?${query}`)).text, '[]', query);
  }
  assert.equal((await get('?barcode=036000291452&status=sold')).text, '[]');
  assert.deepEqual(idsOf(await get('?barcode=036000291452&sku=A+b&status=available')), [1n]);
  assert.deepEqual(idsOf(await get(`?barcode=${EAN}`)), [2n]);
  await pets.archive(2n, CLI_AUTHOR);
  assert.equal((await get(`?barcode=${EAN}`)).text, '[]');
  for (const query of [
    'barcode=4006381333932',
    'barcode=',
    'sku=',
    `sku=${'x'.repeat(65)}`,
    'barcode=%C3%A9',
  ]) {
    const refused = await get(`?${query}`);
    assert.equal(refused.code, 'invalid_parameter', query);
    assert.match(refused.text, /(?:sku|barcode) must have 1 to/);
  }
});

test('an entity tag changes with what is in the bytes, and with nothing else', async (t) => {
  const { get, app, pets } = await catalogShop(t, {
    pets: [petRow(1), petRow(2, { quantity: 0 }), petRow(3)],
  });
  const targets = ['', '?limit=2', '?q=2', '/1', '?status=available'];
  const tags = async () =>
    Promise.all(targets.map(async (target) => (await get(target)).headers.get('ETag') ?? ''));
  const held = async (known: readonly string[]) =>
    Promise.all(
      targets.map(async (target, i) => (await get(target, { 'If-None-Match': known[i] ?? '' })).status),
    );
  const first = await tags();
  assert.deepEqual(await held(first), [304, 304, 304, 304, 304]);
  await app.request('PATCH', '/v1/inventory/3', { body: '{"quantity":99}' });
  assert.deepEqual(await held(first), [200, 304, 304, 304, 200], 'another pet');
  const second = await tags();
  await pets.update(1n, { barcodes: [EAN] }, CLI_AUTHOR);
  assert.deepEqual(await held(second), [200, 200, 304, 200, 200], 'a code');
  const third = await tags();
  await pets.archive(2n, CLI_AUTHOR);
  assert.deepEqual(await held(third), [200, 200, 200, 304, 200], 'an archived pet');
  const [tag = ''] = await tags();
  assert.match(tag, /^"[\w-]{1,100}"$/);
  assert.equal((await get('', { 'If-Match': '"other"' })).status, 412);
  const item = (await get('/1')).headers.get('ETag') ?? '';
  const write = { body: '{"quantity":77}', headers: { 'If-Match': item } };
  assert.equal((await app.request('PATCH', '/v1/inventory/1', write)).status, 200);
  assert.equal((await app.request('PATCH', '/v1/inventory/1', write)).status, 412);
});

once('what no catalog can be asked for is refused', async (t) => {
  const { get, app } = await catalogShop(t, { pets: [petRow(1)] });
  for (const [target, code] of [
    ['/2', 'not_found'],
    ['/01', 'invalid_parameter'],
    ['/1?q=x', 'invalid_parameter'],
    ['?limit=0', 'invalid_parameter'],
    ['?limit=1001', 'invalid_parameter'],
    ['?alertLevel=none', 'invalid_parameter'],
    ['?archived=include', 'invalid_parameter'],
    ['?cursor=x~', 'invalid_parameter'],
    [`?q=x&cursor=${Buffer.from('1').toString('base64url')}`, 'invalid_parameter'],
    [`?cursor=${Buffer.from('1 x').toString('base64url')}`, 'invalid_parameter'],
    ['?updatedSince=yesterday', 'invalid_parameter'],
    [`?q=${'x'.repeat(201)}`, 'invalid_parameter'],
    ['?q=%00', 'invalid_parameter'],
  ] as const) {
    assert.equal((await get(target)).code, code, target);
  }
  const { key } = await app.makeKey({ scopes: ['pets:read', 'inventory:write'] });
  for (const target of ['', '/1']) {
    assert.equal((await app.request('GET', `/v1/catalog${target}`, { key })).code, 'insufficient_scope');
  }
  assert.equal((await app.request('POST', '/v1/catalog')).code, 'method_not_allowed');
});
