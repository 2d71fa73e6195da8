import { DAY_MS } from '@petstore-inventory/shared/durations';
import { FIRST_HASH, type Movement, movementHash } from '../../domain/ledger/ledger.ts';
import { banEventData, quotaEventData } from '../../domain/management/usage-events.ts';
import type { Order } from '../../domain/orders/orders.ts';
import type { EventType } from '../../domain/webhooks/events.ts';
import { orderEventText } from '../../domain/webhooks/order-events.ts';
import { pausedEventData } from '../../domain/webhooks/webhook-endpoint.ts';
import { movementJson } from '../../wire/movement-json.ts';
import { orderEventJson } from '../../wire/order-json.ts';

/** The moment of all samples. */
export const SAMPLE_TIME_MS = Date.UTC(2026, 6, 1, 12, 0, 30);

const AUTHOR = { actor: 'key_4fQ2n8Zk1bXw0aLr', actorName: 'till' };
const REQUEST_ID = 'mxmjw-up-2s';
const ACCOUNT_ID = 'acc_4fQ2n8Zk1bXw0aLr';
const ENDPOINT_ID = 'whe_4fQ2n8Zk1bXw0aLr';

const MOVEMENT: Omit<Movement, 'hash'> = {
  sequence: 815,
  previousSequence: 790,
  petId: 7n,
  version: 12,
  kind: 'adjust',
  quantityBefore: 14,
  quantityAfter: 12,
  statusBefore: 'available',
  statusAfter: 'available',
  reservedBefore: 0,
  reservedAfter: 0,
  alertBefore: null,
  alertAfter: null,
  orderId: null,
  revertedSequence: null,
  reason: 'sold',
  note: null,
  referenceDocumentUri: null,
  referenceId: 'receipt-17',
  occurredAtMs: null,
  recordedAtMs: SAMPLE_TIME_MS,
  requestId: REQUEST_ID,
  ...AUTHOR,
};

const ORDER: Order = {
  orderId: 17,
  status: 'placed',
  version: 1,
  lines: [{ petId: 7n, quantity: 2, delivered: 0, returned: 0 }],
  referenceId: 'web-1002',
  note: null,
  expiresAtMs: SAMPLE_TIME_MS,
  createdAtMs: SAMPLE_TIME_MS,
  updatedAtMs: SAMPLE_TIME_MS,
  ...AUTHOR,
};

/** The `data` of a message of each type as JSON, written by the functions that write those of a shop. */
export function eventSamples(): Readonly<Record<EventType | 'webhook.test', string>> {
  return {
    'inventory.changed': movement({}),
    'inventory.low': movement({ quantityBefore: 6, quantityAfter: 4, alertAfter: 'low' }),
    'inventory.out': movement({ quantityBefore: 2, quantityAfter: 0, alertBefore: 'low', alertAfter: 'out' }),
    'inventory.back': movement({
      quantityBefore: 0,
      quantityAfter: 20,
      alertBefore: 'out',
      reason: 'received',
      referenceId: null,
    }),
    'inventory.oversold': movement({
      quantityBefore: 3,
      quantityAfter: 1,
      reservedBefore: 2,
      reservedAfter: 2,
      alertAfter: 'oversold',
      reason: 'damaged',
      referenceId: null,
    }),
    'order.placed': order({}),
    'order.approved': order({ status: 'approved', version: 2, expiresAtMs: null }),
    'order.delivered': order({ status: 'delivered', version: 3, expiresAtMs: null }, { delivered: 2 }),
    'order.cancelled': order({ status: 'cancelled', version: 2 }),
    'order.expired': order({ status: 'expired', version: 2 }, {}, { actor: 'service', actorName: 'service' }),
    'order.returned': order(
      { status: 'delivered', version: 4, expiresAtMs: null },
      { delivered: 2, returned: 1 },
    ),
    'api_key.banned': banEventData({
      accountId: ACCOUNT_ID,
      keyId: AUTHOR.actor,
      hint: 'psk_live_…aLr',
      level: 1,
      bannedAtMs: SAMPLE_TIME_MS,
      endsAtMs: SAMPLE_TIME_MS + 300_000,
    }),
    'quota.reached': quotaEventData({
      accountId: ACCOUNT_ID,
      dayLabel: Math.floor(SAMPLE_TIME_MS / DAY_MS),
      percent: 80,
      limit: 10_000,
      used: 8_000,
    }),
    'webhook_endpoint.paused': pausedEventData({
      id: ENDPOINT_ID,
      url: 'https://hooks.example.com/petstore',
      reason: 'failing',
      atMs: SAMPLE_TIME_MS,
    }),
    'webhook.test': JSON.stringify({ endpointId: ENDPOINT_ID }),
  };
}

function movement(changes: Partial<Movement>): string {
  const content = { ...MOVEMENT, ...changes };
  return movementJson({ ...content, hash: movementHash(FIRST_HASH, content) });
}

function order(changes: Partial<Order>, line: Partial<Order['lines'][number]> = {}, author = AUTHOR): string {
  const lines = ORDER.lines.map((one) => ({ ...one, ...line }));
  return orderEventJson(
    orderEventText(
      { ...ORDER, ...changes, lines },
      { ...author, requestId: REQUEST_ID, atMs: SAMPLE_TIME_MS },
    ),
  );
}
