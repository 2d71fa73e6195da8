import { MAX_BATCH_ROWS } from '@petstore-inventory/shared/limits';
import { isApiError } from '../../../api/api-error.ts';
import type { BatchChange, BatchRow, InventoryBatchResult } from '../../../api/schemas.ts';

/** The requests of a bulk change. Each function throws ApiError. */
interface BulkCalls {
  preview(changes: readonly BatchChange[], signal: AbortSignal): Promise<InventoryBatchResult>;
  /** Applies all changes or none, if nothing that they touch has changed since the preview. */
  apply(changes: readonly BatchChange[], key: string, planId: string): Promise<InventoryBatchResult>;
  newKey(): string;
}

interface Batch {
  readonly petIds: readonly string[];
  /** One key for all attempts until the service has refused it: what has no answer may be applied. */
  key: string;
  plan: InventoryBatchResult | undefined;
  state: 'open' | 'unanswered' | 'applied';
}

/**
 * A change of many pets, in batches. Each batch has a preview of the service, and is applied as a whole or not at all. What
 * is applied is never sent again, so that a change that stopped goes on where it was.
 */
export class BulkChange {
  readonly #calls: BulkCalls;
  readonly #changesOf: (petIds: readonly string[]) => readonly BatchChange[];
  readonly #batches: Batch[] = [];
  readonly #refused: string[] = [];

  /** @param changesOf Makes the changes of a batch when it is sent: those of all pets at each key stroke would take too long. */
  constructor(
    petIds: readonly string[],
    changesOf: (petIds: readonly string[]) => readonly BatchChange[],
    calls: BulkCalls,
    batchPets: number = MAX_BATCH_ROWS,
  ) {
    this.#calls = calls;
    this.#changesOf = changesOf;
    for (let start = 0; start < petIds.length; start += batchPets) {
      const part = petIds.slice(start, start + batchPets);
      this.#batches.push({ petIds: part, key: calls.newKey(), plan: undefined, state: 'open' });
    }
  }

  /** Pets that the service refuses to change. */
  get refused(): readonly string[] {
    return this.#refused;
  }

  /** Pets that are not changed. */
  get left(): readonly string[] {
    const open = this.#batches.filter(({ state }) => state !== 'applied');
    return open.flatMap(({ petIds }) => petIds);
  }

  get planned(): number {
    return this.#count(({ plan }) => plan !== undefined);
  }

  get applied(): number {
    return this.#count(({ state }) => state === 'applied');
  }

  /** Pets that may be changed: no answer came. */
  get unanswered(): number {
    return this.#count(({ state }) => state === 'unanswered');
  }

  /** Whether all that is left may be applied as it shows. */
  get isReady(): boolean {
    return this.#batches.length > 0 && this.#refused.length === 0 && this.#batches.every(({ plan }) => plan);
  }

  /** Whether something is applied, or may be: then the person can finish this change, and begin no other one. */
  get hasBegun(): boolean {
    return this.#batches.some(({ state }) => state !== 'open');
  }

  /** The preview of a pet, or its result; `undefined` before the service has answered. */
  rowAt(index: number): BatchRow | undefined {
    const size = this.#batches[0]?.petIds.length ?? 1;
    return this.#batches[Math.floor(index / size)]?.plan?.rows[index % size];
  }

  /** Asks for the previews that are missing. */
  async plan(signal: AbortSignal, onProgress: () => void): Promise<void> {
    for (const batch of this.#batches) {
      if (batch.plan) continue;
      const plan = await this.#calls.preview(this.#changesOf(batch.petIds), signal);
      if (signal.aborted) return;
      batch.plan = plan;
      for (const { petId, code } of plan.rows) if (code !== 'done') this.#refused.push(petId);
      onProgress();
    }
  }

  /**
   * Applies what is left, until it is done or `isStopped`.
   * @param onApplied Receives each result; the next batch waits for it.
   * @throws ApiError What is left stays; after a change of somebody else, it needs new previews.
   */
  async apply(
    onApplied: (result: InventoryBatchResult) => void | Promise<void>,
    isStopped = () => false,
  ): Promise<void> {
    for (const batch of this.#batches) {
      if (isStopped()) return;
      if (batch.state === 'applied' || !batch.plan) continue;
      try {
        const result = await this.#calls.apply(this.#changesOf(batch.petIds), batch.key, batch.plan.planId);
        batch.state = 'applied';
        batch.plan = result;
        await onApplied(result);
      } catch (error) {
        this.#note(batch, error);
        throw error;
      }
    }
  }

  #note(batch: Batch, error: unknown): void {
    if (isApiError(error) && error.isUnsure) {
      batch.state = 'unanswered';
      return;
    }
    batch.state = 'open';
    batch.key = this.#calls.newKey();
    // The preview is out of date.
    for (const left of this.#batches) if (left.state === 'open') left.plan = undefined;
    this.#refused.length = 0;
  }

  #count(isOf: (batch: Batch) => unknown): number {
    return this.#batches.reduce((sum, batch) => sum + (isOf(batch) ? batch.petIds.length : 0), 0);
  }
}
