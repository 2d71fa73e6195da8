import type { Explanation } from '../../src/domain/ledger/ledger.ts';
import type { StocktakeLine, StocktakeStore } from '../../src/domain/management/stocktakes.ts';
import type { SimulatedDatabase } from './database.ts';
import type { Truth } from './truth.ts';
import type { Violations } from './violations.ts';

const TAKES = `SELECT id, closed_sequence AS "closedSequence", posted_sequence AS "postedSequence",
undone_sequence AS "undoneSequence" FROM stocktakes`;
const NEW_MOVEMENTS = `SELECT movements.sequence, CAST(pet_id AS text) AS "petId", kind, quantity_before AS before,
quantity_after AS after, note, reference_id AS "takeId", reverted_sequence AS reverted, counted
FROM movements LEFT JOIN stocktake_counts ON stocktake_counts.sequence = movements.sequence
WHERE movements.sequence > ? AND reference_id LIKE 'stk_%' ORDER BY movements.sequence`;
const COUNTED: Explanation = {
  reason: 'cycle_count',
  note: null,
  referenceDocumentUri: null,
  referenceId: null,
  occurredAtMs: null,
};

interface MovementRow {
  readonly sequence: number;
  readonly petId: string;
  readonly kind: 'set' | 'adjust' | 'revert';
  readonly before: number;
  readonly after: number;
  readonly note: string | null;
  readonly takeId: string;
  readonly reverted: number | null;
  /** What was counted, where the count waits for the close. */
  readonly counted: number | null;
}

interface TakeRow {
  readonly id: string;
  readonly closedSequence: number | null;
  /** None of one that was cancelled. */
  readonly postedSequence: number | null;
  readonly undoneSequence: number | null;
}

type Line = Pick<StocktakeLine, 'sequence' | 'expected' | 'counted' | 'posted' | 'counts'>;

/**
 * What stock-takes may do. Each count is recorded once, and none after the close. When one closes, the ledger has changed by
 * the variance of each counted pet, and when it is undone or cancelled, by nothing. What they commit becomes part of the
 * model.
 */
export class StocktakeTruth {
  readonly #database: SimulatedDatabase;
  readonly #truth: Truth;
  readonly #violations: Violations;
  /** The movement of each count, by its note. */
  readonly #counts = new Map<string, number>();
  /** The counts and differences of each stock-take. */
  readonly #movements = new Map<string, MovementRow[]>();
  readonly #takes = new Map<string, TakeRow>();

  constructor(database: SimulatedDatabase, truth: Truth, violations: Violations) {
    this.#database = database;
    this.#truth = truth;
    this.#violations = violations;
  }

  /** Called after each commit of a thread of the management. */
  committed(): void {
    const rows = this.#database.rows<MovementRow>(NEW_MOVEMENTS, [this.#truth.sequence]);
    for (const row of rows) this.#apply(row);
    for (const take of this.#database.rows<TakeRow>(TAKES)) this.#follow(take);
  }

  /** Called when the owner gets the response of a count. */
  acknowledged(note: string, sequence: number): void {
    const isThere = this.#counts.get(note) === sequence;
    this.#violations.require(
      isThere,
      () => `The ${note} was acknowledged, but it is not movement ${sequence}.`,
    );
  }

  /** Compares the report of each stock-take with the model. */
  async compare(stocktakes: StocktakeStore): Promise<void> {
    for (const id of this.#takes.keys()) {
      const { lines } = await stocktakes.lines(id, { limit: 100 });
      for (const petId of this.#petsOf(id)) {
        const expected = JSON.stringify(this.#line(id, petId) ?? null);
        const found = lines.find((line) => line.petId === BigInt(petId));
        const got = JSON.stringify(found ? lineOf(found) : null);
        this.#violations.require(
          got === expected,
          () => `The report of a stock-take has ${got} for pet ${petId} instead of ${expected}.`,
        );
      }
    }
  }

  #apply(row: MovementRow): void {
    const { sequence, kind, note, takeId } = row;
    const isClosed = (this.#takes.get(takeId)?.closedSequence ?? null) !== null;
    if (kind === 'set') {
      const isNew = note !== null && !this.#counts.has(note);
      this.#violations.require(isNew, () => `The ${note} of a stock-take is recorded again.`);
      this.#violations.require(!isClosed, () => `The ${note} is recorded after the close of its stock-take.`);
      this.#counts.set(note ?? '', sequence);
    }
    if (kind === 'adjust') {
      this.#violations.require(!isClosed, () => 'A closed stock-take changes the stock again.');
    }
    if (kind !== 'revert') this.#movements.set(takeId, [...(this.#movements.get(takeId) ?? []), row]);
    const code = this.#truth.recorded((model, first) => change(model, row, first));
    const isAsModel = code === 'done' && this.#truth.sequence === sequence;
    this.#violations.require(
      isAsModel,
      () => `Movement ${sequence} of a stock-take is ${code} in the model.`,
    );
  }

  #follow(take: TakeRow): void {
    const { id, closedSequence, postedSequence, undoneSequence } = take;
    const before = this.#takes.get(id);
    this.#takes.set(id, take);
    const wasClosed = (before?.closedSequence ?? null) !== null;
    const wasUndone = (before?.undoneSequence ?? null) !== null;
    if (closedSequence !== null && !wasClosed && postedSequence !== null) this.#closed(id);
    if (wasClosed) {
      const isStill = closedSequence === before?.closedSequence;
      this.#violations.require(isStill, () => 'A closed stock-take is closed again.');
    }
    if (undoneSequence === null || wasUndone) return;
    for (const petId of this.#petsOf(id)) {
      const units = this.#changedBy(id, petId);
      this.#violations.require(
        units === 0,
        () => `An undone or cancelled stock-take still changes pet ${petId} by ${units}.`,
      );
    }
  }

  #closed(id: string): void {
    for (const petId of this.#petsOf(id)) {
      const line = this.#line(id, petId);
      if (!line) continue;
      const variance = line.counted - line.expected;
      this.#violations.require(
        line.posted === variance,
        () => `A stock-take closed with ${line.posted} instead of ${variance} units posted for pet ${petId}.`,
      );
    }
  }

  #petsOf(id: string): ReadonlySet<string> {
    return new Set((this.#movements.get(id) ?? []).map(({ petId }) => petId));
  }

  /** A movement, the one that reverts it, the one that reverts that, and so on. */
  #chain(sequence: number): readonly number[] {
    const reverting = this.#truth.revertOf(sequence);
    return reverting === undefined ? [sequence] : [sequence, ...this.#chain(reverting)];
  }

  /** How many units a stock-take has changed before a movement. */
  #changedBy(id: string, petId: string, beforeSequence = Number.MAX_SAFE_INTEGER): number {
    let units = 0;
    for (const row of this.#movements.get(id) ?? []) {
      if (row.petId !== petId) continue;
      const made = this.#chain(row.sequence).filter((sequence) => sequence < beforeSequence);
      if (made.length % 2 === 1) units += row.after - row.before;
    }
    return units;
  }

  #line(id: string, petId: string): Line | undefined {
    const end = this.#takes.get(id)?.undoneSequence ?? Number.MAX_SAFE_INTEGER;
    const holds = ({ sequence }: MovementRow) =>
      this.#chain(sequence).filter((one) => one <= end).length % 2 === 1;
    const counts = (this.#movements.get(id) ?? []).filter(
      (row) => row.petId === petId && row.kind === 'set' && holds(row),
    );
    const last = counts.at(-1);
    if (!last) return undefined;
    return {
      sequence: last.sequence,
      expected: last.before - this.#changedBy(id, petId, last.sequence),
      counted: last.counted ?? last.after,
      posted: this.#changedBy(id, petId),
      counts: counts.length,
    };
  }
}

function change(model: Truth['model'], { petId, kind, before, after, reverted }: MovementRow, first: number) {
  const pet = BigInt(petId);
  const explanation = COUNTED;
  if (kind === 'set') return model.change({ kind, petId: pet, quantity: after, explanation });
  if (kind === 'adjust')
    return model.change({ kind, petId: pet, delta: after - before, takesReserved: true, explanation });
  const revert = { kind, sequence: (reverted ?? 0) - first, takesReserved: true, explanation };
  // Reverts of a pet that was counted again may go above the largest quantity in between.
  return model.revert(revert, Number.MAX_SAFE_INTEGER);
}

function lineOf({ sequence, expected, counted, posted, counts }: StocktakeLine): Line {
  return { sequence, expected, counted, posted, counts };
}
