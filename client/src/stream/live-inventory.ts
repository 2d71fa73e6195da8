import type { Operations } from '../api/operations.ts';
import type { InventoryItem, Movement } from '../api/schemas.ts';
import { PetstoreError } from '../errors.ts';
import type { RequestOptions, StreamOptions } from '../options.ts';
import { toPetId } from '../pet-id.ts';

/** How the stock of a pet changed since the last change of it that was read. */
export interface InventoryChange {
  /** The stock now; of a deleted pet, no units. */
  readonly item: InventoryItem;
  /** The stock before; `undefined` for a new pet. */
  readonly before: InventoryItem | undefined;
  /** Whether the pet was deleted, and is not in the copy any more. */
  readonly isDeleted: boolean;
  /** The newest movement of the pet; `undefined` if the list was loaded again. */
  readonly movement: Movement | undefined;
}

/** A loop over the changes, with those it has not read. */
interface Reader {
  readonly changes: Map<bigint, InventoryChange>;
  wake: () => void;
}

/**
 * A local copy of the stock of all pets, which the live stream keeps up to date. `for await` reads the changes: one per
 * pet, the newest, so that a slow reader keeps no more of them than there are pets.
 */
export class LiveInventory implements AsyncIterable<InventoryChange> {
  readonly #client: Operations;
  readonly #options: StreamOptions;
  /** After the first list, the copy ends only when it must. */
  readonly #patient: StreamOptions;
  readonly #stop = new AbortController();
  readonly #readers = new Set<Reader>();
  #items = new Map<bigint, InventoryItem>();
  #sequence = 0;
  #end: { readonly error: unknown } | undefined;

  private constructor(client: Operations, options: StreamOptions) {
    this.#client = client;
    this.#options = { ...options, signal: this.#stop.signal };
    const forever = Number.POSITIVE_INFINITY;
    this.#patient = { ...this.#options, maxWaitMs: forever, maxRetries: forever };
  }

  /** Loads the stock and begins to follow it. @throws PetstoreError or the reason of the signal */
  static async open(client: Operations, options: StreamOptions = {}): Promise<LiveInventory> {
    const live = new LiveInventory(client, options);
    const { signal } = options;
    signal?.throwIfAborted();
    const abort = () => live.#finish(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    live.#stop.signal.addEventListener('abort', () => signal?.removeEventListener('abort', abort));
    try {
      await live.#load(live.#options);
    } catch (error) {
      live.#finish(error);
      throw error;
    }
    void live.#follow();
    return live;
  }

  /** The stock of a pet; `undefined` if there is no such pet. @throws the error that ended the copy */
  get(petId: bigint | number | string): InventoryItem | undefined {
    return this.items.get(toPetId(petId));
  }

  /** The stock of all pets. @throws the error that ended the copy, so that an old one is never used */
  get items(): ReadonlyMap<bigint, InventoryItem> {
    if (this.#end?.error !== undefined) throw this.#end.error;
    return this.#items;
  }

  /** The newest movement that the copy includes. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Ends the stream. The copy stays as it is, and the loops over its changes end. */
  close(): void {
    this.#finish(undefined);
  }

  /** The changes after this call, also those before the first one is read. @throws the error that ended the copy */
  changes(): AsyncGenerator<InventoryChange, void, undefined> {
    const reader: Reader = { changes: new Map(), wake: () => {} };
    this.#readers.add(reader);
    return this.#read(reader);
  }

  /** The changes from now on. @throws the error that ended the copy */
  [Symbol.asyncIterator](): AsyncGenerator<InventoryChange, void, undefined> {
    return this.changes();
  }

  async *#read(reader: Reader): AsyncGenerator<InventoryChange, void, undefined> {
    try {
      for (;;) {
        for (const [petId, change] of reader.changes) {
          reader.changes.delete(petId);
          yield change;
        }
        if (this.#end) break;
        await new Promise<void>((resolve) => {
          reader.wake = resolve;
          if (this.#end || reader.changes.size > 0) resolve();
        });
      }
    } finally {
      this.#readers.delete(reader);
    }
    if (this.#end.error !== undefined) throw this.#end.error;
  }

  async #load(options: RequestOptions): Promise<void> {
    const { data, inventorySequence } = await this.#client.listInventory({}, options).withResponse();
    if (inventorySequence === undefined) {
      throw new PetstoreError('The list has no Inventory-Sequence header, so it cannot be followed.', {
        code: 'invalid_response',
      });
    }
    const old = this.#items;
    this.#items = new Map(data.map((item) => [item.petId, item]));
    this.#sequence = inventorySequence;
    for (const item of data) {
      const before = old.get(item.petId);
      if (before?.quantity === item.quantity && before.status === item.status) continue;
      this.#publish({ item, before, isDeleted: false, movement: undefined });
    }
    for (const before of old.values()) {
      if (this.#items.has(before.petId)) continue;
      this.#publish({ item: { ...before, quantity: 0 }, before, isDeleted: true, movement: undefined });
    }
  }

  async #follow(): Promise<void> {
    while (!this.#end) {
      try {
        for await (const movement of this.#client.streamMovements({ after: this.#sequence }, this.#patient)) {
          this.#apply(movement);
        }
      } catch (error) {
        await this.#recover(error).catch((fatal) => this.#finish(fatal));
      }
    }
  }

  /** Loads the list again if only the place in the ledger is lost: a place that does not exist is an invalid parameter. */
  async #recover(error: unknown): Promise<void> {
    const isLost =
      error instanceof PetstoreError &&
      /^(ledger_replaced|history_pruned|invalid_parameter)$/.test(error.code);
    if (!isLost) throw error;
    await this.#load(this.#patient);
  }

  #apply(movement: Movement): void {
    const { petId, quantityAfter: quantity, statusAfter: status, sequence } = movement;
    const before = this.#items.get(petId);
    const item = { petId, quantity, status };
    const isDeleted =
      movement.kind === 'import' && movement.revertedSequence !== null && movement.quantityAfter === 0;
    if (isDeleted) this.#items.delete(petId);
    else this.#items.set(petId, item);
    this.#sequence = sequence;
    this.#publish({ item, before, isDeleted, movement });
  }

  #publish(change: InventoryChange): void {
    const { petId } = change.item;
    for (const { changes, wake } of this.#readers) {
      const unread = changes.get(petId);
      changes.set(petId, unread ? { ...change, before: unread.before } : change);
      wake();
    }
  }

  #finish(error: unknown): void {
    if (this.#end) return;
    this.#end = { error };
    this.#stop.abort();
    for (const { wake } of this.#readers) wake();
  }
}
