import type { Movement } from '../api/schemas.ts';
import { afterMovement, type StockRow } from './stock-row.ts';
import { matchingIndexes, mayMove, type StockQuery, sortedIndexes } from './stock-view.ts';

export interface StockSnapshot {
  /** Grows with each change. */
  readonly revision: number;
  /** Indexes of the rows that show, in their order. */
  readonly shown: readonly number[];
  /** Rows that would be elsewhere, or not there, if the table were sorted again. */
  readonly moved: number;
  readonly isComplete: boolean;
  readonly error: unknown;
}

const EVERYTHING: StockQuery = {
  words: '',
  status: undefined,
  category: undefined,
  alert: undefined,
  isArchived: false,
  sort: 'petId',
  isDescending: false,
};

/** Draws soon, together with other changes. @returns What takes it back. */
type DrawSoon = (draw: () => void) => () => void;

/** All pets of the page, in the order of petId, and those of them that show. */
export class StockStore {
  #rows: StockRow[] = [];
  #indexes = new Map<string, number>();
  #query = EVERYTHING;
  #sorted: Uint32Array | undefined;
  readonly #moved = new Set<string>();
  readonly #listeners = new Set<() => void>();
  #snapshot: StockSnapshot = { revision: 0, shown: [], moved: 0, isComplete: false, error: undefined };
  readonly #drawSoon: DrawSoon;
  #stopDrawing: (() => void) | undefined;

  constructor(drawSoon: DrawSoon) {
    this.#drawSoon = drawSoon;
  }

  get snapshot(): StockSnapshot {
    return this.#snapshot;
  }

  get query(): StockQuery {
    return this.#query;
  }

  get rows(): readonly StockRow[] {
    return this.#rows;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  find(petId: string): StockRow | undefined {
    const index = this.#indexes.get(petId);
    return index === undefined ? undefined : this.#rows[index];
  }

  at(index: number): StockRow {
    return this.#rows[index] as StockRow;
  }

  /** Adds the next rows of a load, whose petIds come after all others. */
  append(rows: readonly StockRow[]): void {
    for (const row of rows) {
      this.#indexes.set(row.petId, this.#rows.length);
      this.#rows.push(row);
    }
    this.#sorted = undefined;
    // Sorting again for each part of a load would cost more than the load.
    const isInOrder = this.#query.sort === 'petId' && !this.#query.isDescending;
    if (isInOrder || this.#snapshot.shown.length === 0) this.#show();
  }

  complete(): void {
    this.#show();
    this.#change({ isComplete: true, error: undefined });
  }

  fail(error: unknown): void {
    this.#change({ error });
  }

  /** Reads all rows again, such as after movements that were missed. A row that is newer here stays. */
  async replaceBy(load: (onRows: (rows: StockRow[]) => void) => Promise<void>): Promise<void> {
    const loaded: StockRow[] = [];
    await load((rows) => {
      for (const row of rows) loaded.push(row);
    });
    this.#rows = loaded.map((row) => {
      const known = this.find(row.petId);
      return known && known.version >= row.version ? { ...row, ...stockOf(known) } : row;
    });
    this.#indexes = new Map(this.#rows.map(({ petId }, index) => [petId, index]));
    this.sortAgain();
  }

  setQuery(query: StockQuery): void {
    if (query.sort !== this.#query.sort || query.isDescending !== this.#query.isDescending)
      this.#sorted = undefined;
    this.#query = query;
    this.#show();
  }

  /** Puts all rows in their places. */
  sortAgain(): void {
    this.#sorted = undefined;
    this.#show();
  }

  /** Replaces a row by a newer state of it, in its place. */
  put(row: StockRow): void {
    const index = this.#indexes.get(row.petId);
    if (index === undefined) return;
    const before = this.#rows[index] as StockRow;
    if (mayMove(this.#query, before, row)) this.#moved.add(row.petId);
    this.#rows[index] = row;
    this.#changeSoon();
  }

  /**
   * Applies a movement. Returns `false` if the row is not known.
   * @param isOwn Whether this page made the change, so that it is no news.
   */
  apply(movement: Movement, isOwn: (row: StockRow) => boolean): boolean {
    const row = this.find(movement.petId);
    if (!row) return false;
    if (movement.version < row.version) return true;
    const isNews = movement.version > row.version && !isOwn(row);
    this.put(afterMovement(row, movement, isNews ? Date.now() : row.flashedAtMs));
    return true;
  }

  #show(): void {
    this.#sorted ??= sortedIndexes(this.#rows, this.#query.sort, this.#query.isDescending);
    this.#moved.clear();
    this.#change({ shown: matchingIndexes(this.#rows, this.#sorted, this.#query) });
  }

  /** Draws many changes of one moment together. */
  #changeSoon(): void {
    this.#stopDrawing ??= this.#drawSoon(() => this.#change({}));
  }

  #change(fields: Partial<StockSnapshot>): void {
    this.#stopDrawing?.();
    this.#stopDrawing = undefined;
    const { revision } = this.#snapshot;
    this.#snapshot = { ...this.#snapshot, ...fields, moved: this.#moved.size, revision: revision + 1 };
    for (const listener of this.#listeners) listener();
  }
}

/** What movements change in a row. */
function stockOf(row: StockRow) {
  const { quantity, reserved, status, alertLevel, version, lastSequence, updatedAtMs, flashedAtMs } = row;
  return { quantity, reserved, status, alertLevel, version, lastSequence, updatedAtMs, flashedAtMs };
}
