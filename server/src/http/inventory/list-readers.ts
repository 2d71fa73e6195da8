import type { InventoryList } from '../../domain/store.ts';

/** Bytes of older lists that slow clients may keep in memory. */
const MAX_OLD_BYTES = 64 * 1024 * 1024;
const CHECK_INTERVAL_MS = 1_000;

/** Cuts the connection of one reader. */
type Cut = () => void;

/**
 * The clients that read large lists. A list is a snapshot: while a slow client reads an older list, the parts that have
 * changed since stay in memory. When these parts are too large, the readers of the oldest lists are cut.
 */
export class ListReaders {
  readonly #maxOldBytes: number;
  readonly #checkIntervalMs: number;
  /** In the order in which the lists were first read. */
  readonly #readers = new Map<InventoryList, Set<Cut>>();
  #checkedAtMs = Number.NEGATIVE_INFINITY;

  constructor(maxOldBytes = MAX_OLD_BYTES, checkIntervalMs = CHECK_INTERVAL_MS) {
    this.#maxOldBytes = maxOldBytes;
    this.#checkIntervalMs = checkIntervalMs;
  }

  /** Adds a reader. Returns a function that removes it. */
  add(list: InventoryList, cut: Cut): () => void {
    const readers = this.#readers.get(list) ?? new Set();
    readers.add(cut);
    this.#readers.set(list, readers);
    this.#check(list);
    return () => {
      readers.delete(cut);
      if (readers.size === 0) this.#readers.delete(list);
    };
  }

  #check(list: InventoryList): void {
    const nowMs = performance.now();
    if (this.#readers.size === 1 || nowMs - this.#checkedAtMs < this.#checkIntervalMs) return;
    this.#checkedAtMs = nowMs;
    const [newest = list, ...older] = [...this.#readers.keys()].toReversed();
    // Two older lists are always allowed, however large they are.
    const maxOldBytes = Math.max(this.#maxOldBytes, 2 * newest.byteLength);
    const parts = new Set(newest.parts());
    let oldBytes = 0;
    for (const old of older) {
      for (const part of old.parts()) {
        if (parts.has(part)) continue;
        parts.add(part);
        oldBytes += part.byteLength;
      }
      if (oldBytes <= maxOldBytes) continue;
      for (const cut of [...(this.#readers.get(old) ?? [])]) cut();
    }
  }
}
