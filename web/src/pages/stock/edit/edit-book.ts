import { isApiError } from '../../../api/api-error.ts';
import type { Movement } from '../../../api/schemas.ts';
import type { QuantityEdit } from '../../../components/parse-quantity.ts';
import { readRow } from '../../../stock/read-row.ts';
import { afterMovement, type StockRow, stateOfTag } from '../../../stock/stock-row.ts';
import type { StockStore } from '../../../stock/stock-store.ts';
import { addQuantity, newestMovement, revertMovement, setQuantity } from '../stock-api.ts';

/** What an edit of a row waits for: the service, or a decision of the person. */
export type PendingEdit =
  | { readonly kind: 'saving'; readonly quantity: number }
  | { readonly kind: 'conflict'; readonly quantity: number; readonly theirs: Movement | undefined };

/** A change that was saved, with what undoes it. */
export interface SavedEdit {
  readonly petId: string;
  readonly before: number;
  readonly after: number;
  undo(): Promise<void>;
}

interface EditEvents {
  onSaved(saved: SavedEdit): void;
  onFailed(row: StockRow, error: unknown): void;
}

/** The edits of quantities that are not confirmed yet. They show immediately. */
export class EditBook {
  readonly #store: StockStore;
  readonly #events: EditEvents;
  readonly #listeners = new Set<() => void>();
  /** The last change of each pet: another one waits for it, because it needs its tag. */
  readonly #last = new Map<string, Promise<unknown>>();
  #edits: ReadonlyMap<string, PendingEdit> = new Map();

  constructor(store: StockStore, events: EditEvents) {
    this.#store = store;
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

  save(petId: string, edit: QuantityEdit): void {
    if (edit.delta === 0) return;
    this.#set(petId, { kind: 'saving', quantity: edit.quantity });
    void this.run([petId], () => this.#send(petId, edit));
  }

  /** Drops the person's number of a conflict. */
  keepTheirs(petId: string): void {
    this.#set(petId, undefined);
  }

  /** Sets the person's number over the one of somebody else. */
  setMine(petId: string): void {
    const edit = this.#edits.get(petId);
    const row = this.#store.find(petId);
    if (!edit || !row) return;
    if (edit.quantity === row.quantity) this.keepTheirs(petId);
    else this.save(petId, { kind: 'set', quantity: edit.quantity, delta: edit.quantity - row.quantity });
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

  async #send(petId: string, edit: QuantityEdit): Promise<void> {
    const row = this.#store.find(petId);
    if (!row) return;
    try {
      const sequence =
        edit.kind === 'set' ? await this.#sendCount(row, edit.quantity) : await this.#sendDelta(row, edit);
      this.#set(petId, undefined);
      const after = this.#store.find(petId)?.quantity ?? edit.quantity;
      const before = edit.kind === 'set' ? row.quantity : after - edit.delta;
      this.#events.onSaved({ petId, before, after, undo: () => this.#undo(petId, sequence) });
    } catch (error) {
      if (isApiError(error, 'precondition_failed')) return this.#showConflict(petId, edit.quantity);
      this.#set(petId, undefined);
      this.#events.onFailed(row, error);
    }
  }

  async #sendCount(row: StockRow, quantity: number): Promise<number> {
    const { item, tag } = await setQuantity(row, quantity);
    const state = stateOfTag(tag);
    if (!state) throw new Error(`The service sent the tag ${tag}.`);
    const now = this.#store.find(row.petId) ?? row;
    if (now.version <= state.version) {
      this.#store.put({ ...now, ...state, quantity: item.quantity, status: item.status });
    }
    return state.lastSequence;
  }

  async #sendDelta(row: StockRow, { delta }: QuantityEdit): Promise<number> {
    const movement = await addQuantity(row.petId, delta, 'correction');
    this.#store.apply(movement, () => true);
    return movement.sequence;
  }

  async #undo(petId: string, sequence: number): Promise<void> {
    await this.run([petId], async () => {
      this.#store.apply(await revertMovement(sequence), () => true);
    });
  }

  /** Shows who has changed the pet meanwhile, and to what. */
  async #showConflict(petId: string, quantity: number): Promise<void> {
    const [theirs, row] = await Promise.all([
      newestMovement(petId).catch(() => undefined),
      readRow(petId).catch(() => undefined),
    ]);
    if (row) this.#store.put(row);
    const known = this.#store.find(petId);
    if (theirs && known && theirs.version > known.version) this.#store.put(afterMovement(known, theirs, 0));
    this.#set(petId, { kind: 'conflict', quantity, theirs });
  }

  #set(petId: string, edit: PendingEdit | undefined): void {
    const edits = new Map(this.#edits);
    if (edit) edits.set(petId, edit);
    else edits.delete(petId);
    this.#edits = edits;
    for (const listener of this.#listeners) listener();
  }
}
