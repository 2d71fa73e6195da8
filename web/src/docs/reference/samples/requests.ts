/** What a sample of an operation sends besides what the operation requires in its path and query. */
interface SampleRequest {
  readonly query?: Readonly<Record<string, string>>;
  readonly idempotencyKey?: string;
  readonly body?: object;
}

/** The samples of the API of clients, by operation. Operations that are not here need nothing. */
export const SAMPLE_REQUESTS: Readonly<Record<string, SampleRequest>> = {
  listInventory: { query: { limit: '100' } },
  updateInventory: { idempotencyKey: 'count-2026-11-20-7', body: { quantity: 40, reason: 'cycle_count' } },
  adjustInventory: {
    idempotencyKey: 'receipt-1001',
    body: { delta: -2, reason: 'sold', referenceId: 'receipt-1001' },
  },
  setInventoryStatus: { body: { status: 'pending' } },
  batchInventory: {
    idempotencyKey: 'delivery-77',
    body: {
      changes: [
        { petId: 7, delta: 5, reason: 'received' },
        { petId: 21, quantity: 12 },
      ],
    },
  },
  listCatalog: { query: { barcode: '4006381333931' } },
  listItemMovements: { query: { order: 'desc', limit: '20' } },
  listMovements: { query: { after: '41', limit: '100' } },
  revertMovement: { idempotencyKey: 'undo-4711' },
  streamMovements: { query: { after: '41' } },
  listOrders: { query: { status: 'placed', limit: '20' } },
  placeOrder: {
    idempotencyKey: 'cart-815',
    body: { lines: [{ petId: 21, quantity: 3 }], referenceId: 'cart-815' },
  },
  approveOrder: { idempotencyKey: 'approve-1042' },
  deliverOrder: { idempotencyKey: 'deliver-1042' },
  cancelOrder: { idempotencyKey: 'cancel-1042' },
  returnOrder: { idempotencyKey: 'return-1042' },
  createWebhookEndpoint: {
    body: { url: 'https://shop.example/hooks/stock', types: ['inventory.changed'] },
  },
  updateWebhookEndpoint: { body: { description: 'The web shop' } },
  rotateWebhookSecret: { body: { overlapSeconds: 86_400 } },
};
