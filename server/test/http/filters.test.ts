import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { adminShop } from '../support/admin-shop.ts';
import { type Answer } from '../support/harness.ts';
import { ADMIN_DOCUMENT, DOCUMENT, operationsIn } from '../support/openapi-document.ts';
import { until } from '../support/until.ts';

type Item = Readonly<Record<string, unknown>>;
/** The text of a filter that some items of the list fit, and others do not. `lastAt` is the time of the newest movement. */
type Filter = (items: readonly Item[], lastAt: string) => string;

const middle = (items: readonly Item[], member: string) => String(items[items.length >> 1]?.[member]);
const always = (text: string) => () => text;

const REPORTED_PETS: Readonly<Record<string, Filter>> = { category: always('Cats'), petId: always('2') };
const REPORTED_MOVEMENTS: typeof REPORTED_PETS = {
  ...REPORTED_PETS,
  from: (_, lastAt) => lastAt,
  to: (_, lastAt) => lastAt,
};
const COUNTED_PETS: typeof REPORTED_PETS = {
  category: always('Cats'),
  petId: always('4'),
  from: (rows) => String(rows[0]?.startedAt),
  to: (rows) => String(rows[0]?.startedAt),
};

const REORDERED_PETS: Readonly<Record<string, Filter>> = {
  state: always('ordered'),
  supplier: always('Zoo'),
  category: always('Cats'),
  alert: always('low'),
};

/** Filters of each list, by its operation. A list that has a filter which is not here fails. */
const FILTERS: Readonly<Record<string, Readonly<Record<string, Filter>>>> = {
  listInventory: {
    status: always('pending'),
    quantityLte: always('20'),
    quantityGte: always('30'),
    availableLte: always('20'),
    alert: always('low,out'),
    updatedSince: (_, lastAt) => lastAt,
    petId: always('1,2'),
  },
  listItemMovements: movementFilters(),
  listMovements: { ...movementFilters(), petId: always('2') },
  listOrders: {
    status: always('cancelled'),
    state: always('partly_delivered'),
    petId: always('2'),
    referenceId: always('cart-1'),
    createdSince: (orders) => middle(orders, 'createdAt'),
  },
  listActivity: {
    actor: always('cli'),
    action: always('accounts.create'),
    target: (entries) => String(entries.find(({ target }) => target !== null)?.target),
    since: (entries) => middle(entries, 'recordedAt'),
    until: (entries) => middle(entries, 'recordedAt'),
  },
  listAccounts: { q: (accounts) => String(accounts[0]?.id).toUpperCase() },
  listKeys: {
    accountId: (keys) => String(keys[0]?.accountId),
    q: (keys) => String(keys[0]?.id).slice(0, -1).toLowerCase(),
  },
  listAdminKeys: { q: (keys) => String(keys[0]?.hint) },
  listWebhookEndpoints: { accountId: (endpoints) => String(endpoints[0]?.accountId) },
  listPets: {
    q: always('cat'),
    archived: always('only'),
    status: always('pending'),
    alert: always('low,out'),
    category: always('Cats'),
    supplier: always('Zoo'),
    sku: always('S2'),
    barcode: always('4006381333931'),
    petId: always('1,2'),
  },
  listCatalog: {
    q: always('cat'),
    sku: always('S2'),
    barcode: always('4006381333931'),
    category: always('Cats'),
    status: always('pending'),
    alertLevel: always('low,out'),
    updatedSince: (_, lastAt) => lastAt,
  },
  exportPets: {
    archived: always('only'),
    after: always('3'),
    q: always('cat'),
    category: always('Cats'),
    supplier: always(''),
    status: always('pending'),
    alert: always('low,out'),
  },
  listBulkChangePets: { outcome: always('unchanged') },
  listImportRows: { effect: always('new') },
  listStocktakes: { state: always('closed') },
  listStocktakeLines: { differs: always('true') },
  getStockReport: REPORTED_PETS,
  exportStockReport: REPORTED_PETS,
  getMovementReport: REPORTED_MOVEMENTS,
  exportMovementReport: REPORTED_MOVEMENTS,
  getVarianceReport: COUNTED_PETS,
  exportVarianceReport: COUNTED_PETS,
  listReorders: { ...REORDERED_PETS, petId: always('2') },
  exportReorders: REORDERED_PETS,
};

const REPORT_FORM = ['format', 'separator'];

/** Parameters that select a page, an order, a time or a form of the same items. */
const NO_FILTERS: Readonly<Record<string, readonly string[]>> = {
  listInventory: ['asOf', 'atSequence'],
  listItemMovements: ['order'],
  listMovements: ['order'],
  listOrders: ['order'],
  // `pets/search.test.ts` shows what it leaves out.
  listPets: ['perWord'],
  exportPets: ['format', 'columns', 'separator', 'sequence'],
  // The movements of a stream, and the times of one account's use, have tests of their own.
  streamMovements: ['after'],
  getAccountUsage: ['unit', 'since', 'until'],
  getUsage: ['unit', 'since', 'until'],
  getStockReport: ['by', 'asOf', 'atSequence'],
  exportStockReport: ['by', 'asOf', 'atSequence', ...REPORT_FORM],
  getMovementReport: ['by', 'per', 'timeZone'],
  exportMovementReport: ['by', 'per', 'timeZone', ...REPORT_FORM],
  getVarianceReport: ['by'],
  exportVarianceReport: ['by', ...REPORT_FORM],
  exportReorders: REPORT_FORM,
};

function movementFilters(): Readonly<Record<string, Filter>> {
  return {
    kind: always('set'),
    reason: always('damaged'),
    // By another key than the others.
    actor: (movements) => /"keyId":"(key_\w+)"/.exec(JSON.stringify(movements.at(-1)))?.[1] ?? '',
    since: (movements) => middle(movements, 'recordedAt'),
    until: (movements) => middle(movements, 'recordedAt'),
    after: (movements) => middle(movements, 'sequence'),
    before: (movements) => middle(movements, 'sequence'),
  };
}

test('each filter of each list leaves some items out', async (t) => {
  const { get, targets, lastAt } = await startShop(t);
  const own = operationsIn(DOCUMENT).filter(({ operation: { operationId: id } }) => id === 'listCatalog');
  for (const { operation, path, method } of [...operationsIn(ADMIN_DOCUMENT), ...own]) {
    const { operationId: id, parameters = [] } = operation;
    const names = parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name);
    const known = [...Object.keys(FILTERS[id] ?? {}), ...(NO_FILTERS[id] ?? []), 'limit', 'cursor'];
    if (method !== 'GET') continue;
    const missing = names.filter((name) => !known.includes(name)).join();
    assert.equal(missing, '', `${id} has filters without a case in FILTERS: ${missing}`);
    const target = targets[id] ?? path;
    const all = FILTERS[id] ? itemsOf(await get(target)) : [];
    for (const [name, filter] of Object.entries(FILTERS[id] ?? {})) {
      const text = filter(all, lastAt);
      const filtered = await get(
        `${target}${target.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(text)}`,
      );
      const count = itemsOf(filtered).length;
      assert.ok(count > 0 && count < all.length, `${id} ${name}=${text}: ${count} of ${all.length}`);
    }
  }
});

function itemsOf({ headers, text }: Answer): readonly Item[] {
  const type = headers.get('Content-Type');
  if (type === 'text/csv') {
    const [headings = [], ...rows] = text
      .trimEnd()
      .split('\r\n')
      .map((line) => line.split(','));
    return rows.map((row) => Object.fromEntries(headings.map((heading, i) => [heading, row[i]])));
  }
  const isLines = type === 'application/x-ndjson';
  const value = JSON.parse(isLines ? `[${text.trim().split('\n').join()}]` : text);
  return value.rows ?? value;
}

function idOf({ text }: Answer): string {
  return (JSON.parse(text) as { readonly id: string }).id;
}

/** A shop with something of each kind that each filter tells from others. */
async function startShop(t: TestContext) {
  const { app, send: sendAs } = await adminShop(t, 'administrator', { nowMs: 'now' });
  const send = async (method: string, target: string, body?: object): Promise<Answer> => {
    const answer = await sendAs(method, `/admin/v1${target}`, body);
    assert.ok(answer.status < 300, `${method} ${target}: ${answer.text}`);
    return answer;
  };
  const post = (target: string, body: object = {}) => send('POST', target, body);
  for (const petId of [1, 2, 3, 4, 5]) {
    await post('/pets', {
      petId,
      name: `Pet ${petId}`,
      category: petId % 2 ? 'Dogs' : 'Cats',
      quantity: petId * 10,
    });
  }
  await send('PATCH', '/pets/2', { sku: 'S2', barcodes: ['4006381333931'] });
  await send('PUT', '/thresholds', { lowStockAt: 15, restockAt: null });
  await send('PATCH', '/reorders/2', { ordered: 5 });
  await send('PATCH', '/reorders/1', { supplier: 'Zoo' });
  for (const petId of [1, 2, 3]) {
    // More than the management took, whose clock is that of the database.
    app.clock.nowMs += 60_000;
    await post('/store/orders', { lines: [{ petId, quantity: petId }], referenceId: `cart-${petId}` });
  }
  await post('/store/orders/1/cancel');
  await post('/store/orders/3/approve');
  await post('/store/orders/3/deliver', { lines: [{ petId: 3, quantity: 1 }] });
  for (const [petId, reason] of [
    [1, 'damaged'],
    [1, 'received'],
    [2, 'damaged'],
  ]) {
    await post(`/inventory/${petId}/adjustments`, { delta: -1, reason });
    app.clock.nowMs += 60_000;
  }
  await send('PATCH', '/inventory/1', { quantity: 7 });
  const adjustment = JSON.stringify({ delta: 1, reason: 'received' });
  assert.equal((await app.request('POST', '/v1/inventory/1/adjustments', { body: adjustment })).status, 201);
  await send('PUT', '/inventory/3/status', { status: 'pending' });
  await post('/pets', { petId: 6, name: 'Pet 6', category: 'Dogs', quantity: 0 });
  await post('/pets/6/archive');
  const accounts = [await app.makeAccount(), idOf(await post('/accounts', { name: 'a', plan: 'pro' }))];
  for (const accountId of accounts) {
    await post('/keys', { accountId });
    await post('/webhook-endpoints', { accountId, url: 'https://shop.example/hooks' });
  }
  await post('/admin-keys', { role: 'viewer' });
  const pets = [1, 9].map((petId) => ({ petId, quantity: 70 }));
  const id = idOf(await post('/imports', pets));
  await until(
    async () => /"state":"planned"/.test((await send('GET', `/imports/${id}`)).text),
    'the import is planned',
  );
  const stocktakes = [
    idOf(await post('/stocktakes', { name: 'a' })),
    idOf(await post('/stocktakes', { name: 'b' })),
  ];
  await post(`/stocktakes/${stocktakes[0]}/counts`, { petId: 4, counted: 1 });
  await post(`/stocktakes/${stocktakes[0]}/counts`, { petId: 5, counted: 50 });
  await post(`/stocktakes/${stocktakes[1]}/counts`, { petId: 5, counted: 50 });
  await post(`/stocktakes/${stocktakes[1]}/close`);
  const bulk = { petIds: [1, 2], set: { category: 'Cats' } };
  const bulkId = idOf(await post('/bulk-changes', bulk));
  await until(
    async () => /"state":"planned"/.test((await send('GET', `/bulk-changes/${bulkId}`)).text),
    'the bulk change is planned',
  );
  const targets: Readonly<Record<string, string>> = {
    listItemMovements: '/inventory/1/movements',
    exportPets: '/pets/export?format=ndjson',
    listBulkChangePets: `/bulk-changes/${bulkId}/pets`,
    listImportRows: `/imports/${id}/rows`,
    listStocktakeLines: `/stocktakes/${stocktakes[0]}/report`,
    getStockReport: '/reports/stock?by=pet',
    exportStockReport: '/reports/stock/export?by=pet',
    getMovementReport: '/reports/movements?by=pet',
    exportMovementReport: '/reports/movements/export?by=pet',
    getVarianceReport: '/reports/variance?by=pet',
    exportVarianceReport: '/reports/variance/export?by=pet',
  };
  const newest = itemsOf(await send('GET', '/movements?order=desc&limit=1'));
  const get = (target: string) =>
    target.startsWith('/catalog') ? app.request('GET', `/v1${target}`) : send('GET', target);
  return { get, targets, lastAt: String(newest[0]?.recordedAt) };
}
