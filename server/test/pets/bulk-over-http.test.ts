import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { adminShop } from '../support/admin-shop.ts';
import type { Answer } from '../support/harness.ts';
import { until } from '../support/until.ts';

const BIG = 9_007_199_254_740_993n;

/** A shop with a staff key, whose bulk changes the thread of the service works on. */
async function bulkApp(t: TestContext) {
  const { app, send: sendAs } = await adminShop(t, 'staff', { nowMs: 'now' });
  const send = (method: string, path: string, body?: object | string) =>
    sendAs(method, `/admin/v1${path}`, body as object);
  for (const petId of ['1', '2', '3', String(BIG)]) {
    const body = `{"petId":${petId},"name":"Pet ${petId}","category":"Dogs"}`;
    const { status } = await app.request('POST', '/admin/v1/pets', { key: await keyOf(app), body });
    assert.equal(status, 201);
  }
  const plan = async (body: string): Promise<string> => {
    const sent = await app.request('POST', '/admin/v1/bulk-changes', { key: await keyOf(app), body });
    assert.equal(sent.status, 202, sent.text);
    const { id } = sent.json as unknown as { id: string };
    assert.match(sent.headers.get('Location') ?? '', new RegExp(`/admin/v1/bulk-changes/${id}$`));
    await reach(id, 'planned');
    return id;
  };
  const reach = (id: string, state: string) =>
    until(
      async () => new RegExp(`"state":"${state}"`).test((await send('GET', `/bulk-changes/${id}`)).text),
      state,
    );
  const post = (body: string): Promise<Answer> =>
    keyOf(app).then((key) => app.request('POST', '/admin/v1/bulk-changes', { key, body }));
  return { app, send, plan, reach, post };
}

type App = Awaited<ReturnType<typeof adminShop>>['app'];
const keys = new WeakMap<App, Promise<string>>();

function keyOf(app: App): Promise<string> {
  const known = keys.get(app) ?? app.makeAdminKey('staff').then(({ key }) => key);
  keys.set(app, known);
  return known;
}

test('a bulk change is planned, shown by pages, applied and undone by the thread of the service', async (t) => {
  const { send, plan, reach } = await bulkApp(t);
  const id = await plan('{"filter":{"category":"Dogs"},"set":{"category":"Hounds","lowStockAt":4}}');
  const first = await send('GET', `/bulk-changes/${id}/pets?limit=3&outcome=planned`);
  const [, next = ''] = /<[^>]*(\/pets\?[^>]*)>; rel="next"/.exec(first.headers.get('Link') ?? '') ?? [];
  const second = await send('GET', `/bulk-changes/${id}${next}`);
  assert.match(
    second.text,
    new RegExp(`^\\[\\{"petId":${BIG},"name":"Pet ${BIG}","outcome":"planned","reason":null`),
  );
  assert.equal(second.headers.get('Link'), null);
  assert.equal((await send('GET', `/bulk-changes/${id}/pets?outcome=other`)).code, 'invalid_parameter');

  assert.equal((await send('POST', `/bulk-changes/${id}/apply`)).status, 202);
  await reach(id, 'applied');
  assert.match(
    (await send('GET', `/pets/${BIG}`)).text,
    /"lowStockAt":4,"restockAt":null.*"category":"Hounds"/,
  );
  assert.equal((await send('POST', `/bulk-changes/${id}/apply`)).code, 'conflict');
  assert.match((await send('GET', '/activity?action=bulk-changes.finish')).text, /"pets":\{"changed":4\}/);
  assert.equal((await send('POST', `/bulk-changes/${id}/undo`)).status, 202);
  await reach(id, 'undone');
  assert.match((await send('GET', `/pets/${BIG}`)).text, /"lowStockAt":null.*"category":"Dogs"/);
  const listed = await send('GET', '/bulk-changes?limit=1');
  assert.match(
    listed.text,
    /"set":\{"category":"Hounds","lowStockAt":4,"restockAt":null\},"counts":\{.*"undone":4/,
  );
});

test('named pets have every digit, and a list of pets restores what it archived', async (t) => {
  const { send, plan, reach } = await bulkApp(t);
  const archiving = await plan(`{"petIds":[${BIG},1],"set":{"archived":true}}`);
  assert.match((await send('GET', `/bulk-changes/${archiving}`)).text, /"filter":null.*"planned":2/);
  await send('POST', `/bulk-changes/${archiving}/apply`);
  await reach(archiving, 'applied');
  const restoring = await plan('{"filter":{},"set":{"archived":false}}');
  assert.match((await send('GET', `/bulk-changes/${restoring}`)).text, /"archived":"only".*"planned":2/);
  assert.equal((await send('POST', `/bulk-changes/${restoring}/cancel`)).status, 200);
  assert.equal((await send('POST', `/bulk-changes/${restoring}/apply`)).code, 'conflict');
});

test('a page of bulk changes continues also after the last one of the page before was deleted', async (t) => {
  const { app, send, plan } = await bulkApp(t);
  const planned: string[] = [];
  for (const name of ['A', 'B', 'C']) {
    planned.unshift(await plan(`{"filter":{},"set":{"category":"${name}"}}`));
  }
  const listed = async (path: string) => {
    const page = await send('GET', path);
    const [, next = ''] =
      /<[^>]*(\/bulk-changes\?[^>]*)>; rel="next"/.exec(page.headers.get('Link') ?? '') ?? [];
    return { ids: (JSON.parse(page.text) as { id: string }[]).map(({ id }) => id), next };
  };
  const all = (await listed('/bulk-changes')).ids;
  assert.deepEqual(all.toSorted(), planned.toSorted());
  const first = await listed('/bulk-changes?limit=2');
  assert.deepEqual(first.ids, all.slice(0, 2));
  await app.database.run(`DELETE FROM bulk_rows; DELETE FROM bulk_changes WHERE id = '${all[1]}'`);
  assert.deepEqual(await listed(first.next), { ids: all.slice(2), next: '' });
});

test('a change of many pets finds those of a supplier, or without one', async (t) => {
  const { send, plan } = await bulkApp(t);
  assert.equal((await send('PATCH', '/reorders/2', { supplier: 'Zoo' })).status, 200);
  const found = async (supplier: string) => {
    const id = await plan(JSON.stringify({ filter: { supplier }, set: { lowStockAt: 3 } }));
    const [change, pets] = [
      await send('GET', `/bulk-changes/${id}`),
      await send('GET', `/bulk-changes/${id}/pets`),
    ];
    const { filter } = JSON.parse(change.text) as { filter: { supplier: string } };
    return { filter, petIds: (JSON.parse(pets.text) as { petId: number }[]).map(({ petId }) => petId) };
  };
  const ofZoo = await found(' Zoo ');
  assert.deepEqual(ofZoo, { filter: { archived: 'exclude', supplier: 'Zoo' }, petIds: [2] });
  const without = await found('');
  assert.equal(without.filter.supplier, '');
  assert.equal(without.petIds.includes(2), false);
  assert.ok(without.petIds.length > 1);
});

test('a change of many pets finds those of an alert level, a time, and words that are no spaces', async (t) => {
  const { send, plan } = await bulkApp(t);
  const found = async (filter: object) => {
    const id = await plan(JSON.stringify({ filter, set: { lowStockAt: 3 } }));
    const change = JSON.parse((await send('GET', `/bulk-changes/${id}`)).text);
    return [change.filter, change.counts.planned];
  };
  const archived = 'exclude';
  assert.deepEqual(await found({ q: '  ' }), [{ archived }, 4]);
  assert.deepEqual(await found({ alert: ['oversold'] }), [{ archived, alert: ['oversold'] }, 0]);
  const updatedSince = '2100-01-01T00:00:00.000Z';
  assert.deepEqual(await found({ updatedSince }), [{ archived, updatedSince }, 0]);
});

test('codes of many pets are shown before and after, and undone', async (t) => {
  const { send, plan, reach } = await bulkApp(t);
  await send('PATCH', '/pets/2', { sku: 'S-1' });
  const id = await plan('{"filter":{},"set":{"sku":"S-{petId}","inStorePrefix":"29"}}');
  const { text } = await send('GET', `/bulk-changes/${id}/pets`);
  const [first, second, , last] = JSON.parse(text) as Record<string, unknown>[];
  assert.deepEqual([first?.['reason'], first?.['codeOwner']], ['code_in_use', 2]);
  assert.deepEqual(second?.['codes'], { sku: 'S-2', barcodes: ['2900000000025'] });
  assert.equal((second?.['before'] as { sku: string } | undefined)?.sku, 'S-1');
  assert.equal(last?.['reason'], 'no_barcode');
  await send('POST', `/bulk-changes/${id}/apply`);
  await reach(id, 'applied');
  assert.match((await send('GET', '/pets/3')).text, /"sku":"S-3","barcodes":\["2900000000032"\]/);
  assert.match(
    (await send('GET', `/bulk-changes/${id}`)).text,
    /"set":\{"sku":"S-\{petId\}","inStorePrefix":"29"\}/,
  );
  const removing = await plan('{"filter":{},"set":{"sku":null,"barcodes":[]}}');
  await send('POST', `/bulk-changes/${removing}/apply`);
  await reach(removing, 'applied');
  assert.match((await send('GET', '/pets/3')).text, /"sku":null,"barcodes":\[\]/);
  await send('POST', `/bulk-changes/${removing}/undo`);
  await reach(removing, 'undone');
  assert.match((await send('GET', '/pets/3')).text, /"sku":"S-3"/);
});

test('named pets are ordered over HTTP with a number of each, by staff', async (t) => {
  const { send, plan, reach } = await bulkApp(t);
  const body = `{"petIds":[${BIG},1],"units":[9007199254740991,3],"set":{"ordered":"units","expectedOn":"2030-12-03"}}`;
  const id = await plan(body);
  const { text } = await send('GET', `/bulk-changes/${id}/pets`);
  assert.match(text, /"petId":1,.*"ordered":3\}.*"petId":9007199254740993,.*"ordered":9007199254740991\}/);
  assert.match(
    (await send('GET', `/bulk-changes/${id}`)).text,
    /"set":\{"ordered":"units","expectedOn":"2030-12-03"\}/,
  );
  assert.equal((await send('POST', `/bulk-changes/${id}/apply`)).status, 202);
  await reach(id, 'applied');
  assert.match((await send('GET', '/reorders/1')).text, /"ordered":3,.*"expectedOn":"2030-12-03"/);
  assert.equal((await send('POST', `/bulk-changes/${id}/apply`)).code, 'conflict', 'it is applied once');
});

test('wrong bodies are refused with a sentence, and plan nothing', async (t) => {
  const { send, post } = await bulkApp(t);
  const ids = Array.from({ length: 50_001 }, (_, i) => i).join();
  const longest = Array.from({ length: 50_000 }, (_, i) => BigInt(i) - 9_000_000_000_000_000_000n).join();
  const most = Array.from({ length: 49_999 }, () => Number.MAX_SAFE_INTEGER).join();
  for (const [body, message] of [
    ['{"set":{"status":"sold"}}', /needs petIds or filter/],
    ['{"petIds":[1],"filter":{},"set":{"status":"sold"}}', /needs petIds or filter/],
    ['{"petIds":[],"set":{"status":"sold"}}', /petIds must have 1 petId or more/],
    ['{"petIds":[1.5],"set":{"status":"sold"}}', /petIds\[0\] must be a 64-bit integer/],
    ['{"petIds":["1"],"set":{"status":"sold"}}', /petIds\[0\]/],
    [
      `{"petIds":[${ids}],"set":{"status":"sold"}}`,
      /petIds or units has more than 50000 elements; use a filter/,
    ],
    [
      '{"petIds":[1],"set":{"ordered":0}}',
      /ordered must be a whole number from 1 to \d+, suggested or units/,
    ],
    ['{"petIds":[1],"set":{"ordered":1.5}}', /ordered must be a whole number/],
    ['{"petIds":[1],"set":{"ordered":"all"}}', /ordered must be a whole number/],
    ['{"petIds":[1],"set":{"ordered":5,"expectedOn":"2030-02-30"}}', /expectedOn must be a day/],
    ['{"petIds":[1],"units":[0],"set":{"ordered":"units"}}', /units\[0\] must be a whole number from 1/],
    ['{"petIds":[1],"units":[1.5],"set":{"ordered":"units"}}', /units\[0\] must be a whole number from 1/],
    ['{"petIds":[1],"units":[1,2],"set":{"ordered":"units"}}', /units: give one number of each pet/],
    [
      `{"petIds":[${longest}],"units":[${most}],"set":{"ordered":"units"}}`,
      /units: give one number of each pet/,
    ],
    ['{"filter":{},"units":[1],"set":{"ordered":5}}', /has units, which need petIds/],
    ['{"petIds":[1],"set":{}}', /give new values, or archived alone/],
    ['{"petIds":[1],"set":{"archived":true,"status":"sold"}}', /archived alone/],
    ['{"petIds":[1],"set":{"sku":"CAT"}}', /sku: write \{petId\}/],
    ['{"petIds":[1],"set":{"sku":7}}', /sku must be a text/],
    [`{"petIds":[1],"set":{"sku":"${'x'.repeat(300)}{petId}"}}`, /sku must be a text of at most 256/],
    ['{"petIds":[1],"set":{"sku":"\\ud800{petId}"}}', /sku/],
    ['{"petIds":[1],"set":{"barcodes":["4006381333931"]}}', /barcodes must be an empty array/],
    ['{"petIds":[1],"set":{"inStorePrefix":"19"}}', /inStorePrefix must be a text from 20 to 29/],
    ['{"petIds":[1],"set":{"inStorePrefix":20}}', /inStorePrefix must be a text from 20 to 29/],
    ['{"petIds":[1],"set":{"quantity":5}}', /quantity is not a member/],
    ['{"petIds":[1],"set":{"restockAt":5}}', /restockAt: it needs lowStockAt/],
    ['{"petIds":[1],"set":{"lowStockAt":-1}}', /lowStockAt/],
    ['{"petIds":[1],"set":{"category":"a\\u0000"}}', /category/],
    ['{"petIds":[1],"set":{"category":"\\ud800"}}', /category/],
    ['{"filter":{"categories":["Dogs"]},"set":{"status":"sold"}}', /categories is not a member/],
    ['{"filter":{"alert":[]},"set":{"status":"sold"}}', /alert/],
    ['{"filter":{"availableLte":1e300},"set":{"status":"sold"}}', /availableLte/],
  ] as const) {
    const { code, text } = await post(body);
    assert.equal(code, 'validation_failed', body.slice(0, 80));
    assert.match(text, message, body.slice(0, 80));
  }
  assert.equal((await send('GET', '/bulk-changes')).text, '[]');
  assert.equal((await send('POST', '/bulk-changes/blk_none/apply')).code, 'not_found');
});
