import { isApiError } from '../../../api/api-error.ts';
import type { Movement } from '../../../api/schemas.ts';
import type { QuantityEdit } from '../../../components/parse-quantity.ts';
import { afterMovement, type StockRow } from '../../../stock/stock-row.ts';
import type { StockStore } from '../../../stock/stock-store.ts';

/** The state of an edit: it waits for the service, or for a decision of the person. */
export type PendingEdit =
  | { readonly kind: 'saving'; readonly quantity: number }
  | {
      readonly kind: 'conflict';
      readonly quantity: number;
      /** What the person saw when the edit began. */
      readonly before: number;
      readonly theirs: Movement | undefined;
    };

/** A change that was saved, with what undoes it. */
export interface SavedEdit {
  readonly petId: string;
  readonly before: number;
  readonly after: number;
  undo(): Promise<void>;
}

/** The requests of an edit. Each function throws ApiError. */
export interface StockCalls {
  /** Sets a count, unless the pet has changed since the row. @returns What the row is then. */
  setQuantity(row: StockRow, count: number): Promise<SetStock>;
  addQuantity(petId: string, delta: number): Promise<Movement>;
  revertMovement(sequence: number): Promise<Movement>;
  readRow(petId: string): Promise<StockRow>;
  newestMovement(petId: string): Promise<Movement | undefined>;
}

type SetStock = Pick<StockRow, 'version' | 'lastSequence' | 'updatedAtMs' | 'quantity' | 'status'>;

interface EditEvents {
  onSaved(saved: SavedEdit): void;
  onFailed(row: StockRow, error: unknown): void;
}

/** Sales and restocks that leave the quantity as it was seen are no conflict, but they may go on for ever. */
const MAX_ATTEMPTS = 5;

/** The versions of a pet that this page made one after the other, and the row after them. */
interface OwnVersions {
  readonly from: number;
  readonly row: StockRow;
}

/** The edits of quantities that are not confirmed yet. They show immediately. */
export class EditBook {
  readonly #store: StockStore;
  readonly #calls: StockCalls;
  readonly #events: EditEvents;
  readonly #listeners = new Set<() => void>();
  /** The last change of each pet: another one waits for it, because it needs its tag. */
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #own = new Map<string, OwnVersions>();
  #edits: ReadonlyMap<string, PendingEdit> = new Map();

  constructor(store: StockStore, calls: StockCalls, events: EditEvents) {
    this.#store = store;
    this.#calls = calls;
    this.#events = events;
  }

  get edits(): ReadonlyMap<string, PendingEdit> {
    return this.#edits;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Whether this page changes the pet now, so that its movement is no news. */
  readonly isBusy = ({ petId }: { readonly petId: string }): boolean => this.#last.has(petId);

  /** @param seen The row as it was when the edit began: a count overwrites nothing that the person did not see. */
  save(seen: StockRow, edit: QuantityEdit): void {
    if (edit.delta === 0) return;
    const { petId } = seen;
    const shown: PendingEdit = { kind: 'saving', quantity: edit.quantity };
    this.#set(petId, shown);
    const onEnd = () => this.#edits.get(petId) === shown && this.#set(petId, undefined);
    void this.run([petId], () => this.#send(seen, edit, onEnd));
  }

  /** Drops the person's number of a conflict. */
  keepTheirs(petId: string): void {
    this.#set(petId, undefined);
  }

  /**
   * Sets the person's number over the one of somebody else.
   * @param seen The row beside which the person decided.
   */
  setMine(seen: StockRow): void {
    const edit = this.#edits.get(seen.petId);
    if (!edit) return;
    if (edit.quantity === seen.quantity) this.keepTheirs(seen.petId);
    else this.save(seen, { kind: 'set', quantity: edit.quantity, delta: edit.quantity - seen.quantity });
  }

  /** Runs a change of pets after the changes of them that are under way. */
  async run<T>(petIds: readonly string[], change: () => Promise<T>): Promise<T> {
    const before = petIds.flatMap((petId) => this.#last.get(petId) ?? []);
    const running = Promise.allSettled(before).then(change);
    for (const petId of petIds) this.#last.set(petId, running);
    try {
      return await running;
    } finally {
      for (const petId of petIds) {
        if (this.#last.get(petId) === running) this.#last.delete(petId);
      }
    }
  }

  /** @param onEnd Shows the number of the service, unless the person has typed another one meanwhile. */
  async #send(seen: StockRow, edit: QuantityEdit, onEnd: () => void): Promise<void> {
    const { petId } = seen;
    try {
      const saved =
        edit.kind === 'set'
          ? await this.#sendCount(seen, edit.quantity)
          : await this.#sendDelta(petId, edit.delta);
      if (!saved) return;
      onEnd();
      this.#events.onSaved({ ...saved, petId, undo: () => this.#undo(petId, saved.sequence) });
    } catch (error) {
      onEnd();
      this.#events.onFailed(seen, error);
    }
  }

  /** @returns `undefined` if somebody else has changed the quantity, so that the person decides. */
  async #sendCount(seen: StockRow, quantity: number) {
    let base = this.#afterOwn(seen);
    for (let attempt = 1; ; attempt += 1) {
      try {
        const state = await this.#calls.setQuantity(base, quantity);
        const row = { ...base, ...state };
        if (row.version === base.version + 1) this.#noteOwn(row);
        const now = this.#store.find(row.petId) ?? row;
        if (now.version <= row.version) this.#store.put({ ...now, ...state });
        return { before: base.quantity, after: row.quantity, sequence: row.lastSequence };
      } catch (error) {
        if (!isApiError(error, 'precondition_failed')) throw error;
        const now = await this.#readAgain(seen.petId);
        // Such as a reservation, or another name: the quantity is still the one that the person saw.
        const isSame = now !== undefined && now.quantity === base.quantity && attempt < MAX_ATTEMPTS;
        if (!isSame) return this.#ask(base, quantity);
        base = now;
      }
    }
  }

  async #sendDelta(petId: string, delta: number) {
    const movement = await this.#calls.addQuantity(petId, delta);
    this.#showOwn(movement);
    return { before: movement.quantityBefore, after: movement.quantityAfter, sequence: movement.sequence };
  }

  async #undo(petId: string, sequence: number): Promise<void> {
    await this.run([petId], async () => this.#showOwn(await this.#calls.revertMovement(sequence)));
  }

  #showOwn(movement: Movement): void {
    const row = this.#store.find(movement.petId);
    if (row) this.#noteOwn(afterMovement(row, movement, row.flashedAtMs));
    this.#store.apply(movement, () => true);
  }

  /** @param row After a change that this page made to the version before. */
  #noteOwn(row: StockRow): void {
    const known = this.#own.get(row.petId);
    const goesOn = known?.row.version === row.version - 1;
    this.#own.set(row.petId, { from: goesOn ? known.from : row.version - 1, row });
  }

  /** What the person saw, with the changes of this page that were under way when the edit began. */
  #afterOwn(seen: StockRow): StockRow {
    const own = this.#own.get(seen.petId);
    return own && own.from <= seen.version && seen.version < own.row.version ? own.row : seen;
  }

  /** The pet as the service has it; `undefined` without an answer. */
  async #readAgain(petId: string): Promise<StockRow | undefined> {
    const row = await this.#calls.readRow(petId).catch(() => undefined);
    const known = this.#store.find(petId);
    if (row && known && known.version <= row.version) this.#store.put(row);
    return row;
  }

  /** Shows who has changed the pet since the person saw it, and to what. */
  async #ask({ petId, quantity: before }: StockRow, quantity: number): Promise<undefined> {
    const theirs = await this.#calls.newestMovement(petId).catch(() => undefined);
    const known = this.#store.find(petId);
    if (theirs && known && theirs.version > known.version) this.#store.put(afterMovement(known, theirs, 0));
    this.#set(petId, { kind: 'conflict', quantity, before, theirs });
  }

  #set(petId: string, edit: PendingEdit | undefined): void {
    const edits = new Map(this.#edits);
    if (edit) edits.set(petId, edit);
    else edits.delete(petId);
    this.#edits = edits;
    for (const listener of this.#listeners) listener();
  }
}
