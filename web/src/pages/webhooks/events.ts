import type { WebhookAttempt } from '../../api/schemas.ts';
import type { Texts } from '../../texts/en.ts';

export type EventType = keyof Texts['webhooks']['eventNames'];
type Group = keyof Texts['webhooks']['eventGroups'];

export const EVENT_GROUPS: Readonly<Record<Group, readonly EventType[]>> = {
  inventory: ['inventory.changed', 'inventory.low', 'inventory.out', 'inventory.back', 'inventory.oversold'],
  order: [
    'order.placed',
    'order.approved',
    'order.delivered',
    'order.cancelled',
    'order.expired',
    'order.returned',
  ],
  other: ['api_key.banned', 'quota.reached', 'webhook_endpoint.paused'],
};

/** The sequence of the movement of an event, such as 815 of `815.0-1a2b3c4d`. */
export const sequenceOf = (eventId: string): number => Number(eventId.split('.')[0]);

/** Negative where `a` comes before `b`; `NaN` unless both are ids or places of events. */
export function compareEvents(a: string, b: string): number {
  const [sequence = Number.NaN, number = Number.NaN] = a.split(/[.-]/).map(Number);
  const [otherSequence = Number.NaN, otherNumber = Number.NaN] = b.split(/[.-]/).map(Number);
  return sequence - otherSequence || number - otherNumber;
}

/** Larger than the number of any event of a movement. */
const LAST_NUMBER = 999_999_999;

/** The place directly before an event: a replay after it begins with the event. */
export function placeBefore(eventId: string): string {
  const [sequence = 0, number = 0] = eventId.split(/[.-]/).map(Number);
  return number > 0 ? `${sequence}.${number - 1}` : `${sequence - 1}.${LAST_NUMBER}`;
}

/** A place for people: after all events of a movement, it is the number of the movement. */
export function shownPlace(eventId: string): string {
  const [sequence = '', number] = eventId.split('.');
  return number === String(LAST_NUMBER) ? sequence : eventId;
}

interface RecentEvent {
  readonly eventId: string;
  readonly eventType: string;
  /** When the newest attempt to send it was made. */
  readonly attemptedAt: string;
  /** Whether the receiver accepted it, as far as the log says. */
  readonly isAccepted: boolean;
}

/**
 * The events of a log, the newest first, that an endpoint has got or skipped. Its queue sends the later ones anyway.
 * @param log The newest attempt first.
 */
export function recentEvents(
  log: readonly Pick<WebhookAttempt, 'eventId' | 'eventType' | 'attemptedAt' | 'error'>[],
  lastEventId: string,
): readonly RecentEvent[] {
  const found = new Map<string, RecentEvent>();
  for (const { eventId, eventType, attemptedAt, error } of log) {
    if (!isEventId(eventId) || compareEvents(eventId, lastEventId) > 0) continue;
    const newest = found.get(eventId) ?? { eventId, eventType, attemptedAt, isAccepted: false };
    found.set(eventId, { ...newest, isAccepted: newest.isAccepted || error === null });
  }
  return [...found.values()].toSorted((a, b) => compareEvents(b.eventId, a.eventId));
}

export const isEventId = (text: string): boolean => /^\d{1,16}\.\d{1,9}(-[0-9a-f]{8})?$/.test(text);
