import type { InventoryList } from '../../domain/store.ts';

/** Bytes that older lists may keep in memory for the clients that still read them. */
const MAX_OLD_BYTES = 64 * 1024 * 1024;
const CHECK_INTERVAL_MS = 1_000;

/** Cuts the connection of one reader. */
type Cut = () => void;

/**
 * The clients that read large lists. A list is a snapshot: while a slow client reads an older one, the parts that have
 * changed since stay in memory. When those are too many, the readers of the oldest lists are cut.
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

  /** Adds a reader; the function that is returned removes it. */
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
    // Two older ones always find room, however large the list is.
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
