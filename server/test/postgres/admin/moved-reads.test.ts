import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeAdminKey } from '../../blackbox/operator.ts';
import { type Service, startService } from '../../blackbox/service.ts';
import { LOCAL_RECEIVERS } from '../../race/webhooks/local-receivers.ts';
import { temporaryFolder } from '../../support/command-line.ts';
import { isSkippedDaily } from '../../support/long-test.ts';
import { DOCUMENTS } from '../../support/openapi-document.ts';
import { until } from '../../support/until.ts';
import { startReceiver } from '../../webhooks/receiver.ts';
import { sharedPostgres } from '../support/shared-postgres.ts';

const NAMES = ['Äffchen', 'zebra', 'Zebra', 'é "1"', '10 mice', '9 mice', 'ß', 'ss'];
const PETS = Array.from({ length: 24 }, (_, i) => i + 1);

/** Reads whose responses a move changes: what counts requests, names the database, or stays in the file. */
const CHANGED = new Set([
  ...['getRateLimit', 'getUsage', 'getAccountUsage', 'getSystem', 'getSession', 'streamMovements'],
  ...['listBulkChanges', 'getBulkChange', 'listBulkChangePets'],
  ...['listImports', 'getImport', 'listImportRows', 'listImportBadRows'],
]);
/** What depends on the time of a read: the clock of the machine is not that of the server. */
const TIMES = /"(?:lastUsedAt|countedAt)":(?:null|"[^"]*")|"hours":\[.*?\]/g;

/** Each of these is one more read of a list. */
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  listInventory: ['limit=5', 'atSequence=40', 'alert=low', 'cursor=NQ'],
  listMovements: ['order=desc', 'kind=reverted', 'reason=received'],
  listOrders: ['order=desc', 'state=open'],
  listPets: ['q=ss', 'archived=only', 'alert=low'],
  listReorders: ['state=ordered', 'state=to_order', 'supplier=zoo'],
  getStockReport: ['by=pet', 'atSequence=40'],
  getMovementReport: ['by=pet&per=day'],
};

interface Shop {
  /** Sends a request with the key of its interface. */
  send(line: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** The JSON of a response of success. */
  json(line: string, body?: unknown): Promise<Made>;
}

/** Members that later requests name. */
interface Made {
  readonly id: string;
  readonly state: string;
  readonly sequence: number;
  readonly orderId: number;
  readonly endpoint: { readonly id: string };
}

function shopOf({ url, key }: Service, adminKey: string): Shop {
  const send: Shop['send'] = (line, body, headers = {}) => {
    const [method = '', path = ''] = line.split(' ');
    const Authorization = `Bearer ${path.startsWith('/admin') ? adminKey : key}`;
    return fetch(url + path, {
      method,
      headers: { Authorization, 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  };
  const json: Shop['json'] = async (line, body) => {
    const response = await send(line, body);
    const text = await response.text();
    assert.ok(response.ok, `${line}: ${text}`);
    return JSON.parse(text) as Made;
  };
  return { send, json };
}

/** Plans a bulk change, and takes the steps. */
async function changeMany({ json }: Shop, body: object, ...steps: readonly string[]): Promise<void> {
  const { id } = await json('POST /admin/v1/bulk-changes', body);
  for (const step of ['', ...steps]) {
    if (step !== '') await json(`POST /admin/v1/bulk-changes/${id}/${step}`);
    await until(
      async () => !/ing$/.test((await json(`GET /admin/v1/bulk-changes/${id}`)).state),
      `the bulk change ${step}`,
    );
  }
}

/** Starts a stock-take of all pets, counts some, and takes the steps. */
async function countSome({ json }: Shop, posting: string, ...steps: readonly string[]): Promise<string> {
  const { id } = await json('POST /admin/v1/stocktakes', {
    name: `count ${steps.length}`,
    scope: {},
    posting,
  });
  for (const petId of [3, 4, 5]) {
    await json(`POST /admin/v1/stocktakes/${id}/counts`, { petId, counted: petId + steps.length });
  }
  for (const step of steps) await json(`POST /admin/v1/stocktakes/${id}/${step}`, {});
  return id;
}

/** Values of the parameters of paths. */
type Ids = Readonly<Record<string, readonly (string | number)[]>>;

/** Uses what a shop has, and returns the ids of it. */
async function fillShop(shop: Shop, hook: string): Promise<Ids> {
  const { json } = shop;
  for (const i of PETS) {
    const sku = i % 4 === 0 ? {} : { sku: `${NAMES[i % 8]}-${i}` };
    const pet = { petId: i, name: `${NAMES[i % 8]} ${i % 3}`, category: i % 5 ? NAMES[(i * 7) % 5] : null };
    await json('POST /admin/v1/pets', { ...pet, ...sku });
    await json(`PATCH /v1/inventory/${i}`, { quantity: i > 18 ? 9 : (i * 13) % 17 });
  }
  await json('PUT /admin/v1/thresholds', { lowStockAt: 3, restockAt: 5 });
  const { endpoint } = await json('POST /v1/webhook-endpoints', { url: hook, types: ['inventory.changed'] });
  await json(`POST /v1/webhook-endpoints/${endpoint.id}/pause`);
  const order = { supplier: 'Zoo "Ä"', ordered: 140, expectedOn: '2026-12-03' };
  await json('PATCH /admin/v1/reorders/3', order);
  await changeMany(shop, { petIds: [7, 8], set: { supplier: 'planned' } });
  await changeMany(shop, { petIds: [10, 11], set: { supplier: 'zoo' } }, 'apply');
  await changeMany(shop, { petIds: [3, 13], set: { supplier: null } }, 'apply', 'undo');
  await changeMany(shop, { petIds: [14, 15], set: { ordered: 20, expectedOn: '2026-12-24' } }, 'apply');
  const { sequence } = await json('POST /v1/inventory/1/adjustments', { delta: 5, reason: 'received' });
  const stocktakes = [
    await countSome(shop, 'at_count'),
    await countSome(shop, 'at_close', 'close'),
    await countSome(shop, 'at_count', 'close', 'undo'),
  ];
  const orders: number[] = [];
  for (const steps of [[], ['approve'], ['cancel'], ['approve', 'deliver', 'return']]) {
    const lines = [20, 21].map((petId) => ({ petId, quantity: 1 }));
    const { orderId } = await json('POST /v1/store/orders', { lines, referenceId: `r${steps.length}` });
    for (const step of steps) await json(`POST /v1/store/orders/${orderId}/${step}`);
    orders.push(orderId);
  }
  const view = { name: 'Ä "1"', list: 'stock', query: 'alert=low', density: null, isDefault: true };
  await json('PUT /admin/v1/saved-views', { views: [view] });
  await json('PUT /admin/v1/import-mappings/Zoo', { columns: [{ heading: 'Best.Nr', field: 'sku' }] });
  const { recordedAt } = (await json('GET /v1/movements/9')) as Made & { readonly recordedAt: string };
  await json('POST /admin/v1/ledger/prune', { before: recordedAt });
  const listed = async (path: string) =>
    ((await json(`GET /admin/v1/${path}`)) as unknown as Made[]).map(({ id }) => id);
  return {
    petId: PETS,
    sequence: [1, 20, sequence],
    orderId: orders,
    endpointId: [endpoint.id],
    stocktakeId: stocktakes,
    mappingName: ['Zoo'],
    accountId: await listed('accounts'),
    keyId: [...(await listed('keys')), ...(await listed('admin-keys'))],
  };
}

/** Rows without the spaces of PostgreSQL. */
function compact(rows: string): string {
  return rows.replaceAll(/^.+$/gm, (row) => JSON.stringify(JSON.parse(row)));
}

/** Every GET of both interfaces, of everything that the ids name. */
async function readAll({ send }: Shop, ids: Ids): Promise<Map<string, string>> {
  const read = new Map<string, string>();
  for (const { base, document } of DOCUMENTS) {
    for (const [template, { get }] of Object.entries(document.paths)) {
      if (get === undefined || CHANGED.has(get.operationId)) continue;
      const name = /\{(\w+)\}/.exec(template)?.[1];
      const values = name === undefined ? [''] : (ids[name] ?? assert.fail(template));
      for (const path of values.map((value) => base + template.replace(/\{\w+\}/, String(value)))) {
        for (const query of ['', ...(QUERIES[get.operationId] ?? [])]) {
          const line = `GET ${path}${query && '?'}${query}`;
          const response = await send(line);
          assert.notEqual(response.status, 429, line);
          const { headers } = response;
          const body = (await response.text()).replaceAll(TIMES, '');
          const text = get.operationId === 'listPetRows' ? compact(body) : body;
          read.set(line, `${response.status} ${headers.get('ETag')} ${headers.get('Link')} ${text}`);
        }
      }
    }
  }
  return read;
}

test('after a move every read is the same, and what was begun goes on', async (t: TestContext) => {
  if (isSkippedDaily(t)) return;
  const folder = temporaryFolder(t);
  const receiver = await startReceiver(t);
  const source = await startService(t, { databaseDir: folder, env: LOCAL_RECEIVERS });
  const adminKey = await makeAdminKey(source, 'administrator');
  const shop = shopOf(source, adminKey);
  const ids = await fillShop(shop, receiver.url);
  const [running, closed] = ids.stocktakeId ?? [];
  const sequence = Number(ids.sequence?.at(-1));
  const revert = {
    changes: [
      { petId: 1, revert: sequence },
      { petId: 2, quantity: 4 },
    ],
  };
  const sendBatch = async ({ send }: Shop) => {
    const answer = await send('POST /v1/inventory/batch', revert, { 'Idempotency-Key': 'batch' });
    return `${answer.status} ${await answer.text()}`;
  };
  const batch = await sendBatch(shop);
  assert.match(batch, /^200 /);
  const before = await readAll(shop, ids);
  assert.ok(before.size > 200, `${before.size} reads`);
  assert.equal(await source.stop(), 0);

  const { server } = await sharedPostgres();
  const to = await server.createDatabase();
  const from = `sqlite:${join(folder, 'petstore.db')}`;
  await source.cli('move', '--from', from, '--to', to);
  const pepper = readFileSync(join(folder, 'petstore.db.pepper'), 'utf8').trim();
  const env = { ...LOCAL_RECEIVERS, PETSTORE_DATABASE: to, PETSTORE_PEPPER: pepper };
  const target = await startService(t, { databaseDir: folder, key: source.key, env });
  const moved = shopOf(target, adminKey);
  const after = await readAll(moved, ids);
  for (const [line, text] of before) assert.equal(after.get(line), text, line);

  assert.equal(await sendBatch(moved), batch, 'the response under the idempotency key');
  await moved.json(`POST /admin/v1/stocktakes/${running}/counts`, { petId: 12, counted: 3 });
  await moved.json(`POST /admin/v1/stocktakes/${running}/close`, {});
  for (const id of [running, closed]) {
    assert.equal((await moved.json(`POST /admin/v1/stocktakes/${id}/undo`, {})).state, 'undone');
  }
  await changeMany(moved, { petIds: [16], set: { ordered: 30, supplier: 'Later' } }, 'apply', 'undo');
  const newest = await moved.json('POST /v1/inventory/5/adjustments', { delta: 1, reason: 'received' });
  await moved.json(`POST /v1/webhook-endpoints/${ids.endpointId?.[0]}/resume`);
  const sequences = () =>
    receiver.messages().map(({ body }) => (JSON.parse(body) as { data: Made }).data.sequence);
  await until(() => sequences().includes(newest.sequence), 'the newest event');
  assert.deepEqual(
    sequences(),
    [...new Set(sequences())].toSorted((a, b) => a - b),
    'each event after the other',
  );
  assert.deepEqual((await target.cli('verify')).faults, []);
});
