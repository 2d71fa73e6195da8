import type { ManagementStores } from '../domain/admin-store.ts';
import type { AuditReport, Auditor } from '../domain/ledger-store.ts';
import type { Store } from '../domain/store.ts';
import { getRateLimit } from './access/get-rate-limit.ts';
import { getCatalogPet, listCatalog } from './catalog/catalog.ts';
import { getInventoryItem } from './inventory/get-inventory-item.ts';
import { type GetPetOptions, getPet } from './inventory/get-pet.ts';
import { getStoreInventory } from './inventory/get-store-inventory.ts';
import { listInventory } from './inventory/list-inventory.ts';
import type { LiveHub } from './live/live-hub.ts';
import { streamMovements } from './live/stream-movements.ts';
import { auditLedger } from './movements/audit-ledger.ts';
import { getMovement, listItemMovements, listMovements } from './movements/movements.ts';
import type { Operation } from './operation/operation.ts';
import {
  approveOrder,
  cancelOrder,
  deliverOrder,
  getOrder,
  listOrders,
  placeOrder,
  returnOrder,
} from './orders/orders.ts';
import type { OperationDefinition } from './request/bound-operation.ts';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookDeliveries,
  listWebhookEndpoints,
  pauseWebhookEndpoint,
  replayWebhookEvents,
  resumeWebhookEndpoint,
  rotateWebhookSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
  type WebhookServices,
} from './webhooks/webhook-endpoints.ts';
import { batchInventory } from './writes/batch-inventory.ts';
import { adjustInventory, setInventoryStatus } from './writes/inventory.ts';
import { revertMovement } from './writes/revert-movement.ts';
import { updateInventory } from './writes/update-inventory.ts';
import type { WriteExecutor } from './writes/write-executor.ts';

/** Options on which descriptions of operations depend. */
export interface OperationOptions extends GetPetOptions {
  readonly maxQuantity: number;
}

/** What the handlers of all operations need. */
export interface Services extends ManagementStores, Omit<WebhookServices, 'management'> {
  readonly store: Store;
  readonly audits: Auditor;
  readonly writer: WriteExecutor;
  readonly live: LiveHub;
  /** Called with the result of each audit. */
  readonly onAudit: (report: AuditReport) => void;
  /** Without a slash at its end. */
  readonly baseUrl: string;
}

/** The operations of the interface, in the order of the document. */
export function defineOperations(options: OperationOptions): readonly OperationDefinition<Services>[] {
  return sharedOperations(options).flatMap(({ client }) => client ?? []);
}

/** The operations of the interface, some of which the management API has too. */
export function sharedOperations(options: OperationOptions): readonly Operation<Services>[] {
  const { maxQuantity } = options;
  return [
    listInventory,
    updateInventory(maxQuantity),
    getInventoryItem,
    adjustInventory,
    setInventoryStatus,
    batchInventory(maxQuantity),
    listItemMovements,
    listMovements,
    getMovement,
    revertMovement,
    streamMovements,
    auditLedger,
    listOrders,
    placeOrder,
    getOrder,
    approveOrder,
    deliverOrder,
    cancelOrder,
    returnOrder,
    listWebhookEndpoints,
    createWebhookEndpoint,
    getWebhookEndpoint,
    updateWebhookEndpoint,
    deleteWebhookEndpoint,
    rotateWebhookSecret,
    pauseWebhookEndpoint,
    resumeWebhookEndpoint,
    testWebhookEndpoint,
    replayWebhookEvents,
    listWebhookDeliveries,
    listCatalog,
    getCatalogPet,
    getStoreInventory,
    getPet(options),
    getRateLimit,
  ];
}
