import assert from 'node:assert/strict';
import type { EventPosition } from '../../../src/domain/webhooks/events.ts';
import { type Filter, isAfter, isFor, type ModelEvent } from './model-events.ts';

/** What an endpoint receives between two changes of its filter or its cursor. */
interface Segment {
  readonly filter: Filter;
  /** The first event comes after one of the positions from this one ... */
  readonly first: EventPosition;
  /** ... up to this one. */
  readonly last: EventPosition;
  readonly received: EventPosition[];
  /** Where the endpoint continues after it: everything up to here must be received. */
  doneUpTo?: EventPosition;
}

/** An endpoint as its receiver and its owner see it. */
export class SimulatedEndpoint {
  readonly id: string;
  readonly url: string;
  /** How long the receiver takes. */
  latencyMs = 1;
  /** Status codes of the next attempts; after them the receiver responds with success. */
  statuses: number[] = [];
  /** The event of the attempt in progress, and whether its receiver accepts it: decided when the attempt begins. */
  inDelivery: (EventPosition & { readonly isAccepted: boolean }) | undefined;
  readonly #segments: Segment[] = [];

  constructor(id: string, url: string, filter: Filter, cursor: EventPosition) {
    this.id = id;
    this.url = url;
    this.#segments.push({ filter, first: cursor, last: cursor, received: [] });
  }

  get filter(): Filter {
    return this.#segment.filter;
  }

  get #segment(): Segment {
    return this.#segments.at(-1) as Segment;
  }

  /** Returns where to add the event of an attempt that begins now: the filter may change before it ends. */
  get received(): EventPosition[] {
    return this.#segment.received;
  }

  /** Its owner has it receive all events after this position again. */
  replay(after: EventPosition): void {
    const { filter } = this;
    this.#segments.push({ filter, first: after, last: after, received: [] });
  }

  /** It continues after its cursor, and may receive later events again. */
  continueAfter(cursor: EventPosition): void {
    this.#segment.doneUpTo = cursor;
    this.replay(cursor);
  }

  /**
   * From now on it has another filter: for the events after the one in delivery. Without one, the filter may change
   * anywhere between the last event that was delivered and the next one that the old filter matches.
   */
  changeFilter(filter: Filter, events: readonly ModelEvent[]): void {
    const { inDelivery } = this;
    const [first, last] = inDelivery?.isAccepted ? [inDelivery, inDelivery] : this.#undecided(events);
    this.#segments.push({ filter, first, last, received: [] });
  }

  /** Whether it has received everything, so that more would be too much. */
  isComplete(events: readonly ModelEvent[]): boolean {
    const { received } = this;
    const newest = candidates(this.#segment, events).at(-1);
    const last = received.at(-1) ?? this.#segment.last;
    return newest === undefined || !isAfter(newest, last);
  }

  /** Asserts that each segment has exactly the events that it must have, in their order. */
  check(events: readonly ModelEvent[]): void {
    for (const segment of this.#segments) {
      const { received, last, first, doneUpTo } = segment;
      const matching = candidates(segment, events);
      const optional = matching.filter((event) => !isAfter(event, last)).length;
      const begin = received[0]
        ? matching.findIndex((event) => placeOf(event) === placeOf(received[0]))
        : optional;
      const isLast = segment === this.#segment;
      const done = matching.filter((event) => doneUpTo && !isAfter(event, doneUpTo)).length;
      const end = isLast ? matching.length : Math.max(begin + received.length, done);
      const expected = matching.slice(begin, end);
      const where = `${this.url} after ${placeOf(first)} with ${JSON.stringify(segment.filter.types)}`;
      assert.deepEqual(received.map(placeOf), expected.map(placeOf), where);
      assert.ok(begin <= optional, `${where}: nothing is missing before ${placeOf(received[0])}`);
    }
  }

  #undecided(events: readonly ModelEvent[]): [EventPosition, EventPosition] {
    const { first, last, received } = this.#segment;
    const next = candidates(this.#segment, events).find((event) => isAfter(event, received.at(-1) ?? last));
    const beforeNext = next && { sequence: next.sequence, number: next.number - 0.5 };
    return [received.at(-1) ?? first, beforeNext ?? events.at(-1) ?? last];
  }
}

function candidates({ filter, first }: Segment, events: readonly ModelEvent[]): readonly ModelEvent[] {
  return events.filter((event) => isFor(event, filter) && isAfter(event, first));
}

function placeOf(position: EventPosition | undefined): string {
  return position ? `${position.sequence}.${position.number}` : 'its end';
}
