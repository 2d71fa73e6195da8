import { baseUrlOf, type Config } from '../config.ts';
import type { Store } from '../domain/store.ts';
import { getRateLimit } from './access/get-rate-limit.ts';
import { getInventoryItem } from './inventory/get-inventory-item.ts';
import { getPet } from './inventory/get-pet.ts';
import { listInventory } from './inventory/list-inventory.ts';
import type { LiveHub } from './live/live-hub.ts';
import { streamMovements } from './live/stream-movements.ts';
import { auditLedger, getStoreInventory } from './movements/audit-ledger.ts';
import { getMovement, listItemMovements, listMovements } from './movements/list-movements.ts';
import type { Operation } from './request/operation.ts';
import { batchInventory } from './writes/batch-inventory.ts';
import { revertMovement } from './writes/revert-movement.ts';
import { adjustInventory, setInventoryStatus, updateInventory } from './writes/update-inventory.ts';
import { WriteExecutor } from './writes/write-executor.ts';

/** The operations of the interface, in the order of the document. */
export function operationsOf(
  config: Config,
  store: Store,
  live: LiveHub,
  clock: () => number,
): readonly Operation[] {
  const baseUrl = baseUrlOf(config, store.environment);
  const writer = new WriteExecutor(store, baseUrl, config.maxQuantity, clock);
  return [
    listInventory(store, baseUrl),
    updateInventory(writer),
    getInventoryItem(store),
    adjustInventory(writer),
    setInventoryStatus(writer),
    batchInventory(writer),
    listItemMovements(store, baseUrl),
    listMovements(store, baseUrl),
    getMovement(store),
    revertMovement(writer),
    streamMovements(store, live),
    auditLedger(store),
    getStoreInventory(store),
    getPet(store, config, new URL('/docs#getPet', baseUrl).href),
    getRateLimit(),
  ];
}
