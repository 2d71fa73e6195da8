import { MAX_QUANTITY } from '@petstore-inventory/shared/limits';
import { OperatorError } from '../../domain/errors.ts';
import type { Author, Explanation } from '../../domain/ledger/ledger.ts';
import type { StockRules } from '../../domain/ledger/ledger-transaction.ts';
import type { Stocktake, StocktakeLine } from '../../domain/management/stocktakes.ts';
import {
  KEY_REUSED,
  type SingleResult,
  type WriteOutcome,
  type WriteRequest,
} from '../../domain/write-command.ts';
import { batchesOf } from '../batches.ts';
import { decodeOutcome, type StoredOutcome } from '../idempotency/records.ts';
import { readPets } from '../pets/read-pets.ts';
import { Obstacles } from '../stocktakes/obstacles.ts';
import { revertOrder } from '../stocktakes/revert-order.ts';
import { type CountedPet, forCountedPets } from '../stocktakes/stocktake-lines.ts';
import type { AdminEngine } from './admin-engine.ts';

/** Pets per write of a close or an undo. */
const PETS_PER_WRITE = 500;

/** The outcome of a write that was executed, now or by an earlier request with the same key. */
type Executed = Exclude<WriteOutcome, { readonly kind: 'key_reused' }>;

/** The movements of stock-takes, within a transaction of the caller that has the lock of the ledger. */
export class StocktakeWrites {
  readonly #engine: Pick<AdminEngine, 'all' | 'writeWithin'>;
  readonly #rules: StockRules;

  constructor(engine: Pick<AdminEngine, 'all' | 'writeWithin'>, rules: StockRules) {
    this.#engine = engine;
    this.#rules = rules;
  }

  /** @throws OperatorError `idempotency_key_reused`. */
  async execute(request: WriteRequest): Promise<Executed> {
    const [outcome] = await this.#engine.writeWithin([request], this.#rules);
    if (!outcome) throw new Error('A write has no outcome.');
    return executed(outcome);
  }

  /**
   * Posts the differences that are not posted yet.
   * @returns The number of pets.
   * @throws OperatorError as `StocktakeStore.close`.
   */
  async postAll(stocktake: Stocktake, author: Author): Promise<number> {
    const obstacles = new Obstacles(this.#rules.maxQuantity);
    let posted = 0;
    await forCountedPets(this.#engine, stocktake, async (pets) => {
      const lines = pets.flatMap(({ line }) => line ?? []);
      const open = lines.filter((line) => line.unposted !== 0);
      for (const some of batchesOf(open, PETS_PER_WRITE)) {
        await this.#post(some, { id: stocktake.id, author, obstacles });
      }
      posted += open.length;
    });
    obstacles.refuse('closed');
    return posted;
  }

  /**
   * Reverts all that a stock-take changes in the stock.
   * @returns The number of movements.
   * @throws OperatorError as `StocktakeStore.undo`.
   */
  async revertAll(stocktake: Stocktake, author: Author, ended: 'undone' | 'cancelled'): Promise<number> {
    const obstacles = new Obstacles(this.#rules.maxQuantity);
    let movements = 0;
    await forCountedPets(this.#engine, stocktake, async (pets) => {
      const changed = pets.filter(({ effective }) => effective.length > 0);
      for (const some of batchesOf(changed, PETS_PER_WRITE)) {
        movements += await this.#revert(some, { id: stocktake.id, author, obstacles });
      }
    });
    obstacles.refuse(ended);
    return movements;
  }

  async #post(lines: readonly StocktakeLine[], { id, author, obstacles }: Writing): Promise<void> {
    const changes = lines.map((line) => ({
      kind: 'adjust' as const,
      petId: line.petId,
      delta: line.unposted,
      takesReserved: true,
      explanation: explanationOf(id),
    }));
    const command = { kind: 'batch', changes, errorPolicy: 'reject_everything', isDryRun: false } as const;
    const { result } = await this.execute({ command, author });
    if (result.kind !== 'batch' || result.code === 'done') return;
    for (const [i, { petId, code, before }] of result.rows.entries()) {
      if (code !== 'done') obstacles.add(petId, before?.quantity ?? 0, [changes[i]?.delta ?? 0]);
    }
  }

  /** Returns the number of movements. Only the result has the limits of a quantity, not each revert before it. */
  async #revert(pets: readonly CountedPet[], { id, author, obstacles }: Writing): Promise<number> {
    const found = await readPets(
      this.#engine,
      pets.map(({ petId }) => petId),
    );
    const quantityOf = (petId: bigint) => found.get(petId)?.quantity ?? 0;
    const reverts = pets.flatMap(({ petId, effective }) => revertOrder(quantityOf(petId), effective));
    const explanation = { ...explanationOf(id), reason: 'correction' as const };
    const requests = reverts.map(({ sequence }) => ({
      command: { kind: 'revert' as const, sequence, explanation, takesReserved: true },
      author,
    }));
    const outcomes = await this.#engine.writeWithin(requests, { ...this.#rules, maxQuantity: MAX_QUANTITY });
    const results = outcomes.map((outcome) => executed(outcome).result as SingleResult);
    let next = 0;
    for (const { petId, effective } of pets) {
      const own = results.slice(next, next + effective.length);
      next += effective.length;
      const quantity = quantityOf(petId);
      const most = Math.max(this.#rules.maxQuantity, quantity);
      const isDone = own.every(({ code }) => code === 'done');
      if (isDone && (own.at(-1)?.stock?.quantity ?? 0) <= most) continue;
      const returned = effective.map(({ delta }) => -delta);
      obstacles.add(petId, quantity, returned);
    }
    return reverts.length;
  }
}

/** What the writes of a close, an undo or a cancel share. */
interface Writing {
  /** That of the stock-take. */
  readonly id: string;
  readonly author: Author;
  readonly obstacles: Obstacles;
}

/** The explanation of each movement of a stock-take. */
export function explanationOf(id: string): Explanation {
  return {
    reason: 'cycle_count',
    note: null,
    referenceDocumentUri: null,
    referenceId: id,
    occurredAtMs: null,
  };
}

function executed(stored: StoredOutcome): Executed {
  const outcome = decodeOutcome(stored);
  if (outcome.kind !== 'key_reused') return outcome;
  throw new OperatorError(KEY_REUSED, { code: 'idempotency_key_reused' });
}
