import { MAX_BATCH_ROWS } from '@petstore-inventory/shared/limits';
import { ApiError } from '../../api/api-error.ts';
import type { BatchChange, BatchRow, InventoryBatchResult, Reorder } from '../../api/schemas.ts';
import { PartlyUndone } from '../../components/toast/partly-undone.ts';

/** The requests of a delivery. Each throws ApiError. */
export interface DeliveryCalls {
  /** Changes nothing, and returns the stock of each pet. */
  preview(changes: readonly BatchChange[]): Promise<InventoryBatchResult>;
  readReorders(petIds: readonly string[]): Promise<readonly Reorder[]>;
  /** Applies the changes that are not refused. */
  apply(changes: readonly BatchChange[], key: string): Promise<InventoryBatchResult>;
  newKey(): string;
}

/** A pet whose units were not received. */
export interface RefusedPet {
  readonly row: Reorder;
  /** Another person changed its order, or received units of it, or this one did with an answer that was lost. */
  readonly now?: Reorder;
  /** Any other reason. */
  readonly error?: ApiError;
}

interface Arrival {
  readonly petId: string;
  readonly delta: number;
  readonly reason: 'received';
  readonly ifMatch?: string;
}

interface Batch {
  readonly arrivals: readonly Arrival[];
  readonly key: string;
}

/** Attempts to add units to the stock of pets that other people change at the same time. */
const ATTEMPTS = 5;

/**
 * Ordered units of many pets that arrive. A pet is received only with the order that the person saw: the tag of its stock is
 * read before its order, so that units that another person receives in between refuse it.
 */
export class Delivery {
  readonly #rows: readonly Reorder[];
  readonly #calls: DeliveryCalls;
  readonly #batchPets: number;
  /** By petId, where it is newer than the row. */
  readonly #seen = new Map<string, Reorder>();
  /** Movements of received units by petId. The next attempt leaves these pets out. */
  readonly #received = new Map<string, number>();
  /** Sent without an answer: it may be applied, and is sent again under its key. */
  #unanswered: Batch | undefined;

  constructor(rows: readonly Reorder[], calls: DeliveryCalls, batchPets: number = MAX_BATCH_ROWS) {
    this.#rows = rows;
    this.#calls = calls;
    this.#batchPets = batchPets;
  }

  /** Pets whose units are received. */
  get pets(): number {
    return this.#received.size;
  }

  /**
   * Receives what is left.
   * @param units Of a single pet; without it, all that are on their way.
   * @returns Pets that are refused; the others are received. The caller names the first: of the others, the next attempt
   *   refuses again what the person has not seen.
   * @throws ApiError What is left stays for the next attempt.
   */
  async receive(onProgress: () => void, units?: number): Promise<readonly RefusedPet[]> {
    // Whether other units than those that the person counts now have arrived, shows their order.
    if (units !== undefined && units !== this.#unanswered?.arrivals[0]?.delta) this.#unanswered = undefined;
    if (this.#unanswered) await this.#apply(this.#unanswered);
    const isLeft = (row: Reorder) =>
      !this.#received.has(row.petId) && (units ?? this.#expected(row).outstanding) > 0;
    const left = this.#rows.filter(isLeft);
    const refused: RefusedPet[] = [];
    for (let start = 0; start < left.length; start += this.#batchPets) {
      let part: readonly Reorder[] = left.slice(start, start + this.#batchPets);
      for (let attempt = 1; part.length > 0; attempt += 1) {
        part = await this.#attempt(part, { units, refused, isLast: attempt === ATTEMPTS });
      }
      onProgress();
    }
    // An order that has changed is named before any other refusal, which may be for good.
    const ordered = refused.toSorted((a, b) => Number(!a.now) - Number(!b.now));
    for (const [i, { row, now }] of ordered.entries())
      if (now && (i === 0 || now.outstanding === 0)) this.#seen.set(row.petId, now);
    return ordered;
  }

  /** @returns Pets whose stock has changed between the preview and the change. */
  async #attempt(
    rows: readonly Reorder[],
    { units, refused, isLast }: { units: number | undefined; refused: RefusedPet[]; isLast: boolean },
  ): Promise<readonly Reorder[]> {
    const arrivals = rows.map((row) => arrivalOf(row, units ?? this.#expected(row).outstanding));
    const preview = await this.#calls.preview(arrivals);
    const read = await this.#calls.readReorders(rows.map(({ petId }) => petId));
    const reorders = new Map(read.map((row) => [row.petId, row]));
    const open = arrivals.flatMap((arrival, i) => {
      const [row, result] = [rows[i] as Reorder, preview.rows[i] as BatchRow];
      const now = reorders.get(row.petId);
      if (!now || result.code !== 'done') {
        refused.push({ row, error: refusalOf(result) });
        return [];
      }
      if (!isSameOrder(now, this.#expected(row))) {
        refused.push({ row, now });
        return [];
      }
      return [{ ...arrival, ifMatch: result.before?.etag ?? '' }];
    });
    if (open.length === 0) return [];
    const results = await this.#apply({ arrivals: open, key: this.#calls.newKey() });
    const again = new Set<string>();
    for (const result of results) {
      if (result.code === 'done') continue;
      if (result.code === 'precondition_failed' && !isLast) again.add(result.petId);
      else
        refused.push({
          row: rows.find(({ petId }) => petId === result.petId) as Reorder,
          error: refusalOf(result),
        });
    }
    return rows.filter(({ petId }) => again.has(petId));
  }

  async #apply(batch: Batch): Promise<readonly BatchRow[]> {
    this.#unanswered = batch;
    try {
      const { rows } = await this.#calls.apply(batch.arrivals, batch.key);
      for (const { petId, sequence } of rows) if (sequence !== null) this.#received.set(petId, sequence);
      this.#unanswered = undefined;
      return rows;
    } catch (error) {
      if (!(error instanceof ApiError && error.isUnsure)) this.#unanswered = undefined;
      throw error;
    }
  }

  #expected(row: Reorder): Reorder {
    return this.#seen.get(row.petId) ?? row;
  }

  /**
   * Takes the received units back: they are on their way again.
   * @throws ApiError if nothing is taken back. @throws PartlyUndone if some units are.
   */
  async undo(): Promise<void> {
    const all = [...this.#received].map(([petId, revert]) => ({ petId, revert }));
    let done = 0;
    let refusal: unknown;
    for (let start = 0; start < all.length; start += this.#batchPets) {
      try {
        const { rows } = await this.#calls.apply(
          all.slice(start, start + this.#batchPets),
          this.#calls.newKey(),
        );
        for (const result of rows) {
          if (result.code === 'done') done += 1;
          else refusal ??= refusalOf(result);
        }
      } catch (error) {
        refusal ??= error;
      }
    }
    if (refusal === undefined) return;
    throw done === 0 ? refusal : new PartlyUndone(done, all.length - done, refusal);
  }
}

const arrivalOf = ({ petId }: Reorder, delta: number): Arrival => ({ petId, delta, reason: 'received' });

/** Why a row is refused, as the error of a single change. */
const refusalOf = ({ code, message }: BatchRow): ApiError =>
  new ApiError(code === 'done' ? 'not_found' : code, message ?? '', 409);

/** Whether the same units are on their way. */
const isSameOrder = (a: Reorder, b: Reorder): boolean =>
  a.orderedAt === b.orderedAt && a.received === b.received && a.outstanding === b.outstanding;
