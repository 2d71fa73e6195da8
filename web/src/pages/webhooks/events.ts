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

export const isEventId = (text: string): boolean => /^\d{1,16}\.\d{1,9}(-[0-9a-f]{8})?$/.test(text);
