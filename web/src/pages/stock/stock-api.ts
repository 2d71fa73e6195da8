import { api, newIdempotencyKey, send } from '../../api/client.ts';
import type {
  BatchChange,
  InventoryBatchResult,
  InventoryItem,
  Movement,
  Reason,
} from '../../api/schemas.ts';
import { type StockRow, tagOf } from '../../stock/stock-row.ts';

/** Sets a count, unless somebody has changed the pet since. */
export async function setQuantity(row: StockRow, quantity: number) {
  const { value, headers } = await send<InventoryItem>('PATCH', `/inventory/${row.petId}`, {
    body: { quantity },
    ifMatch: tagOf(row),
    idempotencyKey: newIdempotencyKey(),
  });
  return { item: value, tag: headers.get('ETag') ?? '' };
}

export const addQuantity = (petId: string, delta: number, reason: Reason) =>
  api<Movement>('POST', `/inventory/${petId}/adjustments`, {
    body: { delta, reason },
    idempotencyKey: newIdempotencyKey(),
  });

export const revertMovement = (sequence: number) =>
  api<Movement>('POST', `/movements/${sequence}/revert`, { idempotencyKey: newIdempotencyKey() });

export async function newestMovement(petId: string): Promise<Movement | undefined> {
  const query = { order: 'desc', limit: 1 };
  return (await api<readonly Movement[]>('GET', `/inventory/${petId}/movements`, { query }))[0];
}

/** Pets per request. */
export const MAX_CHANGES = 1_000;

export const previewChanges = (changes: readonly BatchChange[], signal?: AbortSignal) =>
  api<InventoryBatchResult>('POST', '/inventory/batch', { body: { changes, dryRun: true }, signal });

/** Applies all changes or none. With a plan, only if nothing that they touch has changed since the preview. */
export const applyChanges = (changes: readonly BatchChange[], idempotencyKey: string, planId?: string) =>
  api<InventoryBatchResult>('POST', '/inventory/batch', {
    body: { changes, ...(planId !== undefined && { planId }) },
    idempotencyKey,
  });
