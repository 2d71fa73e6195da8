import { isDeletion } from '@petstore-inventory/shared/deletion';
import type { Movement } from '../api/schemas.ts';
import { Pauses } from '../live/pauses.ts';
import { barcodeEntry, bareCode, petIdOf, skuEntry } from './codes.ts';
import { afterMovement, type StockRow } from './stock-row.ts';
import { Listeners } from '../listeners.ts';

export interface RowsListener {
  /** Rows were added at the end. */
  onAppended(): void;
  /** All rows are other objects, perhaps of other pets. */
  onReplaced(before: readonly StockRow[]): void;
  onPut(before: StockRow, after: StockRow): void;
  /** All rows are there, or reading them has failed. */
  onState(): void;
}

/** All pets, in the order of petId. */
export class StockStore {
  #rows: StockRow[] = [];
  #indexes = new Map<string, number>();
  /** The petIds by code, made when a code is searched. */
  #codes: Map<string, string> | undefined;
  readonly #listeners = new Listeners<RowsListener>();
  readonly subscribe = this.#listeners.subscribe;
  readonly #pause: (() => Promise<void>) | undefined;
  /** The versions of pets that were deleted, so that a reading that began before does not bring them back. */
  readonly #deleted = new Map<string, number>();
  /** Rows that have changed since they were read. */
  readonly #changed = new WeakSet<StockRow>();
  /** The versions at which details of pets were put, such as a name, which a list of before does not have. */
  readonly #detailed = new Map<string, number>();
  #isComplete = false;
  #keptAtMs: number | undefined;
  #error: unknown;

  constructor(pause?: () => Promise<void>) {
    this.#pause = pause;
  }

  get rows(): readonly StockRow[] {
    return this.#rows;
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Why the rows could not be read. */
  get error(): unknown {
    return this.#error;
  }

  /** When the browser read the rows, if they are of an earlier visit because the service is not reached. */
  get keptAtMs(): number | undefined {
    return this.#keptAtMs;
  }

  indexOf(petId: string): number | undefined {
    return this.#indexes.get(petId);
  }

  find(petId: string): StockRow | undefined {
    const index = this.indexOf(petId);
    return index === undefined ? undefined : this.#rows[index];
  }

  /** The pet with this barcode, in any form of a GTIN, or with this SKU. */
  findCode(code: string): StockRow | undefined {
    const bare = bareCode(code.trim());
    if (bare === '') return undefined;
    this.#codes ??= codesOf(this.#rows);
    const petId = this.#codes.get(barcodeEntry(bare)) ?? this.#codes.get(skuEntry(bare));
    return petId === undefined ? undefined : this.find(petId);
  }

  /** The pet that a label names: by a code, or by its petId, perhaps with zeros before it. */
  findScanned(code: string): StockRow | undefined {
    return this.findCode(code) ?? this.find(petIdOf(code) ?? '');
  }

  at(index: number): StockRow {
    return this.#rows[index] as StockRow;
  }

  /** Adds the next rows of a load, whose petIds come after all others. */
  append(rows: readonly StockRow[]): void {
    this.#codes = undefined;
    for (const row of rows) {
      if (this.#isDeleted(row)) continue;
      this.#indexes.set(row.petId, this.#rows.length);
      this.#rows.push(row);
    }
    for (const listener of this.#listeners) listener.onAppended();
  }

  /** @param keptAtMs Set for rows of an earlier visit. */
  complete(keptAtMs?: number): void {
    this.#isComplete = true;
    this.#keptAtMs = keptAtMs;
    this.#error = undefined;
    for (const listener of this.#listeners) listener.onState();
  }

  fail(error: unknown): void {
    this.#error = error;
    for (const listener of this.#listeners) listener.onState();
  }

  /** Reads all rows again, such as after movements that were missed. A row that is newer here stays. */
  async replaceBy(load: (onRows: (rows: StockRow[]) => void) => Promise<void>): Promise<void> {
    const loaded: StockRow[] = [];
    await load((rows) => {
      for (const row of rows) loaded.push(row);
    });
    const rows: StockRow[] = [];
    const indexes = new Map<string, number>();
    const changed = new Set<string>();
    const stopWatching = this.#watchPuts(changed);
    await new Pauses(this.#pause).each(loaded, (part) => {
      for (const row of part) {
        if (this.#isDeleted(row)) continue;
        indexes.set(row.petId, rows.length);
        rows.push(this.#newer(row));
      }
    });
    stopWatching();
    for (const petId of changed) {
      const index = indexes.get(petId);
      if (index !== undefined) rows[index] = this.#newer(rows[index] as StockRow);
    }
    this.#replace(rows.filter((row) => !this.#isDeleted(row)));
  }

  #replace(rows: StockRow[]): void {
    const before = this.#rows;
    this.#rows = rows;
    this.#indexes = new Map(rows.map(({ petId }, index) => [petId, index]));
    this.#codes = undefined;
    for (const listener of this.#listeners) listener.onReplaced(before);
  }

  #isDeleted({ petId, version }: StockRow): boolean {
    return version <= (this.#deleted.get(petId) ?? 0);
  }

  /** Whether a row is still that of an earlier visit. Its version may be of a ledger that a restored backup has replaced. */
  #isKept(row: StockRow): boolean {
    return this.#keptAtMs !== undefined && !this.#changed.has(row);
  }

  /** Collects the petIds that change. */
  #watchPuts(changed: Set<string>): () => void {
    const nothing = () => {};
    return this.subscribe({
      onAppended: nothing,
      onReplaced: nothing,
      onState: nothing,
      onPut: (_before, { petId }) => void changed.add(petId),
    });
  }

  /** A row that was read, with the stock and the details that are here if they are newer. */
  #newer(row: StockRow): StockRow {
    const known = this.find(row.petId);
    if (!known || known.version < row.version || this.#isKept(known)) return row;
    if ((this.#detailed.get(row.petId) ?? 0) > row.version) return known;
    const newer = { ...row, ...stockOf(known) };
    this.#changed.add(newer);
    return newer;
  }

  /** Replaces a row by a newer state of it, in its place. */
  put(row: StockRow): void {
    const index = this.indexOf(row.petId);
    if (index === undefined) return;
    const before = this.#rows[index] as StockRow;
    this.#rows[index] = row;
    this.#changed.add(row);
    if (!hasSameDetails(before, row)) this.#detailed.set(row.petId, row.version);
    if (before.sku !== row.sku || before.barcodes.join() !== row.barcodes.join()) this.#codes = undefined;
    for (const listener of this.#listeners) listener.onPut(before, row);
  }

  /**
   * Applies a movement. Returns `false` if the row is not known.
   * @param isOwn Whether this page made the change, so that it is no news.
   */
  apply(movement: Movement, isOwn: (row: StockRow) => boolean): boolean {
    const row = this.find(movement.petId);
    if (isDeletion(movement)) {
      this.#deleted.set(movement.petId, movement.version);
      if (row && this.#isDeleted(row)) this.#replace(this.#rows.filter((other) => other !== row));
      return true;
    }
    if (!row) return false;
    if (movement.version < row.version && !this.#isKept(row)) return true;
    const isNews = movement.version > row.version && !isOwn(row);
    this.put(afterMovement(row, movement, isNews ? Date.now() : row.flashedAtMs));
    return true;
  }
}

function codesOf(rows: readonly StockRow[]): Map<string, string> {
  const codes = new Map<string, string>();
  for (const { petId, sku, barcodes } of rows) {
    if (sku !== null) codes.set(skuEntry(sku), petId);
    for (const barcode of barcodes) codes.set(barcodeEntry(barcode), petId);
  }
  return codes;
}

const hasSameDetails = (a: StockRow, b: StockRow): boolean =>
  a.name === b.name &&
  a.category === b.category &&
  a.sku === b.sku &&
  a.lowStockAt === b.lowStockAt &&
  a.restockAt === b.restockAt &&
  a.barcodes.join('\n') === b.barcodes.join('\n');

function stockOf(row: StockRow) {
  const { quantity, reserved, status, alertLevel, version, lastSequence, updatedAtMs, flashedAtMs } = row;
  return { quantity, reserved, status, alertLevel, version, lastSequence, updatedAtMs, flashedAtMs };
}
