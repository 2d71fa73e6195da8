import { alertOf } from '../../domain/ledger/alerts.ts';
import type { Movement } from '../../domain/ledger/ledger.ts';
import {
  comparePositions,
  type EventPosition,
  type EventReference,
  type RecordedEvent,
} from '../../domain/webhooks/events.ts';
import { parseOrderEvent } from '../../domain/webhooks/order-events.ts';
import type { StoredEvent } from '../../domain/webhooks/webhook-store.ts';
import {
  type EventReader,
  type MovementFacts,
  SCAN_LIMITS,
  type ScanLimits,
} from '../../store/webhooks/event-reader.ts';
import { orderEventJson } from '../../wire/order-json.ts';
import { type EventFacts, factsOf, matches, type PetIdsOf, type Subscription } from './event-facts.ts';
import { EventRing, type RingEntry } from './event-ring.ts';
import { type Message, movementMessage, type RenderRecorded, recordedMessage } from './message.ts';
import { Semaphore } from './semaphore.ts';

/** Messages per page of an endpoint that is behind: it bounds the memory of each of many. */
const MAX_PAGE_MESSAGES = 2;
/** Pages that are read at the same time. New events wait behind no more of them. */
const MAX_CONCURRENT_PAGES = 4;

export interface SourceOptions {
  readonly petIdsOf: PetIdsOf;
  readonly renderRecorded: RenderRecorded;
}

/** How much is read together, and how much is kept. */
export interface SourceLimits {
  /** Page size for the first page of an endpoint, and where many events match. */
  readonly minScan: number;
  /** Page size for new events, and where few match. */
  readonly scan: ScanLimits;
  readonly ringEntries: number;
}

const SOURCE_LIMITS: SourceLimits = { minScan: 16, scan: SCAN_LIMITS, ringEntries: 4_096 };

/** Receives new events in their order. */
interface EventReceiver {
  isWanted(facts: EventFacts): boolean;
  offer(facts: EventFacts, message: Message): void;
}

interface EventPage {
  readonly messages: readonly Message[];
  /** No other event up to here matches. */
  readonly upTo: EventPosition;
  /** The movements of the next scan, a whole number: more where few events match. */
  readonly nextScan: number;
}

/** The database has fewer events than before: it is a backup, or a standby that lacked the newest. */
export class EventsReplaced extends Error {}

/** Reads new events once for all endpoints, and pages for endpoints that are behind. */
export class EventSource {
  readonly ring: EventRing;
  readonly #reader: EventReader;
  readonly #options: SourceOptions;
  readonly #limits: SourceLimits;
  readonly #pages = new Semaphore(MAX_CONCURRENT_PAGES);
  #head: EventPosition;
  #decided: EventPosition;
  #position: EventPosition;

  /** Begins after the newest event. */
  static async start(
    reader: EventReader,
    options: SourceOptions,
    limits = SOURCE_LIMITS,
  ): Promise<EventSource> {
    return new EventSource(reader, options, limits, await reader.head());
  }

  private constructor(
    reader: EventReader,
    options: SourceOptions,
    limits: SourceLimits,
    head: EventPosition,
  ) {
    this.#reader = reader;
    this.#options = options;
    this.#limits = limits;
    this.#head = head;
    this.#decided = head;
    this.#position = head;
    this.ring = new EventRing(head, limits.ringEntries);
  }

  /** The newest event of the database at the last look. */
  get head(): EventPosition {
    return this.#head;
  }

  /** All events up to here have been offered to the receiver. */
  get position(): EventPosition {
    return this.#position;
  }

  /** Which events up to here are wanted is decided: an endpoint that is added now misses them in the ring. */
  get decided(): EventPosition {
    return this.#decided;
  }

  /** Reads new events. Returns whether there may be more. @throws EventsReplaced */
  async poll(receiver: EventReceiver): Promise<boolean> {
    const head = await this.#reader.head();
    const order = comparePositions(head, this.#head);
    if (order < 0) throw new EventsReplaced('The database has fewer events than before.');
    this.#head = head;
    if (comparePositions(head, this.#position) <= 0) return false;
    const after = this.#position;
    const scan = await this.#reader.scan(after, head, this.#limits.scan);
    const wanted = factsOf(scan, after, this.#options.petIdsOf).filter((facts) => receiver.isWanted(facts));
    this.#decided = scan.upTo;
    for (const entry of await this.#load(wanted)) {
      this.ring.add(entry);
      receiver.offer(entry.facts, entry.message);
    }
    this.#position = scan.upTo;
    return comparePositions(scan.upTo, head) < 0;
  }

  /**
   * Reads the next events of one endpoint.
   * @param movements Of the page before: its `nextScan`.
   */
  page(
    after: EventPosition,
    subscription: Subscription,
    movements = this.#limits.minScan,
  ): Promise<EventPage> {
    return this.#pages.run(async () => {
      const scan = await this.#reader.scan(after, this.#head, { ...this.#limits.scan, movements });
      const matching = factsOf(scan, after, this.#options.petIdsOf).filter((facts) =>
        matches(subscription, facts),
      );
      const taken = matching.slice(0, MAX_PAGE_MESSAGES);
      const messages = (await this.#load(taken)).map(({ message }) => message);
      const isFull = matching.length > taken.length;
      const { minScan, scan: maxScan } = this.#limits;
      return {
        messages,
        upTo: isFull ? (taken.at(-1) as EventFacts).position : scan.upTo,
        nextScan: isFull
          ? Math.max(minScan, Math.floor(movements / 2))
          : Math.min(maxScan.movements, movements * 2),
      };
    });
  }

  /** Reads and renders whole events. A movement that is pruned meanwhile is left out. */
  async #load(wanted: readonly EventFacts[]): Promise<readonly RingEntry[]> {
    const sequences = wanted.filter(({ recorded }) => !recorded).map(({ position }) => position.sequence);
    const movements = await this.#reader.movements([...new Set(sequences)]);
    const bySequence = new Map(movements.map((movement) => [movement.sequence, movement]));
    const entries: RingEntry[] = [];
    for (const facts of wanted) {
      const { position, type, recorded } = facts;
      const movement = bySequence.get(position.sequence);
      if (recorded) {
        const message = recordedMessage(recorded, this.#options.renderRecorded);
        entries.push({ facts, message });
      } else if (movement) {
        entries.push({ facts, message: movementMessage(movement, position.number, type) });
      }
    }
    return entries;
  }
}

function isOrderEvent({ type }: RecordedEvent): boolean {
  return type.startsWith('order.');
}

/** How the data of recorded events are read and rendered. */
export const RECORDED_DATA: SourceOptions = {
  petIdsOf: (event) =>
    isOrderEvent(event) ? parseOrderEvent(event.data).order.lines.map(({ petId }) => String(petId)) : [],
  renderRecorded: (event) => (isOrderEvent(event) ? orderEventJson(event.data) : event.data),
};

/**
 * One event as the endpoint receives it; `undefined` where there is no such event, or none that the endpoint receives.
 * @param stored What is at its place.
 */
export function messageAt(
  event: EventReference,
  { movement, recorded }: StoredEvent,
  subscription: Subscription,
): Message | undefined {
  const before = { sequence: event.sequence, number: event.number - 1 };
  const facts = factsOf(
    {
      movements: movement ? [factsOfMovement(movement)] : [],
      recorded: recorded ? [recorded] : [],
      upTo: event,
    },
    before,
    RECORDED_DATA.petIdsOf,
  ).find(({ position }) => comparePositions(position, event) === 0);
  if (!facts || !matches(subscription, facts)) return undefined;
  const message =
    facts.recorded || !movement
      ? facts.recorded && recordedMessage(facts.recorded, RECORDED_DATA.renderRecorded)
      : movementMessage(movement, event.number, facts.type);
  const { fingerprint } = event;
  return fingerprint === undefined || message?.id.endsWith(`-${fingerprint}`) ? message : undefined;
}

function factsOfMovement({ sequence, petId, statusAfter, alertBefore, alertAfter }: Movement): MovementFacts {
  return { sequence, petId: String(petId), statusAfter, alert: alertOf(alertBefore, alertAfter) };
}
