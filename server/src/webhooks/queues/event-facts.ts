import type { PetStatus } from '@petstore-inventory/shared/words';
import {
  ALERT_EVENT,
  alertEventType,
  comparePositions,
  type EventPosition,
  type EventType,
  MOVEMENT_EVENT,
  type RecordedEvent,
} from '../../domain/webhooks/events.ts';
import type { EventFilter } from '../../domain/webhooks/webhook-endpoint.ts';
import type { EventScan, MovementFacts } from '../../store/webhooks/event-reader.ts';

/** What decides which endpoints receive an event. */
export interface EventFacts {
  readonly position: EventPosition;
  readonly type: EventType;
  /** The account to whose endpoints it is sent; `null`: those of all accounts. */
  readonly accountId: string | null;
  /** The pets that it is about, as text; empty for an event that is not about pets. */
  readonly petIds: readonly string[];
  /** The status that a movement leaves; `null` for other events. */
  readonly status: PetStatus | null;
  /** The event where it is a row of its own; otherwise it is a movement. */
  readonly recorded: RecordedEvent | undefined;
}

/** Which events an endpoint receives, with petIds as text. */
export interface Subscription {
  readonly accountId: string;
  readonly types: ReadonlySet<EventType> | null;
  readonly petIds: ReadonlySet<string> | null;
  readonly statuses: ReadonlySet<PetStatus> | null;
}

/** Returns the petIds of an order event; of others, none. */
export type PetIdsOf = (event: RecordedEvent) => readonly string[];

export function toSubscription(endpoint: EventFilter & { readonly accountId: string }): Subscription {
  const { accountId, types, petIds, statuses } = endpoint;
  return {
    accountId,
    types: types && new Set(types),
    petIds: petIds && new Set(petIds.map(String)),
    statuses: statuses && new Set(statuses),
  };
}

export function matches({ accountId, types, petIds, statuses }: Subscription, facts: EventFacts): boolean {
  if (facts.accountId !== null && facts.accountId !== accountId) return false;
  if (types && !types.has(facts.type)) return false;
  if (statuses && facts.status !== null && !statuses.has(facts.status)) return false;
  return petIds === null || facts.petIds.some((petId) => petIds.has(petId));
}

/** The events of a scan in their order. A movement with an alert is two events. */
export function factsOf(
  { movements, recorded }: EventScan,
  after: EventPosition,
  petIdsOf: PetIdsOf,
): EventFacts[] {
  const facts: EventFacts[] = [];
  let next = 0;
  const addRecordedBefore = (sequence: number): void => {
    for (let event = recorded[next]; event && event.sequence < sequence; event = recorded[next]) {
      facts.push(recordedFacts(event, petIdsOf));
      next += 1;
    }
  };
  for (const movement of movements) {
    addRecordedBefore(movement.sequence);
    const changed = movementFacts(movement, MOVEMENT_EVENT, 'inventory.changed');
    // The scan begins with the movement itself where only its alert is next.
    if (comparePositions(changed.position, after) > 0) facts.push(changed);
    if (movement.alert) facts.push(movementFacts(movement, ALERT_EVENT, alertEventType(movement.alert)));
  }
  addRecordedBefore(Number.POSITIVE_INFINITY);
  return facts;
}

function movementFacts(
  { sequence, petId, statusAfter }: MovementFacts,
  number: number,
  type: EventType,
): EventFacts {
  const position = { sequence, number };
  return { position, type, accountId: null, petIds: [petId], status: statusAfter, recorded: undefined };
}

function recordedFacts(event: RecordedEvent, petIdsOf: PetIdsOf): EventFacts {
  const { sequence, number, type, accountId } = event;
  const position = { sequence, number };
  return { position, type, accountId, petIds: petIdsOf(event), status: null, recorded: event };
}
