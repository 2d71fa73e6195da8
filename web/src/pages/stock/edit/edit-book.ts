import { isApiError } from '../../../api/api-error.ts';
import { newIdempotencyKey } from '../../../api/client.ts';
import type { Movement } from '../../../api/schemas.ts';
import type { QuantityEdit } from '../../../components/parse-quantity.ts';
import type { Count, Interference } from '../../../counts/count.ts';
import { afterMovement, type StockRow } from '../../../stock/stock-row.ts';
import type { StockStore } from '../../../stock/stock-store.ts';
import { Listeners } from '../../../listeners.ts';

/** The state of an edit: it waits for the service, for a connection, or for a decision of the person. */
export type PendingEdit =
  | { readonly kind: 'saving' | 'waiting'; readonly quantity: number }
  | {
      readonly kind: 'conflict';
      readonly quantity: number;
      /** What the person saw when the edit began. */
      readonly before: number;
      readonly theirs: Movement | Interference | undefined;
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
  setQuantity(row: StockRow, count: number, idempotencyKey: string): Promise<SetStock>;
  addQuantity(petId: string, delta: number, idempotencyKey: string): Promise<Movement>;
  revertMovement(sequence: number): Promise<Movement>;
  readRow(petId: string): Promise<StockRow>;
  newestMovement(petId: string): Promise<Movement | undefined>;
}

type SetStock = Pick<StockRow, 'version' | 'lastSequence' | 'updatedAtMs' | 'quantity' | 'status'>;

/** The edits that are kept until there is a connection, in their order. */
export interface WaitingEdits {
  /** Whether an edit of the pet cannot be sent now: there is no connection, or an earlier edit of the pet waits for one. */
  mustWait(petId: string): boolean;
  /**
   * @param seen What the edit was made on.
   * @param triedKey The idempotency key of the request without an answer, if there was one.
   * @throws QueueFullError
   */
  keep(seen: StockRow, edit: QuantityEdit, triedKey?: string): void;
  /** Drops the person's number of a kept edit that became a conflict. */
  keepTheirs(petId: string): void;
  /** Sends the person's number of such an edit over the one of somebody else. @returns Whether there is one. */
  setMine(petId: string): boolean;
}

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
  readonly #waiting: WaitingEdits;
  readonly #events: EditEvents;
  readonly #listeners = new Listeners();
  readonly subscribe = this.#listeners.subscribe;
  /** The last change of each pet: another one waits for it, because it needs its tag. */
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #own = new Map<string, OwnVersions>();
  #edits: ReadonlyMap<string, PendingEdit> = new Map();

  constructor(store: StockStore, calls: StockCalls, waiting: WaitingEdits, events: EditEvents) {
    this.#store = store;
    this.#calls = calls;
    this.#waiting = waiting;
    this.#events = events;
  }

  get edits(): ReadonlyMap<string, PendingEdit> {
    return this.#edits;
  }

  /** Whether this page changes the pet now, so that its movement is no news. */
  readonly isBusy = ({ petId }: { readonly petId: string }): boolean => this.#last.has(petId);

  /** @param seen The row as it was when the edit began: a count overwrites nothing that the person did not see. */
  save(seen: StockRow, edit: QuantityEdit): void {
    if (edit.delta === 0) return;
    const { petId } = seen;
    const shown: PendingEdit = { kind: 'saving', quantity: edit.quantity };
    this.#waiting.keepTheirs(petId);
    this.#set(petId, shown);
    const onEnd = () => this.#edits.get(petId) === shown && this.#set(petId, undefined);
    void this.run([petId], () => this.#send(seen, edit, onEnd));
  }

  /** Drops the person's number of a conflict. */
  keepTheirs(petId: string): void {
    this.#waiting.keepTheirs(petId);
    this.#set(petId, undefined);
  }

  /**
   * Sets the person's number over the one of somebody else.
   * @param seen The row beside which the person decided.
   */
  setMine(seen: StockRow): void {
    if (this.#waiting.setMine(seen.petId)) return;
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
      if (this.#waiting.mustWait(petId)) {
        this.#waiting.keep(this.#afterOwn(seen), edit);
        return onEnd();
      }
      const saved =
        edit.kind === 'set' ? await this.#sendCount(seen, edit) : await this.#sendDelta(seen, edit);
      if (saved === 'waiting') return onEnd();
      if (!saved) return;
      onEnd();
      this.#events.onSaved({ ...saved, petId, undo: () => this.#undo(petId, saved.sequence) });
    } catch (error) {
      onEnd();
      this.#events.onFailed(seen, error);
    }
  }

  /** @returns `undefined` if somebody else has changed the quantity, so that the person decides. */
  async #sendCount(seen: StockRow, edit: QuantityEdit) {
    const { quantity } = edit;
    let base = this.#afterOwn(seen);
    for (let attempt = 1; ; attempt += 1) {
      const key = newIdempotencyKey();
      try {
        const state = await this.#calls.setQuantity(base, quantity, key);
        const row = { ...base, ...state };
        if (row.version === base.version + 1) this.#noteOwn(row);
        const now = this.#store.find(row.petId) ?? row;
        if (now.version <= row.version) this.#store.put({ ...now, ...state });
        return { before: base.quantity, after: row.quantity, sequence: row.lastSequence };
      } catch (error) {
        if (isApiError(error) && error.isTemporary) return this.#keep(base, edit, key);
        if (!isApiError(error, 'precondition_failed')) throw error;
        const now = await this.#readAgain(seen.petId);
        // A change such as a reservation or a new name leaves the quantity that the person saw.
        const isSame = now !== undefined && now.quantity === base.quantity && attempt < MAX_ATTEMPTS;
        if (!isSame) return this.#ask(base, quantity);
        base = now;
      }
    }
  }

  async #sendDelta(seen: StockRow, edit: QuantityEdit) {
    const key = newIdempotencyKey();
    try {
      const movement = await this.#calls.addQuantity(seen.petId, edit.delta, key);
      this.#showOwn(movement);
      return { before: movement.quantityBefore, after: movement.quantityAfter, sequence: movement.sequence };
    } catch (error) {
      if (!isApiError(error) || !error.isTemporary) throw error;
      return this.#keep(this.#afterOwn(seen), edit, key);
    }
  }

  /** Keeps an edit whose request may have arrived: with its key it is recorded once. */
  #keep(base: StockRow, edit: QuantityEdit, key: string): 'waiting' {
    this.#waiting.keep(base, edit, key);
    return 'waiting';
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

/** The edits of the page, and those of this person that wait or need a decision. */
export function withWaitingEdits(
  edits: ReadonlyMap<string, PendingEdit>,
  counts: readonly Count[],
  keyId: string,
): ReadonlyMap<string, PendingEdit> {
  const all = new Map(edits);
  for (const {
    petId,
    keyId: owner,
    state,
    edit,
    counted: quantity,
    expected: before,
    now: theirs,
  } of counts) {
    if (owner !== keyId || edit?.details || all.has(petId)) continue;
    if (state === 'waiting') all.set(petId, { kind: 'waiting', quantity });
    else if (state === 'conflict') all.set(petId, { kind: 'conflict', quantity, before, theirs });
  }
  return all;
}
