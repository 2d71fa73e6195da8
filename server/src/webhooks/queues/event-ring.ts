import { comparePositions, type EventPosition } from '../../domain/webhooks/events.ts';
import type { EventFacts } from './event-facts.ts';
import type { Message } from './message.ts';

const MAX_CHARACTERS = 8 * 1_024 * 1_024;
/** How much stays when the ring is full, so that entries are removed together. */
const KEPT_SHARE = 0.75;

export interface RingEntry {
  readonly facts: EventFacts;
  readonly message: Message;
}

/** The newest events that any endpoint received, in their order. */
export class EventRing {
  readonly #maxEntries: number;
  #entries: RingEntry[] = [];
  #characters = 0;
  #from: EventPosition;

  /** @param from Before the first event. */
  constructor(from: EventPosition, maxEntries: number) {
    this.#from = from;
    this.#maxEntries = maxEntries;
  }

  /** All events after this position are in the ring. */
  get from(): EventPosition {
    return this.#from;
  }

  add(entry: RingEntry): void {
    this.#entries.push(entry);
    this.#characters += entry.message.body.length;
    if (this.#entries.length > this.#maxEntries || this.#characters > MAX_CHARACTERS) this.#trim();
  }

  *after(position: EventPosition): Generator<RingEntry> {
    const entries = this.#entries;
    for (let i = this.#placeAfter(position); i < entries.length; i += 1) yield entries[i] as RingEntry;
  }

  /** The place of the first entry after a position. */
  #placeAfter(position: EventPosition): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entry = this.#entries[middle] as RingEntry;
      if (comparePositions(entry.message.position, position) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #trim(): void {
    let removed = 0;
    while (
      this.#entries.length - removed > this.#maxEntries * KEPT_SHARE ||
      (this.#characters > MAX_CHARACTERS * KEPT_SHARE && removed < this.#entries.length)
    ) {
      const { message } = this.#entries[removed] as RingEntry;
      this.#characters -= message.body.length;
      this.#from = message.position;
      removed += 1;
    }
    this.#entries = this.#entries.slice(removed);
  }
}
