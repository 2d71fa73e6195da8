import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import type { ErrorCode } from '../../../server/src/domain/errors.ts';
import { CLI_AUTHOR } from '../../../server/src/domain/management/activity.ts';
import { ERROR_TRIGGERS, TRIGGER_PETS } from '../../../server/test/support/error-triggers.ts';
import { type Answer, startApp, type TestApp } from '../../../server/test/support/harness.ts';
import { fetchFrom } from '../../../server/test/support/web-exchange.ts';
import { type OpenApiDocument, operationsOf } from '../../../web/src/docs/document.ts';
import type { ResponseSample, ResponseSamples } from '../../../web/src/docs/reference/response-samples.ts';
import { callOf } from '../../../web/src/docs/reference/samples/call.ts';
import { ROOT } from '../pages.ts';

type After = Parameters<typeof startApp>[0];

const PETS: readonly PetRow[] = [
  pet(7n, 'Cavalier King Charles Spaniel puppy', 'Dogs', 42),
  pet(9n, 'Shetland Sheepdog puppy', 'Dogs', 3),
  { ...pet(21n, 'Budgerigar, blue', 'Birds', 24), thresholds: { lowStockAt: 10, restockAt: 20 } },
];
const ENDPOINT = 'https://shop.example/hooks/stock';
const RECEIVER = /http:\/\/127\.0\.0\.1:\d+\/hooks\/stock/;
/** These destroy what the others need. */
const LAST: readonly ErrorCode[] = ['history_pruned', 'operation_sunset', 'service_unavailable'];

function pet(petId: bigint, name: string, category: string, quantity: number): PetRow {
  return { petId, name, category, quantity, status: 'available' };
}

/** Executes a request of each operation of both interfaces, and one for each error code. */
export async function responseSamples(t: After): Promise<ResponseSamples> {
  const v1 = await clientSamples(t);
  const admin = await managementSamples(t);
  return { v1, admin, errors: await errorSamples(t) };
}

interface Sending {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly key?: string | null;
}

/** The members of responses that later requests name. */
interface Made {
  readonly id: string;
  readonly key: string;
  readonly sequence: number;
  readonly orderId: number;
  readonly state: string;
  readonly endpoint: { readonly id: string };
}

/** Sends requests of an interface, and keeps the response of each operation. */
class Recorder {
  readonly samples: Record<string, ResponseSample> = {};
  readonly #app: TestApp;
  readonly #base: string;
  readonly #key: string;

  constructor(app: TestApp, base: string, key: string) {
    this.#app = app;
    this.#base = base;
    this.#key = key;
  }

  /** @param operationId Empty: the response is no sample. */
  async send(operationId: string, line: string, { body, headers = {}, key = this.#key }: Sending = {}) {
    const [method = '', path = ''] = line.split(' ');
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await this.#app.request(method, this.#base + path, {
      key,
      headers,
      ...(text !== undefined && { body: text }),
    });
    assert.ok(answer.status < 300, `${line}: ${answer.status} ${answer.text}`);
    if (operationId !== '') this.samples[operationId] = sampleOf(answer);
    return (answer.text.startsWith('{') ? JSON.parse(answer.text) : {}) as Made;
  }

  /** The first event of a stream, which does not end. */
  async stream(operationId: string, path: string) {
    const request = new Request(`http://localhost${this.#base}${path}`, {
      headers: { Authorization: `Bearer ${this.#key}` },
    });
    const { status, headers, body } = await fetchFrom(this.#app.app, request);
    const reader = body?.getReader() ?? assert.fail('a stream');
    let text = '';
    let event: string | undefined;
    while (event === undefined) {
      text += Buffer.from((await reader.read()).value ?? []).toString();
      event = text.split('\n\n').find((one, i, all) => i < all.length - 1 && one.includes('data: '));
    }
    await reader.cancel();
    this.samples[operationId] = { status, type: typeOf(headers), body: `${event}\n\n` };
  }
}

/** What differs from machine to machine. */
const MEASURED: Readonly<Record<string, unknown>> = {
  durationMs: 42,
  databaseBytes: 4_194_304,
  runtime: 'Node 26.10.0',
};

/** Secrets that the document shows in the same way. They open nothing, but look as if they did. */
const SECRET = /\b(ps[ak]_(?:live|test)_|whsec_)[\w+/=]{20,}/g;

function readBody(text: string): unknown {
  return JSON.parse(text, (name, value: unknown) => {
    if (Object.hasOwn(MEASURED, name) && value !== null) return MEASURED[name];
    return typeof value === 'string' ? value.replaceAll(SECRET, '$1…').replace(RECEIVER, ENDPOINT) : value;
  });
}

function sampleOf({ status, headers, text }: Answer): ResponseSample {
  const type = typeOf(headers);
  if (text === '') return { status };
  return { status, type, body: type === 'application/json' ? readBody(text) : text };
}

const typeOf = (headers: Headers) => (headers.get('Content-Type') ?? '').split(';', 1)[0] ?? '';

/** The requests of the samples of the reference, as they are shown. */
function shownRequests(): (operationId: string) => Sending & { readonly search: string } {
  const document = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as OpenApiDocument;
  const listed = new Map(operationsOf(document).map((one) => [one.operation.operationId, one]));
  return (operationId) => {
    const { headers, body, query } = callOf(document, listed.get(operationId) ?? assert.fail(operationId));
    const search = new URLSearchParams(query).toString();
    return { headers, body, search: search && `?${search}` };
  };
}

/** The operations that both interfaces have. */
async function recordStock(recorder: Recorder): Promise<void> {
  const shown = shownRequests();
  const send = (operationId: string, line: string) => {
    const { search, ...sending } = shown(operationId);
    return recorder.send(operationId, line + search, sending);
  };
  await send('updateInventory', 'PATCH /inventory/7');
  const { sequence } = await send('adjustInventory', 'POST /inventory/7/adjustments');
  await send('getInventoryItem', 'GET /inventory/7');
  await send('batchInventory', 'POST /inventory/batch');
  await send('listInventory', 'GET /inventory');
  await send('getMovement', `GET /movements/${sequence}`);
  await send('revertMovement', `POST /movements/${sequence}/revert`);
  await send('listItemMovements', 'GET /inventory/7/movements');
  await recorder.send('listMovements', `GET /movements?after=${sequence}&limit=100`);
  await recorder.stream('streamMovements', `/movements/stream?after=${sequence}`);
  await send('setInventoryStatus', 'PUT /inventory/7/status');
  await recorder.send('', 'PUT /inventory/7/status', { body: { status: 'available' } });
  const { orderId } = await send('placeOrder', 'POST /store/orders');
  await send('getOrder', `GET /store/orders/${orderId}`);
  await send('listOrders', 'GET /store/orders');
  await send('approveOrder', `POST /store/orders/${orderId}/approve`);
  await send('deliverOrder', `POST /store/orders/${orderId}/deliver`);
  await send('returnOrder', `POST /store/orders/${orderId}/return`);
  const other = await recorder.send('', 'POST /store/orders', {
    body: { lines: [{ petId: 9, quantity: 1 }] },
  });
  await send('cancelOrder', `POST /store/orders/${other.orderId}/cancel`);
  await send('getStoreInventory', 'GET /store/inventory');
  await send('auditLedger', 'GET /ledger/audit');
}

/** A receiver on this machine, which the samples call by the address of the shop. */
async function openReceiver(t: After): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/stock`;
}

async function recordWebhooks(
  recorder: Recorder,
  receiver: string,
  account: object,
  beforeDeletion?: (at: string) => Promise<void>,
): Promise<void> {
  const types = ['inventory.changed'];
  const made = await recorder.send('createWebhookEndpoint', 'POST /webhook-endpoints', {
    body: { ...account, url: receiver, types },
  });
  const { id } = made.endpoint;
  const at = `/webhook-endpoints/${id}`;
  await recorder.send('getWebhookEndpoint', `GET ${at}`);
  await recorder.send('updateWebhookEndpoint', `PATCH ${at}`, { body: { description: 'The web shop' } });
  await recorder.send('listWebhookEndpoints', 'GET /webhook-endpoints');
  await recorder.send('rotateWebhookSecret', `POST ${at}/rotate`, { body: { overlapSeconds: 86_400 } });
  await recorder.send('testWebhookEndpoint', `POST ${at}/test`);
  await recorder.send('listWebhookDeliveries', `GET ${at}/deliveries`);
  await recorder.send('pauseWebhookEndpoint', `POST ${at}/pause`);
  await recorder.send('resumeWebhookEndpoint', `POST ${at}/resume`);
  await recorder.send('replayWebhookEvents', `POST ${at}/replay?after=0.0`);
  await beforeDeletion?.(at);
  await recorder.send('deleteWebhookEndpoint', `DELETE ${at}`);
}

async function clientSamples(t: After): Promise<Record<string, ResponseSample>> {
  const config = { PETSTORE_WEBHOOK_NETWORKS: '127.0.0.1/32' };
  const app = await startApp(t, { pets: PETS, plan: 'pro', nowMs: Date.now(), config });
  const recorder = new Recorder(app, '/v1', app.key);
  await recordStock(recorder);
  await recordWebhooks(recorder, await openReceiver(t), {});
  const codes = { sku: 'DOG-0042', barcodes: ['4006381333931'] };
  await app.admin.pets.update(7n, codes, CLI_AUTHOR);
  await recorder.send('listCatalog', 'GET /catalog?barcode=4006381333931');
  await recorder.send('getCatalogPet', 'GET /catalog/7');
  await recorder.send('getPet', 'GET /pets/7');
  await recorder.send('getRateLimit', 'GET /rate-limit');
  return recorder.samples;
}

async function managementSamples(t: After): Promise<Record<string, ResponseSample>> {
  const config = { PETSTORE_ADDRESS_LIMIT: '60', PETSTORE_WEBHOOK_NETWORKS: '127.0.0.1/32' };
  const app = await startApp(t, { pets: PETS, plan: 'free', nowMs: Date.now(), config });
  const { key, principal } = await app.makeAdminKey('administrator');
  const recorder = new Recorder(app, '/admin/v1', key);
  const send = (operationId: string, line: string, body?: unknown, headers: Record<string, string> = {}) =>
    recorder.send(operationId, line, { body, headers });
  await recordStock(recorder);
  const { id: accountId } = await send('createAccount', 'POST /accounts', { name: 'web shop', plan: 'pro' });
  await send('getAccount', `GET /accounts/${accountId}`);
  await send('updateAccount', `PATCH /accounts/${accountId}`, { plan: 'business' });
  await send('listAccounts', 'GET /accounts');
  await send('getAccountUsage', `GET /accounts/${app.principal.account.id}/usage`);
  await send('getUsage', 'GET /usage');
  await recordWebhooks(recorder, await openReceiver(t), { accountId }, async (at) => {
    await app.request('POST', `/admin/v1${at}/pause`, { key });
    await send('resendWebhookEvent', `POST ${at}/resend?event=1.0`);
  });
  const { id: keyId } = await send('createKey', 'POST /keys', {
    accountId,
    name: 'till',
    scopes: ['inventory:read', 'inventory:adjust'],
  });
  await send('getKey', `GET /keys/${keyId}`);
  await send('listKeys', `GET /keys?accountId=${accountId}`);
  await send('rotateKey', `POST /keys/${keyId}/rotate`, { overlapSeconds: 86_400 });
  await send('revokeKey', `POST /keys/${keyId}/revoke`);
  await banKey(app);
  await send('listBans', 'GET /bans');
  await send('liftBan', `POST /keys/${app.principal.key.id}/lift-ban`);
  const made = await send('createAdminKey', 'POST /admin-keys', { name: 'front desk', role: 'staff' });
  await send('getAdminKey', `GET /admin-keys/${made.id}`);
  await until(async () => (await app.admin.keys.find(principal.key.id))?.key.lastUsedAtMs !== null);
  await send('listAdminKeys', 'GET /admin-keys');
  // Of a key of its own: when the use of a key is written depends on the machine.
  await recordSessions(app, recorder, (await app.makeAdminKey('staff')).key);
  await send('rotateAdminKey', `POST /admin-keys/${made.id}/rotate`, { overlapSeconds: 3_600 });
  await send('revokeAdminKey', `POST /admin-keys/${made.id}/revoke`);
  const saved = { name: 'Cats that are low', list: 'stock', query: 'category=Cats&alert=low' };
  await send('setSavedViews', 'PUT /saved-views', { views: [{ ...saved, density: null, isDefault: true }] });
  await send('getSavedViews', 'GET /saved-views');
  await send('getThresholds', 'GET /thresholds');
  await send('setThresholds', 'PUT /thresholds', { lowStockAt: 3, restockAt: 5 });
  await send('createPet', 'POST /pets', { petId: 1001, name: 'Luna', category: 'Cats' });
  await send('getManagedPet', 'GET /pets/1001');
  await send('updatePet', 'PATCH /pets/1001', { category: 'Kittens' });
  await send('listPets', 'GET /pets?q=luna');
  await send('archivePet', 'POST /pets/1001/archive');
  await send('restorePet', 'POST /pets/1001/restore');
  await send('', 'POST /pets', { petId: 1002 });
  await send('deletePet', 'DELETE /pets/1002');
  await send('updateReorder', 'PATCH /reorders/1001', {
    supplier: 'Zoo Wholesale',
    ordered: 140,
    expectedOn: '2026-12-03',
  });
  await send('getReorder', 'GET /reorders/1001');
  await send('listReorders', 'GET /reorders?supplier=Zoo%20Wholesale');
  await send('exportReorders', 'GET /reorders/export?supplier=Zoo%20Wholesale');
  await send('listSuppliers', 'GET /reorders/suppliers');
  await send('exportPets', 'GET /pets/export?format=csv');
  await send('listPetRows', 'GET /pets/rows');
  await recordBulkChanges(app, recorder);
  await recordImports(app, recorder);
  await recordStocktakes(recorder);
  const { orderId } = await send('', 'POST /store/orders', { lines: [{ petId: 21, quantity: 3 }] });
  await send('getOrderApproval', `GET /store/orders/${orderId}/approval`);
  await send('expireOrder', `POST /store/orders/${orderId}/expire`);
  await send('getOverview', 'GET /overview');
  await send('getSystem', 'GET /system');
  await send('listActivity', 'GET /activity?limit=3');
  await send('verifyLedger', 'POST /ledger/verify', {});
  await send('pruneLedger', 'POST /ledger/prune', { before: '2026-11-01T00:00:00Z', dryRun: true });
  return recorder.samples;
}

/** Sends requests with a key that has none left, and does not wait. */
async function banKey(app: TestApp): Promise<void> {
  const { nowMs } = app.clock;
  for (let status = 0, i = 0; i < 2_000; i += 1) {
    const answer = await app.request('GET', '/v1/inventory?limit=1');
    status = answer.status;
    if (answer.code === 'api_key_banned') break;
    if (status === 429) app.clock.nowMs += 50;
  }
  app.clock.nowMs = nowMs;
}

async function recordSessions(app: TestApp, recorder: Recorder, key: string): Promise<void> {
  const signIn = async (operationId: string): Promise<Record<string, string>> => {
    const sending = { key: null, body: JSON.stringify({ key }), headers: { Host: 'localhost:8080' } };
    const answer = await app.request('POST', '/admin/v1/session', sending);
    if (operationId !== '') recorder.samples[operationId] = sampleOf(answer);
    const [cookie = ''] = (answer.headers.get('Set-Cookie') ?? '').split(';');
    return { Cookie: cookie, 'Sec-Fetch-Site': 'same-origin', Host: 'localhost:8080' };
  };
  const first = await signIn('createSession');
  await recorder.send('getSession', 'GET /session', { key: null, headers: first });
  await recorder.send('endSession', 'DELETE /session', { key: null, headers: first });
  await signIn('');
  await recorder.send('listSessions', 'GET /sessions');
  const sessions = recorder.samples.listSessions?.body;
  assert.ok(Array.isArray(sessions));
  await recorder.send('revokeSession', `DELETE /sessions/${sessions[0].sessionId}`);
}

async function recordBulkChanges(app: TestApp, recorder: Recorder): Promise<void> {
  // Not over HTTP, as of imports.
  const settled = (id: string) =>
    until(async () => !/ing$/.test((await app.admin.bulkChanges.find(id)).state));
  const plan = (operationId: string) =>
    recorder.send(operationId, 'POST /bulk-changes', {
      body: { filter: { category: 'Dogs' }, set: { category: 'Puppies' } },
    });
  const { id } = await plan('createBulkChange');
  await settled(id);
  await recorder.send('getBulkChange', `GET /bulk-changes/${id}`);
  await recorder.send('listBulkChangePets', `GET /bulk-changes/${id}/pets`);
  await recorder.send('applyBulkChange', `POST /bulk-changes/${id}/apply`);
  await settled(id);
  await recorder.send('undoBulkChange', `POST /bulk-changes/${id}/undo`);
  await settled(id);
  await recorder.send('listBulkChanges', 'GET /bulk-changes');
  const other = await plan('');
  await settled(other.id);
  await recorder.send('cancelBulkChange', `POST /bulk-changes/${other.id}/cancel`);
}

async function recordImports(app: TestApp, recorder: Recorder): Promise<void> {
  // Not over HTTP: the number of the requests would differ each time, and each response would have another id.
  const settled = (id: string) =>
    until(async () => !/^(?:checking|applying)$/.test((await app.admin.imports.find(id))?.state ?? ''));
  const upload = (operationId: string, text: string) =>
    recorder.send(operationId, 'POST /imports?fileName=june.csv', {
      body: text,
      headers: { 'Content-Type': 'text/csv' },
    });
  const { id } = await upload(
    'createImport',
    'petId,name,quantity\n1002,Milo,4\n9,Shetland Sheepdog puppy,5\n',
  );
  await settled(id);
  await recorder.send('getImport', `GET /imports/${id}`);
  await recorder.send('listImportRows', `GET /imports/${id}/rows`);
  await recorder.send('listImportBadRows', `GET /imports/${id}/bad-rows`);
  await recorder.send('planImport', `POST /imports/${id}/plan`);
  await settled(id);
  await recorder.send('applyImport', `POST /imports/${id}/apply`);
  await settled(id);
  const undo = await recorder.send('undoImport', `POST /imports/${id}/undo`);
  await settled(undo.id);
  const other = await upload('', 'petId,quantity\n7,1\n');
  await settled(other.id);
  await recorder.send('listImports', 'GET /imports');
  await recorder.send('cancelImport', `POST /imports/${other.id}/cancel`);
  await recorder.send('deleteImport', `DELETE /imports/${other.id}`);
  const mapping = '/import-mappings/Zoo%20Wholesale';
  await recorder.send('setImportMapping', `PUT ${mapping}`, {
    body: JSON.stringify({
      columns: [
        { heading: 'Best.Nr', field: 'sku' },
        { heading: 'lagernd', field: 'quantity' },
        { heading: 'Preis', field: null },
      ],
      decimal: 'comma',
    }),
    headers: { 'Content-Type': 'application/json' },
  });
  await recorder.send('getImportMapping', `GET ${mapping}`);
  await recorder.send('listImportMappings', 'GET /import-mappings');
  await recorder.send('deleteImportMapping', `DELETE ${mapping}`);
}

async function recordStocktakes(recorder: Recorder): Promise<void> {
  const { id } = await recorder.send('startStocktake', 'POST /stocktakes', {
    body: { name: 'Dogs, November', scope: { category: 'Dogs' } },
  });
  const path = `/stocktakes/${id}`;
  await recorder.send('countPet', `POST ${path}/counts`, { body: { petId: 9, counted: 4 } });
  await recorder.send('listStocktakeLines', `GET ${path}/report`);
  await recorder.send('listUncountedPets', `GET ${path}/uncounted?limit=1`);
  await recorder.send('getStocktakeTotals', `GET ${path}/totals`);
  await recorder.send('closeStocktake', `POST ${path}/close`);
  await recorder.send('getVarianceReport', 'GET /reports/variance?by=category');
  await recorder.send('exportVarianceReport', 'GET /reports/variance/export?by=pet');
  await recorder.send('getStockReport', 'GET /reports/stock?by=category');
  await recorder.send('exportStockReport', 'GET /reports/stock/export?by=category');
  await recorder.send('getMovementReport', 'GET /reports/movements?by=category&category=Dogs');
  await recorder.send('exportMovementReport', 'GET /reports/movements/export?category=Dogs');
  await recorder.send('getStocktake', `GET ${path}`);
  await recorder.send('undoStocktake', `POST ${path}/undo`);
  const mistake = await recorder.send('', 'POST /stocktakes', { body: { name: 'Cats' } });
  await recorder.send('cancelStocktake', `POST /stocktakes/${mistake.id}/cancel`);
  await recorder.send('listStocktakes', 'GET /stocktakes');
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await delay(5);
}

async function errorSamples(t: After): Promise<Record<string, unknown>> {
  const app = await startApp(t, { pets: TRIGGER_PETS, freeBytes: () => 0, nowMs: Date.now() });
  const codes = Object.keys(ERROR_TRIGGERS) as ErrorCode[];
  const samples = new Map<string, unknown>();
  for (const code of [...codes.filter((one) => !LAST.includes(one)), ...LAST]) {
    const { nowMs } = app.clock;
    const answer = await ERROR_TRIGGERS[code](app);
    if (code === 'operation_sunset') app.clock.nowMs = nowMs;
    assert.equal(answer.code, code);
    samples.set(code, JSON.parse(answer.text));
  }
  return Object.fromEntries(codes.map((code) => [code, samples.get(code)]));
}
