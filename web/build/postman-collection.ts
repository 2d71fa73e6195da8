import { readFileSync } from 'node:fs';
import { type ListedOperation, type OpenApiDocument, operationsOf } from '../src/docs/document.ts';
import { callOf } from '../src/docs/reference/samples/call.ts';
import { type COLLECTIONS, repositoryFile } from './guides.ts';

const GUID = '{{$guid}}';
/** Seconds since 1970: a number that no earlier request had. */
const NUMBER = '{{$timestamp}}';

/** What a request remembers of its response, for the requests behind it: a variable and the member that it gets. */
type Remembered = Readonly<Record<string, readonly [variable: string, member: string]>>;

/** A part of a request that its sample does not have. */
interface Change {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** A body that is not JSON, with its type. */
  readonly file?: readonly [type: string, text: string];
  readonly headers?: Readonly<Record<string, string>>;
  /** Variables of the path in place of its own. */
  readonly path?: Readonly<Record<string, string>>;
  /** Whether the cookie of a session takes the place of the key. */
  readonly hasSession?: boolean;
}

/** A collection: its document, and what makes its requests succeed from top to bottom. */
interface Requests {
  readonly document: string;
  readonly base: string;
  readonly key: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly remembered: Remembered;
  readonly changes: Readonly<Record<string, Change>>;
  /** The orders of requests that depend on one another, where it is not that of the document. */
  readonly sequences: Readonly<Record<string, readonly string[]>>;
}

const REMEMBERED: Remembered = {
  adjustInventory: ['sequence', 'sequence'],
  placeOrder: ['orderId', 'orderId'],
  createWebhookEndpoint: ['endpointId', 'endpoint.id'],
};

/** Queries whose sample names what a new shop does not have. */
const CHANGES: Readonly<Record<string, Change>> = {
  listMovements: { query: { after: '0', limit: '100' } },
  streamMovements: { query: { after: '0' } },
  replayWebhookEvents: { query: { after: '0.0' } },
};

/** An order is delivered and returned, another one is cancelled. */
const ORDER_STEPS = ['listOrders', 'placeOrder', 'getOrder', 'approveOrder'];
const FIRST_ENDPOINT_STEPS = [
  ...['listWebhookEndpoints', 'createWebhookEndpoint', 'getWebhookEndpoint', 'updateWebhookEndpoint'],
  ...['rotateWebhookSecret', 'pauseWebhookEndpoint', 'resumeWebhookEndpoint', 'testWebhookEndpoint'],
];
const LAST_ENDPOINT_STEPS = ['replayWebhookEvents', 'listWebhookDeliveries', 'deleteWebhookEndpoint'];

const CLIENTS: Requests = {
  document: 'openapi.json',
  base: '/v1',
  key: 'apiKey',
  variables: { petId: '7' },
  remembered: REMEMBERED,
  changes: CHANGES,
  sequences: {
    Orders: [...ORDER_STEPS, 'deliverOrder', 'returnOrder', 'placeOrder', 'cancelOrder'],
    Webhooks: [...FIRST_ENDPOINT_STEPS, ...LAST_ENDPOINT_STEPS],
  },
};

const NEW_PET = { path: { petId: 'newPetId' } };
const IMPORT: Change = { query: { fileName: 'count.csv' }, file: ['text/csv', 'petId,quantity\n7,500\n'] };

const MANAGERS: Requests = {
  document: 'admin-openapi.json',
  base: '/admin/v1',
  key: 'managementKey',
  variables: { origin: 'http://localhost:8080', petId: '7', mappingName: 'Zoo' },
  remembered: {
    ...REMEMBERED,
    createAccount: ['accountId', 'id'],
    createKey: ['keyId', 'id'],
    createAdminKey: ['keyId', 'id'],
    createSession: ['sessionId', 'sessionId'],
    createPet: ['newPetId', 'petId'],
    createBulkChange: ['bulkChangeId', 'id'],
    createImport: ['importId', 'id'],
    startStocktake: ['stocktakeId', 'id'],
  },
  changes: {
    ...CHANGES,
    createAccount: { body: { name: `shop ${GUID}`, plan: 'free' } },
    updateAccount: { body: { plan: 'pro' } },
    createKey: { body: { accountId: '{{accountId}}', name: 'till' } },
    createAdminKey: { body: { name: 'office', role: 'viewer' } },
    // The key is in the body: it is exchanged for a cookie.
    createSession: { body: { key: '{{managementKey}}' }, hasSession: true },
    getSession: { hasSession: true },
    endSession: { headers: { Origin: '{{origin}}' }, hasSession: true },
    setSavedViews: { body: { views: [] } },
    setThresholds: { body: { lowStockAt: 3, restockAt: 5 } },
    createPet: { body: { petId: NUMBER, name: 'Rex', category: 'Dogs' } },
    getManagedPet: NEW_PET,
    updatePet: { ...NEW_PET, body: { name: 'Rex II', lowStockAt: 2 } },
    updateReorder: { body: { ordered: 140, expectedOn: '2026-12-03', supplier: 'Zoo Wholesale' } },
    archivePet: NEW_PET,
    restorePet: NEW_PET,
    deletePet: NEW_PET,
    createBulkChange: { body: { petIds: [7], set: { category: `Dogs ${GUID}` } } },
    createImport: IMPORT,
    setImportMapping: { body: { columns: [{ heading: 'Best.Nr', field: 'sku' }] } },
    startStocktake: { body: { name: 'Autumn', scope: { category: 'Dogs' } } },
    countPet: { body: { petId: 7, counted: 500 } },
    createWebhookEndpoint: {
      body: {
        accountId: '{{accountId}}',
        url: 'https://shop.example/hooks/stock',
        types: ['inventory.changed'],
      },
    },
    resendWebhookEvent: { query: { event: '1.0' } },
    pruneLedger: { body: { before: '2020-01-01T00:00:00Z', dryRun: true } },
  },
  sequences: {
    // The first session ends by its id, the second one by its cookie.
    Sessions: ['createSession', 'getSession', 'listSessions', 'revokeSession', 'createSession', 'endSession'],
    Orders: [
      ...[...ORDER_STEPS, 'getOrderApproval', 'deliverOrder', 'returnOrder'],
      ...['placeOrder', 'cancelOrder', 'placeOrder', 'expireOrder'],
    ],
    Webhooks: [...FIRST_ENDPOINT_STEPS, 'resendWebhookEvent', ...LAST_ENDPOINT_STEPS],
    // The first one is closed and undone, the second one is given up.
    'Stock-takes': [
      ...['startStocktake', 'listStocktakes', 'getStocktake', 'countPet', 'listStocktakeLines'],
      ...['listUncountedPets', 'getStocktakeTotals', 'closeStocktake', 'undoStocktake'],
      ...['startStocktake', 'cancelStocktake'],
    ],
    // The first change is applied and undone, the second one is given up. The first pet is deleted, the second one is used.
    Pets: [
      ...['createPet', 'deletePet', 'createPet'],
      ...['createBulkChange', 'listBulkChanges', 'getBulkChange', 'listBulkChangePets', 'applyBulkChange'],
      ...['undoBulkChange', 'createBulkChange', 'cancelBulkChange'],
    ],
    // The first file is applied, the second one is given up.
    Imports: [
      ...[
        'createImport',
        'listImports',
        'getImport',
        'planImport',
        'listImportRows',
        'listImportBadRows',
        'applyImport',
        'undoImport',
      ],
      ...['createImport', 'cancelImport', 'deleteImport'],
      ...['setImportMapping', 'listImportMappings', 'getImportMapping', 'deleteImportMapping'],
    ],
  },
};

/**
 * The operations of each interface as a Postman collection (v2.1), which Bruno and Insomnia import too. Sent from top to
 * bottom every request succeeds in the sample shop, because later ones use what earlier ones made. In the imports and
 * bulk changes, a request that is sent before the work of the one before it is done gets 409.
 */
export function postmanCollections(): Readonly<Record<(typeof COLLECTIONS)[number], string>> {
  return {
    'docs/petstore.postman_collection.json': collectionOf(CLIENTS),
    'docs/petstore-admin.postman_collection.json': collectionOf(MANAGERS),
  };
}

function collectionOf(requests: Requests): string {
  const { document: file, base, key, variables, remembered, sequences } = requests;
  const document = JSON.parse(readFileSync(repositoryFile(file), 'utf8')) as OpenApiDocument;
  document.servers = [{ url: '{{baseUrl}}' }];
  const operations = operationsOf(document);
  const folders = document.tags.map(({ name, description }) => {
    const listed = operations.filter(({ operation }) => operation.tags.includes(name));
    const byId = new Map(listed.map((one) => [one.operation.operationId, one]));
    const sequence = sequences[name] ?? [...byId.keys()];
    const rest = [...byId.keys()].filter((id) => !sequence.includes(id));
    const items = [...sequence, ...rest].map((id) =>
      itemOf(document, byId.get(id) as ListedOperation, requests),
    );
    return { name, description, item: items };
  });
  const made = new Set(Object.values(remembered).map(([variable]) => variable));
  const collection = {
    info: {
      name: document.info.title,
      description: document.info.description,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: `{{${key}}}`, type: 'string' }] },
    variable: Object.entries({
      baseUrl: `http://localhost:8080${base}`,
      [key]: '',
      ...variables,
      ...Object.fromEntries([...made].map((variable) => [variable, ''])),
    }).map(([name, value]) => ({ key: name, value })),
    item: folders,
  };
  return `${JSON.stringify(collection, undefined, 2)}\n`;
}

function itemOf(document: OpenApiDocument, listed: ListedOperation, { remembered, changes }: Requests) {
  const { operationId, description } = listed.operation;
  const change = changes[operationId] ?? {};
  const sample = callOf(document, listed);
  const search = new URLSearchParams(change.query ?? sample.query).toString();
  const path = listed.path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => `{{${change.path?.[name] ?? name}}}`,
  );
  const url = `{{baseUrl}}${path}${search && `?${search}`}`;
  const script = scriptOf(remembered[operationId]);
  const body = change.body ?? sample.body;
  const [type, text] = change.file ?? (body ? ['application/json', bodyOf(body)] : []);
  const headers = {
    ...(type !== undefined && { 'Content-Type': type }),
    // A key belongs to one request: the same key with another body would be refused.
    ...(sample.headers['Idempotency-Key'] !== undefined && { 'Idempotency-Key': GUID }),
    ...change.headers,
  };
  return {
    name: operationId,
    ...(script !== undefined && {
      event: [{ listen: 'test', script: { type: 'text/javascript', exec: [script] } }],
    }),
    request: {
      ...(change.hasSession && { auth: { type: 'noauth' } }),
      method: sample.method,
      description,
      header: Object.entries(headers).map(([key, value]) => ({ key, value })),
      url: { raw: url, ...partsOf(url) },
      ...(text !== undefined && { body: { mode: 'raw', raw: text } }),
    },
  };
}

/** The JSON of a body, in which the new number is no text. */
function bodyOf(body: object): string {
  return JSON.stringify(body, undefined, 2).replaceAll(`"${NUMBER}"`, NUMBER);
}

function scriptOf([variable, member]: readonly [variable?: string, member?: string] = []):
  | string
  | undefined {
  if (variable === undefined) return undefined;
  return `if (pm.response.code < 300) pm.collectionVariables.set('${variable}', String(pm.response.json().${member}));`;
}

function partsOf(url: string) {
  const [path = '', query = ''] = url.split('?');
  const [host = '', ...segments] = path.split('/');
  const fields = [...new URLSearchParams(query)].map(([key, value]) => ({ key, value }));
  return { host: [host], path: segments, ...(fields.length > 0 && { query: fields }) };
}
