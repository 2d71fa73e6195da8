import { newIdempotencyKey } from '../../../api/client.ts';
import type { BatchChange, BatchRow, InventoryBatchResult, Reason } from '../../../api/schemas.ts';
import { PartlyUndone } from '../../../components/toast/partly-undone.ts';
import { Pauses } from '../../../live/pauses.ts';
import { stateOfTag } from '../../../stock/stock-row.ts';
import type { StockStore } from '../../../stock/stock-store.ts';
import type { Texts } from '../../../texts/en.ts';
import type { Format } from '../../../texts/format.ts';
import { applyChanges } from '../stock-api.ts';

export interface Adjustment {
  readonly mode: 'add' | 'set';
  readonly value: number;
  readonly reason: Reason;
  readonly note: string | undefined;
}

interface RefusalWords {
  readonly stock: Pick<Texts['stock'], 'promised' | 'tooFew'>;
  readonly format: Pick<Format, 'quantity'>;
  readonly errorText: (error: unknown) => string;
}

export function changesOf(
  petIds: readonly string[],
  { mode, value, reason, note }: Adjustment,
): BatchChange[] {
  const explanation = { reason, ...(note !== undefined && { note }) };
  return petIds.map((petId) =>
    mode === 'add' ? { petId, delta: value, ...explanation } : { petId, quantity: value, ...explanation },
  );
}

/** The quantity of a pet after the change; `undefined`: it has too few units. */
export function afterOf(before: number, { mode, value }: Adjustment): number | undefined {
  const after = mode === 'set' ? value : before + value;
  return after < 0 ? undefined : after;
}

/** Why a pet cannot be changed, as a sentence; `undefined`: it can. */
export function refusalOf(
  planned: BatchRow | undefined,
  adjustment: Adjustment | undefined,
  { stock, format, errorText }: RefusalWords,
): string | undefined {
  if (!planned || planned.code === 'done') return undefined;
  const { code, before } = planned;
  if (code !== 'insufficient_stock' || !before) return errorText(planned);
  // Units that are there, and that orders have reserved.
  const isReserved = adjustment !== undefined && afterOf(before.quantity, adjustment) !== undefined;
  return isReserved
    ? stock.promised(format.quantity(before.reserved))
    : stock.tooFew(format.quantity(before.quantity));
}

/** Shows the result of a batch in the table. */
export const showResult = (
  store: StockStore,
  { rows }: InventoryBatchResult,
  pauses: Pauses,
): Promise<void> =>
  pauses.each(rows, (part) => {
    for (const { petId, after } of part) {
      const row = store.find(petId);
      const state = stateOfTag(after?.etag ?? '');
      if (!row || !after || !state || row.version > state.version) continue;
      store.put({
        ...row,
        ...state,
        quantity: after.quantity,
        reserved: after.reserved,
        status: after.status,
      });
    }
  });

/** Undoes a bulk change, batch by batch, the last one first. */
export class BulkUndo {
  readonly #store: StockStore;
  /** With their idempotency keys: a batch whose answer was lost is set back once. */
  readonly #batches: { readonly changes: readonly BatchChange[]; readonly key: string }[] = [];

  readonly #pauses: Pauses;
  readonly #apply: typeof applyChanges;
  /** Pets that are set back. */
  #done = 0;

  constructor(store: StockStore, apply = applyChanges, pauses = new Pauses()) {
    this.#store = store;
    this.#apply = apply;
    this.#pauses = pauses;
  }

  get petIds(): readonly string[] {
    return this.#batches.flatMap(({ changes }) => changes.map(({ petId }) => petId));
  }

  /** Reverts of what a batch did: only a revert takes a sale, or the arrival of ordered units, back everywhere. */
  add({ rows }: InventoryBatchResult): void {
    const changes = rows.flatMap(({ petId, before, after, sequence }): BatchChange[] => {
      if (!before || !after?.etag || sequence === null || before.quantity === after.quantity) return [];
      // In that state the pet is again as it was before, also where that was less than is reserved.
      return [{ petId, revert: sequence, ifMatch: after.etag, takeReserved: true }];
    });
    if (changes.length > 0) this.#batches.push({ changes, key: newIdempotencyKey() });
  }

  /**
   * Sets the batches back, the newest first. The service refuses a batch of which a pet has changed since.
   * @throws ApiError if nothing is set back. @throws PartlyUndone if some batches are.
   */
  async run(): Promise<void> {
    for (let batch = this.#batches.at(-1); batch; batch = this.#batches.at(-1)) {
      try {
        const result = await this.#apply(batch.changes, batch.key);
        await showResult(this.#store, result, this.#pauses);
      } catch (error) {
        throw this.#done === 0 ? error : new PartlyUndone(this.#done, this.petIds.length, error);
      }
      this.#done += batch.changes.length;
      this.#batches.pop();
    }
  }
}
