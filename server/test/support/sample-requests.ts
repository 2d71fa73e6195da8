import type { Scope } from '../../src/domain/access/api-key.ts';

/** A request that succeeds in a shop with stock of pet 1 and one order, or that the operation refuses after its checks. */
export interface SampleRequest {
  /** Below `/v1` or `/admin/v1`. */
  readonly path: string;
  readonly status: number;
  readonly body?: string;
  /** `undefined`: any key is enough. */
  readonly scope?: Scope | undefined;
  /** `HEAD` for a stream, which does not end. */
  readonly method?: 'HEAD';
}

function at(scope: Scope | undefined, path: string, status = 200, body?: object): SampleRequest {
  return { scope, path, status, ...(body && { body: JSON.stringify(body) }) };
}

const MISSING_ENDPOINT = '/webhook-endpoints/whe_0000000000000000';
const MISSING_ORDER = '/store/orders/999999';

/** Operations of both interfaces, whose requests are the same in each. */
export const SHARED_REQUESTS = {
  listInventory: at('inventory:read', '/inventory'),
  updateInventory: at('inventory:write', '/inventory/1', 200, { quantity: 50 }),
  getInventoryItem: at('inventory:read', '/inventory/1'),
  adjustInventory: at('inventory:adjust', '/inventory/1/adjustments', 201, { delta: 1, reason: 'received' }),
  setInventoryStatus: at('inventory:status', '/inventory/1/status', 200, { status: 'pending' }),
  batchInventory: at('inventory:batch', '/inventory/batch', 200, {
    changes: [{ petId: 1, delta: 1, reason: 'received' }],
  }),
  listItemMovements: at('movements:read', '/inventory/1/movements'),
  listMovements: at('movements:read', '/movements?limit=1'),
  getMovement: at('movements:read', '/movements/1'),
  revertMovement: at('movements:revert', '/movements/999999/revert', 404),
  streamMovements: { ...at('movements:read', '/movements/stream'), method: 'HEAD' },
  auditLedger: at('ledger:audit', '/ledger/audit'),
  placeOrder: at('orders:place', '/store/orders', 201, { lines: [{ petId: 1, quantity: 1 }] }),
  listOrders: at('orders:read', '/store/orders?limit=1'),
  getOrder: at('orders:read', '/store/orders/1'),
  approveOrder: at('orders:approve', `${MISSING_ORDER}/approve`, 404),
  deliverOrder: at('orders:deliver', `${MISSING_ORDER}/deliver`, 404),
  cancelOrder: at('orders:cancel', `${MISSING_ORDER}/cancel`, 404),
  returnOrder: at('orders:return', `${MISSING_ORDER}/return`, 404),
  getStoreInventory: at('inventory:read', '/store/inventory'),
  listWebhookEndpoints: at('webhooks:manage', '/webhook-endpoints'),
  testWebhookEndpoint: at('webhooks:manage', `${MISSING_ENDPOINT}/test`, 404),
} satisfies Readonly<Record<string, SampleRequest>>;

/** One request per operation of `/v1`. */
export const CLIENT_REQUESTS: Readonly<Record<string, SampleRequest>> = {
  ...SHARED_REQUESTS,
  createWebhookEndpoint: at('webhooks:manage', '/webhook-endpoints', 400, { url: 'https://10.0.0.1/' }),
  getWebhookEndpoint: at('webhooks:manage', MISSING_ENDPOINT, 404),
  updateWebhookEndpoint: at('webhooks:manage', MISSING_ENDPOINT, 404, { types: ['inventory.changed'] }),
  deleteWebhookEndpoint: at('webhooks:manage', MISSING_ENDPOINT, 404),
  rotateWebhookSecret: at('webhooks:manage', `${MISSING_ENDPOINT}/rotate`, 404),
  pauseWebhookEndpoint: at('webhooks:manage', `${MISSING_ENDPOINT}/pause`, 404),
  resumeWebhookEndpoint: at('webhooks:manage', `${MISSING_ENDPOINT}/resume`, 404),
  replayWebhookEvents: at('webhooks:manage', `${MISSING_ENDPOINT}/replay?after=0.0`, 404),
  listWebhookDeliveries: at('webhooks:manage', `${MISSING_ENDPOINT}/deliveries`, 404),
  listCatalog: at('inventory:read', '/catalog'),
  getCatalogPet: at('inventory:read', '/catalog/1'),
  getPet: at('pets:read', '/pets/1'),
  getRateLimit: at(undefined, '/rate-limit'),
};

/** The row of an operation. @throws Error when it has none. */
export function sampleOf<Row>(requests: Readonly<Record<string, Row>>, operationId: string): Row {
  const row = requests[operationId];
  if (!row) throw new Error(`${operationId} has no sample request. Add a row to the table of its interface.`);
  return row;
}
