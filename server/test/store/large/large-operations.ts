import assert from 'node:assert/strict';
import { DOCUMENT, operationsIn } from '../../support/openapi-document.ts';
import { CLIENT_REQUESTS, sampleOf } from '../../support/sample-requests.ts';
import { type MeasuredRequest, type MeasuredResponse, MOVEMENTS, ORDERS, PETS } from './large-shop.ts';

/** A request of one operation, its row in the table of bounds, and a check of its answer. */
export interface CheckedRequest extends MeasuredRequest {
  readonly bound: string;
  readonly status?: number;
  readonly check?: (response: MeasuredResponse) => void;
}

const WHOLE = {
  status: 200,
  check: ({ start, end }: MeasuredResponse) => assert.ok(start.startsWith('[') && end.endsWith(']')),
};
const MIDDLE = Math.floor(PETS / 2);

function atLeast(bytes: number) {
  return (response: MeasuredResponse) => {
    WHOLE.check(response);
    assert.ok(response.bytes > bytes, `${response.bytes} bytes`);
  };
}

const json = (value: unknown) => JSON.stringify(value);
const rows = (from: number, count: number, delta: number) =>
  Array.from({ length: count }, (_, i) => ({ petId: from + i * 7, delta, reason: 'received' }));

let endpointPath = '';

const METHODS = new Map(
  operationsIn(DOCUMENT).map(({ method, operation }) => [operation.operationId, method]),
);

/** The sample request of an operation, for a pet in the middle or the endpoint that was created before. */
function sampled(
  bound: string,
  more: Omit<CheckedRequest, 'bound' | 'path'> = {},
  query?: string,
): readonly CheckedRequest[] {
  const { path, body, status } = sampleOf(CLIENT_REQUESTS, bound);
  return [
    {
      bound,
      method: METHODS.get(bound) as string,
      ...(body !== undefined && { body }),
      status: status < 300 ? status : 200,
      get path() {
        return path
          .replace(/^\/webhook-endpoints\/\w+/, endpointPath)
          .replace(/^\/(inventory|pets|catalog)\/1\b/, `/$1/${MIDDLE}`)
          .replace(/\?.*/, (own) => query ?? own);
      },
      ...more,
    },
  ];
}

/** The measured requests per operationId. An operation without one fails the test. */
export const QUESTIONS: Readonly<Record<string, readonly CheckedRequest[]>> = {
  listInventory: [
    { bound: 'listInventory, whole', path: '/inventory', check: atLeast(40 * PETS) },
    {
      bound: 'listInventory, whole',
      path: '/inventory',
      headers: { 'Accept-Encoding': 'gzip' },
      check: ({ headers, bytes }) => assert.ok(headers['content-encoding'] === 'gzip' && bytes > PETS),
    },
    { bound: 'listInventory, page', path: '/inventory?limit=1000', check: atLeast(40_000) },
    {
      bound: 'listInventory, filtered page',
      path: '/inventory?status=sold&quantityLte=5&limit=1000',
      check: WHOLE.check,
    },
    {
      bound: 'listInventory, filtered page',
      path: '/inventory?alert=low,oversold&availableLte=5&limit=1000',
      check: WHOLE.check,
    },
    {
      bound: 'listInventory, page as of a moment',
      path: `/inventory?atSequence=${MOVEMENTS / 2}&limit=1000`,
      check: atLeast(40_000),
    },
    {
      bound: 'listInventory, whole as of a moment',
      path: `/inventory?atSequence=${MOVEMENTS / 2}`,
      check: atLeast(40 * PETS),
    },
    {
      bound: 'listInventory, filtered whole',
      path: '/inventory?quantityGte=9007199254740991',
      check: ({ start }) => assert.match(start, /^\[ *\]?/),
    },
  ],
  updateInventory: sampled('updateInventory', { body: json({ quantity: 4_711 }) }),
  getInventoryItem: sampled('getInventoryItem'),
  adjustInventory: sampled('adjustInventory'),
  setInventoryStatus: ['pending', 'sold'].map((status) => ({
    bound: 'setInventoryStatus',
    method: 'PUT',
    path: `/inventory/${MIDDLE + 1}/status`,
    body: json({ status }),
  })),
  batchInventory: [
    {
      bound: 'batchInventory',
      method: 'POST',
      path: '/inventory/batch',
      body: json({ changes: rows(1, 1_000, 5) }),
    },
    {
      bound: 'batchInventory',
      method: 'POST',
      path: '/inventory/batch',
      body: json({ changes: rows(1, 1_000, 5), dryRun: true }),
    },
  ],
  listItemMovements: [
    { bound: 'listItemMovements', path: `/inventory/${MIDDLE}/movements?limit=1000`, check: WHOLE.check },
    {
      bound: 'listItemMovements',
      path: `/inventory/${MIDDLE}/movements?kind=revert&order=desc`,
      check: WHOLE.check,
    },
  ],
  listMovements: [
    { bound: 'listMovements', path: `/movements?after=${MOVEMENTS / 2}&limit=1000`, check: atLeast(100_000) },
    { bound: 'listMovements', path: '/movements?order=desc&limit=1000', check: atLeast(100_000) },
    { bound: 'listMovements', path: '/movements?reason=damaged&limit=1000', check: WHOLE.check },
    { bound: 'listMovements', path: '/movements?since=2020-01-01T00:00:00Z&kind=revert', check: WHOLE.check },
  ],
  getMovement: [{ bound: 'getMovement', path: `/movements/${MOVEMENTS / 2}` }],
  // The last movement of the initial shop.
  revertMovement: [
    {
      bound: 'revertMovement',
      method: 'POST',
      path: `/movements/${MOVEMENTS}/revert`,
      body: '{}',
      status: 201,
    },
  ],
  streamMovements: [
    {
      bound: 'streamMovements, 20,000 movements',
      path: '/movements/stream',
      headers: { Accept: 'text/event-stream', 'Last-Event-ID': String(MOVEMENTS - 20_000) },
      events: 20_000,
    },
  ],
  auditLedger: sampled('auditLedger', { check: ({ end }) => assert.match(end, /"faults":\[\]\}$/) }),
  listOrders: [
    ...[
      '',
      '?limit=100&order=asc',
      `?limit=100&cursor=${Buffer.from(String(ORDERS / 2)).toString('base64url')}`,
      `?petId=${MIDDLE}`,
      `?referenceId=cart-${MIDDLE}`,
      '?status=delivered',
      `?status=cancelled&petId=${MIDDLE}`,
      '?createdSince=2099-01-01T00:00:00Z',
      '?status=placed&createdSince=2020-01-01T00:00:00Z&order=asc',
    ].map((query) => ({ bound: 'listOrders', path: `/store/orders${query}`, check: WHOLE.check })),
  ],
  placeOrder: [1, 100].map((count) => ({
    bound: 'placeOrder',
    method: 'POST',
    path: '/store/orders',
    body: json({ lines: Array.from({ length: count }, (_, i) => ({ petId: 1 + i * 7, quantity: 1 })) }),
    status: 201,
  })),
  getOrder: [{ bound: 'getOrder', path: `/store/orders/${MIDDLE}` }],
  ...Object.fromEntries(
    ['approve', 'deliver', 'return', 'cancel'].map((step) => [
      `${step}Order`,
      [
        {
          bound: `${step}Order`,
          method: 'POST',
          path: `/store/orders/${step === 'cancel' ? MIDDLE + 1 : MIDDLE}/${step}`,
        },
      ],
    ]),
  ),
  getStoreInventory: [...sampled('getStoreInventory'), ...sampled('getStoreInventory')],
  createWebhookEndpoint: sampled('createWebhookEndpoint', {
    body: json({ url: 'https://shop.example/hooks' }),
    status: 201,
    check: ({ headers: { location = '' } }) => {
      endpointPath = location.slice(location.indexOf('/webhook-endpoints'));
    },
  }),
  listWebhookEndpoints: sampled('listWebhookEndpoints', { check: WHOLE.check }),
  getWebhookEndpoint: sampled('getWebhookEndpoint'),
  updateWebhookEndpoint: sampled('updateWebhookEndpoint'),
  testWebhookEndpoint: sampled('testWebhookEndpoint'),
  listWebhookDeliveries: sampled('listWebhookDeliveries', { check: WHOLE.check }),
  replayWebhookEvents: sampled('replayWebhookEvents', {}, `?after=${MOVEMENTS / 2}.0`),
  rotateWebhookSecret: sampled('rotateWebhookSecret'),
  pauseWebhookEndpoint: sampled('pauseWebhookEndpoint'),
  resumeWebhookEndpoint: sampled('resumeWebhookEndpoint'),
  deleteWebhookEndpoint: sampled('deleteWebhookEndpoint', { status: 204 }),
  listCatalog: [
    { bound: 'listCatalog, page', path: '/catalog?limit=1000', check: atLeast(100_000) },
    { bound: 'listCatalog, filtered page', path: '/catalog?status=sold&limit=1000', ...WHOLE },
    { bound: 'listCatalog, search', path: '/catalog?q=pet+1', ...WHOLE },
    { bound: 'listCatalog, code', path: '/catalog?barcode=4006381333931', ...WHOLE },
  ],
  getCatalogPet: sampled('getCatalogPet'),
  getPet: sampled('getPet'),
  getRateLimit: sampled('getRateLimit'),
};
