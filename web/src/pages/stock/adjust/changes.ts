import { newIdempotencyKey } from '../../../api/client.ts';
import type { BatchChange, InventoryBatchResult, Reason } from '../../../api/schemas.ts';
import { stateOfTag } from '../../../stock/stock-row.ts';
import type { StockStore } from '../../../stock/stock-store.ts';
import { applyChanges } from '../stock-api.ts';

export interface Adjustment {
  readonly mode: 'add' | 'set';
  readonly value: number;
  readonly reason: Reason;
  readonly note: string;
}

export function changesOf(
  petIds: readonly string[],
  { mode, value, reason, note }: Adjustment,
): BatchChange[] {
  const explanation = { reason, ...(note.trim() !== '' && { note: note.trim() }) };
  return petIds.map((petId) =>
    mode === 'add' ? { petId, delta: value, ...explanation } : { petId, quantity: value, ...explanation },
  );
}

/** Shows the result of a batch in the table. */
export function showResult(store: StockStore, { rows }: InventoryBatchResult): void {
  for (const { petId, after } of rows) {
    const row = store.find(petId);
    const state = stateOfTag(after?.etag ?? '');
    if (!row || !after || !state || row.version > state.version) continue;
    store.put({ ...row, ...state, quantity: after.quantity, reserved: after.reserved, status: after.status });
  }
}

/** Sets all pets of a batch back, if nobody has changed one of them since. */
export async function undoChanges(store: StockStore, { rows }: InventoryBatchResult): Promise<void> {
  const changes = rows.flatMap(({ petId, before, after }): BatchChange[] => {
    if (!before || !after?.etag || before.quantity === after.quantity) return [];
    return [{ petId, quantity: before.quantity, ifMatch: after.etag, reason: 'correction' }];
  });
  if (changes.length > 0) showResult(store, await applyChanges(changes, newIdempotencyKey()));
}
