import { api, newIdempotencyKey, send } from '../../api/client.ts';
import type { BatchChange, InventoryBatchResult, InventoryItem, Movement } from '../../api/schemas.ts';
import { readRow } from '../../stock/read-row.ts';
import { type StockRow, stateOfTag, tagOf } from '../../stock/stock-row.ts';
import type { StockCalls } from './edit/edit-book.ts';

async function setQuantity(row: StockRow, count: number, idempotencyKey: string) {
  const { value, headers } = await send<InventoryItem>('PATCH', `/inventory/${row.petId}`, {
    body: { quantity: count },
    ifMatch: tagOf(row),
    idempotencyKey,
  });
  const tag = headers.get('ETag') ?? '';
  const state = stateOfTag(tag);
  if (!state) throw new Error(`The service sent the tag ${tag}.`);
  const { quantity, status } = value;
  return { ...state, quantity, status };
}

const addQuantity = (petId: string, delta: number, idempotencyKey: string) =>
  api<Movement>('POST', `/inventory/${petId}/adjustments`, {
    body: { delta, reason: 'correction' },
    idempotencyKey,
  });

const revertMovement = (sequence: number) =>
  api<Movement>('POST', `/movements/${sequence}/revert`, { idempotencyKey: newIdempotencyKey() });

async function newestMovement(petId: string): Promise<Movement | undefined> {
  const query = { order: 'desc', limit: 1 };
  return (await api<readonly Movement[]>('GET', `/inventory/${petId}/movements`, { query }))[0];
}

export const STOCK_CALLS: StockCalls = {
  setQuantity,
  addQuantity,
  revertMovement,
  readRow,
  newestMovement,
};

export const previewChanges = (changes: readonly BatchChange[], signal?: AbortSignal) =>
  api<InventoryBatchResult>('POST', '/inventory/batch', { body: { changes, dryRun: true }, signal });

/** Applies all changes or none. With a plan, only if nothing that they touch has changed since the preview. */
export const applyChanges = (changes: readonly BatchChange[], idempotencyKey: string, planId?: string) =>
  api<InventoryBatchResult>('POST', '/inventory/batch', {
    body: { changes, ...(planId !== undefined && { planId }) },
    idempotencyKey,
  });
