import type { StockRow } from './stock-row.ts';
import type { RowsListener, StockStore } from './stock-store.ts';
import {
  type CompareTexts,
  inOrder,
  isNarrower,
  matcher,
  matchingIndexes,
  mover,
  type PetsOfSupplier,
  type StockQuery,
  sorting,
} from './stock-view.ts';
import { Listeners } from '../listeners.ts';

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

/** When a list draws and sorts; each function returns what takes it back. */
export interface ListClock {
  /** Draws together with other changes of this moment. */
  drawSoon(draw: () => void): () => void;
  /** Goes on with a long work, after what the person does. */
  goOn(work: () => void): () => void;
  nowMs(): number;
}

/** Work between two pauses: with drawing, it leaves the page as quick as its keys. */
const WORK_MS = 12;

const EVERYTHING: StockQuery = {
  words: '',
  status: undefined,
  category: undefined,
  alert: undefined,
  isArchived: false,
  sort: 'petId',
  isDescending: false,
};

/** The rows of a store that match a query, in its order. */
export class StockList implements RowsListener {
  readonly #store: StockStore;
  readonly #clock: ListClock;
  readonly #listeners = new Listeners();
  readonly subscribe = this.#listeners.subscribe;
  readonly #moved = new Set<string>();
  #query = EVERYTHING;
  #ofSupplier: PetsOfSupplier;
  #moves = mover(EVERYTHING, undefined);
  #compareTexts: CompareTexts = (a, b) => (a < b ? -1 : Number(a > b));
  /** All rows in an order, which is that of an earlier query while the one of this query is not ready. */
  #sorted: Uint32Array | undefined;
  /** The rows that match the words themselves, in their order. */
  #matching: readonly number[] = [];
  /** The matching rows, after the pet whose code the words are. */
  #shown: readonly number[] = [];
  #stopSorting: (() => void) | undefined;
  #stopDrawing: (() => void) | undefined;
  #snapshot: StockSnapshot;

  constructor(store: StockStore, clock: ListClock) {
    this.#store = store;
    this.#clock = clock;
    const { isComplete, error } = store;
    this.#snapshot = { revision: 0, shown: [], moved: 0, isComplete, error };
    store.subscribe(this);
    this.sortAgain();
  }

  get snapshot(): StockSnapshot {
    return this.#snapshot;
  }

  get query(): StockQuery {
    return this.#query;
  }

  /** A query that is the present one changes nothing: rows stay in their places. */
  setQuery(query: StockQuery, compareTexts = this.#compareTexts): void {
    // With the query to which they belong.
    this.#addAppended();
    const before = this.#query;
    const isLanguage = compareTexts !== this.#compareTexts;
    if (!isLanguage && JSON.stringify(query) === JSON.stringify(before)) return;
    // Those of another supplier are none of this one.
    if (query.supplier !== before.supplier) this.#ofSupplier = undefined;
    this.#query = query;
    this.#moves = mover(query, this.#ofSupplier);
    this.#compareTexts = compareTexts;
    const isOrder = query.sort !== before.sort || query.isDescending !== before.isDescending;
    if (isOrder || isLanguage) this.sortAgain();
    // A row that changed meanwhile may match now, without being shown.
    else this.#show(this.#moved.size === 0 && isNarrower(query, before) ? this.#matching : undefined);
  }

  /** The pets of the supplier of the query, as soon as they are known. */
  setOfSupplier(petIds: PetsOfSupplier): void {
    if (petIds === this.#ofSupplier) return;
    this.#ofSupplier = petIds;
    this.#moves = mover(this.#query, petIds);
    this.#show();
  }

  /** Puts all rows in their places. */
  sortAgain(): void {
    this.#stopSorting?.();
    const work = sorting(this.#store.rows, this.#query, this.#compareTexts);
    const goOn = () => {
      this.#stopSorting = undefined;
      const { done, value } = this.#workOn(work);
      if (done) {
        this.#sorted = value;
        this.#show();
      } else this.#stopSorting = this.#clock.goOn(goOn);
    };
    goOn();
  }

  onAppended(): void {
    if (this.#snapshot.shown.length === 0) this.sortAgain();
    // Sorting and drawing again for each part of a load would cost more than the load.
    else if (this.#isInOrder) this.#stopDrawing ??= this.#clock.drawSoon(() => this.#change({}));
  }

  /** Whether rows are in the order in which they are read. */
  get #isInOrder(): boolean {
    return this.#query.sort === 'petId' && !this.#query.isDescending;
  }

  /** Adds the rows that were read since, which come after all others in the order of petId. */
  #addAppended(): void {
    const { rows } = this.#store;
    const first = this.#sorted?.length ?? 0;
    if (first >= rows.length || !this.#isInOrder || this.#stopSorting) return;
    this.#sorted = inOrder(rows.length);
    const added = matchingIndexes(rows, this.#sorted.subarray(first), this.#query, this.#ofSupplier);
    this.#matching = this.#matching.concat(added);
    this.#shown = this.#withCode(this.#matching);
  }

  onReplaced(before: readonly StockRow[]): void {
    // Until the new order is ready, all pets stay in the old one, and new ones are below.
    const sorted = new Uint32Array(this.#store.rows.length);
    const isKept = new Uint8Array(sorted.length);
    let end = 0;
    for (const index of this.#sorted ?? []) {
      const now = this.#store.indexOf((before[index] as StockRow).petId);
      if (now === undefined) continue;
      sorted[end++] = now;
      isKept[now] = 1;
    }
    for (const [index, kept] of isKept.entries()) if (kept === 0) sorted[end++] = index;
    this.#sorted = sorted;
    this.#show();
    this.sortAgain();
  }

  onPut(before: StockRow, after: StockRow): void {
    if (this.#moves(before, after)) this.#moved.add(after.petId);
    this.#stopDrawing ??= this.#clock.drawSoon(() => this.#change({}));
  }

  onState(): void {
    const { isComplete, error } = this.#store;
    if (isComplete && !this.#snapshot.isComplete && !this.#isInOrder) this.sortAgain();
    this.#change({ isComplete, error });
  }

  /** Sorts until it is done or a pause is due. */
  #workOn(work: Generator<undefined, Uint32Array>): IteratorResult<undefined, Uint32Array> {
    const untilMs = this.#clock.nowMs() + WORK_MS;
    let step = work.next();
    while (!step.done && this.#clock.nowMs() < untilMs) step = work.next();
    return step;
  }

  /** @param among Indexes of all rows that may match, in their order. */
  #show(among: Uint32Array | readonly number[] | undefined = this.#sorted): void {
    if (!among) return;
    this.#moved.clear();
    this.#matching = matchingIndexes(this.#store.rows, among, this.#query, this.#ofSupplier);
    this.#shown = this.#withCode(this.#matching);
    this.#change({});
  }

  /** The pet whose code is searched comes first, also where its words are others. */
  #withCode(shown: readonly number[]): readonly number[] {
    const row = this.#store.findCode(this.#query.words);
    if (!row || !matcher({ ...this.#query, words: '' }, this.#ofSupplier)(row)) return shown;
    const index = this.#store.indexOf(row.petId) as number;
    return [index, ...shown.filter((other) => other !== index)];
  }

  #change(fields: Partial<StockSnapshot>): void {
    this.#stopDrawing?.();
    this.#stopDrawing = undefined;
    this.#addAppended();
    const { revision } = this.#snapshot;
    this.#snapshot = {
      ...this.#snapshot,
      ...fields,
      shown: this.#shown,
      moved: this.#moved.size,
      revision: revision + 1,
    };
    for (const listener of this.#listeners) listener();
  }
}
