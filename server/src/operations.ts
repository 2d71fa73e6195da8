import { baseUrlOf, type Config } from './config.ts';
import type { Store } from './domain/store.ts';
import { listInventory } from './http/inventory.ts';
import { getInventoryItem } from './http/inventory-item.ts';
import { auditLedger, getStoreInventory } from './http/ledger.ts';
import type { LiveMovements } from './http/live/live-movements.ts';
import { streamMovements } from './http/live/movement-stream.ts';
import { getMovement, listItemMovements, listMovements } from './http/movements.ts';
import type { Operation } from './http/operation.ts';
import { getPet } from './http/pets.ts';
import { getRateLimit } from './http/rate-limit.ts';
import { batchInventory } from './http/writes/batch.ts';
import { adjustInventory, setInventoryStatus, updateInventory } from './http/writes/change-inventory.ts';
import { revertMovement } from './http/writes/revert.ts';
import { StockWriter } from './http/writes/stock-writer.ts';

/** The operations of the interface, in the order of the document. */
export function operationsOf(
  config: Config,
  store: Store,
  live: LiveMovements,
  clock: () => number,
): readonly Operation[] {
  const baseUrl = baseUrlOf(config, store.environment);
  const writer = new StockWriter(store, baseUrl, config.maxQuantity, clock);
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
