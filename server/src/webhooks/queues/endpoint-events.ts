import { comparePositions, type EventPosition } from '../../domain/webhooks/events.ts';
import { matches, type Subscription } from './event-facts.ts';
import type { EventSource } from './event-source.ts';
import type { Message } from './message.ts';

/** Messages wait in memory up to this size, besides the first one; later ones are read again. */
const MAX_CHARACTERS = 4_096;

/** The next messages of an endpoint. */
class PendingMessages {
  #messages: Message[] = [];
  #characters = 0;

  get first(): Message | undefined {
    return this.#messages[0];
  }

  get isFull(): boolean {
    return this.#characters >= MAX_CHARACTERS;
  }

  push(message: Message): void {
    this.#messages.push(message);
    this.#characters += message.body.length;
  }

  removeFirst(): void {
    const first = this.#messages.shift();
    this.#characters -= first?.body.length ?? 0;
  }

  clear(): void {
    this.#messages = [];
    this.#characters = 0;
  }
}

/** The events of one endpoint in their order: those that the source offers, and those that it must read again. */
export class EndpointEvents {
  readonly #source: EventSource;
  #subscription: Subscription;
  /** All events up to here are delivered, or do not match. */
  #cursor: EventPosition;
  /** All events up to here are delivered, pending, or do not match. */
  #read: EventPosition;
  readonly #pending = new PendingMessages();
  /** Whether all matching events that the source has passed on are pending or delivered. */
  #isLive = false;
  /** The source lacks earlier events in its ring that only this endpoint receives. */
  #indexedAt: EventPosition;
  /** Movements of the next page; `undefined` before the first one. */
  #nextScan: number | undefined;

  /** @param cursor All events up to here are delivered. */
  constructor(source: EventSource, subscription: Subscription, cursor: EventPosition) {
    this.#source = source;
    this.#subscription = subscription;
    this.#cursor = cursor;
    this.#read = cursor;
    this.#indexedAt = source.decided;
  }

  get subscription(): Subscription {
    return this.#subscription;
  }

  /** The next event to deliver, if it is in memory. */
  get first(): Message | undefined {
    return this.#pending.first;
  }

  /** Whether there is no further event until the source offers one. */
  get isAtEnd(): boolean {
    return this.#isLive && !this.#pending.first;
  }

  /** All events up to here are delivered, or do not match. */
  get cursor(): EventPosition {
    if (this.#pending.first) return this.#cursor;
    if (!this.#isLive) return this.#read;
    const { position } = this.#source;
    return comparePositions(position, this.#read) > 0 ? position : this.#read;
  }

  /** Movements after the cursor. */
  get behind(): number {
    return Math.max(0, this.#source.head.sequence - this.cursor.sequence);
  }

  /** Uses another filter for the events after the cursor. */
  change(subscription: Subscription): void {
    this.detach();
    this.#subscription = subscription;
    this.#indexedAt = this.#source.decided;
  }

  /** Nothing is offered from now on, so the cursor no longer follows the source past events that do not match. */
  detach(): void {
    this.#cursor = this.cursor;
    this.forget();
  }

  /** Takes a new event that matches. Returns whether it is pending now. */
  offer(message: Message): boolean {
    if (!this.#isLive || comparePositions(message.position, this.#read) <= 0) return false;
    if (this.#pending.isFull) {
      this.#isLive = false;
      return false;
    }
    if (!this.#pending.first) this.#cursor = this.cursor;
    this.#push(message);
    return true;
  }

  /** The event was delivered. */
  remove(message: Message): void {
    this.#cursor = message.position;
    // A change of the filter meanwhile has emptied the list; the event is done all the same.
    if (this.#pending.first === message) this.#pending.removeFirst();
    else if (comparePositions(this.#read, message.position) < 0) this.#read = message.position;
  }

  /** Drops pending events: they are read again after the cursor. */
  forget(): void {
    this.#pending.clear();
    this.#isLive = false;
    this.#read = this.#cursor;
  }

  /** Takes the next matching events from the ring, or reads them where the ring does not have them. */
  async refill(): Promise<void> {
    if (this.#isInRing()) this.#takeFromRing();
    else await this.#readPage();
  }

  #takeFromRing(): void {
    this.#cursor = this.cursor;
    for (const { facts, message } of this.#source.ring.after(this.#read)) {
      if (!matches(this.#subscription, facts)) continue;
      if (this.#pending.isFull) return;
      this.#push(message);
    }
    this.#isLive = true;
  }

  async #readPage(): Promise<void> {
    const [before, subscription] = [this.#read, this.#subscription];
    const page = await this.#source.page(before, subscription, this.#nextScan);
    // The filter changed meanwhile.
    if (this.#read !== before || this.#subscription !== subscription) return;
    this.#nextScan = page.nextScan;
    this.#cursor = before;
    for (const message of page.messages) {
      if (this.#pending.isFull) return;
      this.#push(message);
    }
    this.#read = page.upTo;
  }

  /** Whether the ring has all later events that match. */
  #isInRing(): boolean {
    const { ring } = this.#source;
    return comparePositions(this.#read, ring.from) >= 0 && comparePositions(this.#read, this.#indexedAt) >= 0;
  }

  #push(message: Message): void {
    this.#pending.push(message);
    this.#read = message.position;
  }
}
