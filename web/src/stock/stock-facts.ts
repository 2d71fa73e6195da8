import type { StockRow } from './stock-row.ts';
import type { RowsListener, StockStore } from './stock-store.ts';

/** How many pets, alerts and categories a store has. A change counts its row, not all of them. */
export class StockFacts implements RowsListener {
  readonly #store: StockStore;
  readonly #categories = new Map<string, number>();
  #names: readonly string[] | undefined;
  #counted = 0;
  #pets = 0;
  #alerts = 0;
  #skus = 0;

  constructor(store: StockStore) {
    this.#store = store;
    store.subscribe(this);
    this.onAppended();
  }

  /** Pets that are not archived. */
  get pets(): number {
    return this.#pets;
  }

  get alerts(): number {
    return this.#alerts;
  }

  /** Whether the shop uses SKUs. */
  get hasSkus(): boolean {
    return this.#skus > 0;
  }

  /** The array keeps its identity until a category comes or goes. */
  get categories(): readonly string[] {
    this.#names ??= [...this.#categories.keys()];
    return this.#names;
  }

  onAppended(): void {
    for (; this.#counted < this.#store.rows.length; this.#counted += 1)
      this.#add(this.#store.at(this.#counted), 1);
  }

  onReplaced(): void {
    this.#categories.clear();
    this.#names = undefined;
    this.#counted = 0;
    this.#pets = 0;
    this.#alerts = 0;
    this.#skus = 0;
    this.onAppended();
  }

  onPut(before: StockRow, after: StockRow): void {
    this.#add(after, 1);
    this.#add(before, -1);
  }

  onState(): void {}

  #add({ category, alertLevel, archivedAtMs, sku }: StockRow, count: 1 | -1): void {
    if (sku !== null) this.#skus += count;
    if (category !== null) {
      const known = this.#categories.get(category) ?? 0;
      if (known + count === 0) this.#categories.delete(category);
      else this.#categories.set(category, known + count);
      if (known === 0 || known + count === 0) this.#names = undefined;
    }
    if (archivedAtMs !== null) return;
    this.#pets += count;
    if (alertLevel !== null) this.#alerts += count;
  }
}

/** The units of chosen pets. They are added when others are chosen; a change adds its difference. */
export class ChosenUnits implements RowsListener {
  readonly #store: StockStore;
  #petIds: ReadonlySet<string> | undefined;
  #units = 0;

  constructor(store: StockStore) {
    this.#store = store;
    store.subscribe(this);
  }

  /** @param petIds A set that does not change. */
  of(petIds: ReadonlySet<string>): number {
    if (petIds !== this.#petIds) {
      this.#petIds = petIds;
      this.#units = 0;
      for (const petId of petIds) this.#units += this.#store.find(petId)?.quantity ?? 0;
    }
    return this.#units;
  }

  onAppended(): void {
    this.#petIds = undefined;
  }

  onReplaced(): void {
    this.#petIds = undefined;
  }

  onPut(before: StockRow, after: StockRow): void {
    if (this.#petIds?.has(after.petId)) this.#units += after.quantity - before.quantity;
  }

  onState(): void {}
}
