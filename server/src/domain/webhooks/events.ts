import type { Alert } from '../ledger/alerts.ts';

/** What an endpoint can subscribe to. */
export const EVENT_TYPES = [
  'inventory.changed',
  'inventory.low',
  'inventory.out',
  'inventory.back',
  'inventory.oversold',
  'order.placed',
  'order.approved',
  'order.delivered',
  'order.cancelled',
  'order.expired',
  'order.returned',
  'api_key.banned',
  'quota.reached',
  'webhook_endpoint.paused',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Types of the events that are rows of their own. All others are movements, or alerts of movements. */
export type RecordedEventType = Exclude<EventType, `inventory.${string}`>;

/**
 * The place of an event among all events. Events of one movement are numbered: 0 is the movement itself, 1 its alert;
 * from `FIRST_RECORDED_EVENT` on come the recorded events that were written while it was the newest movement.
 */
export interface EventPosition {
  readonly sequence: number;
  readonly number: number;
}

export const FIRST_RECORDED_EVENT = 2;

/** An event that is a row of its own, written in the transaction that it reports. */
export interface RecordedEvent extends EventPosition {
  readonly type: RecordedEventType;
  /** The account to whose endpoints it is sent; `null`: those of all accounts. */
  readonly accountId: string | null;
  /** The `data` of the message, as JSON. */
  readonly data: string;
  readonly recordedAtMs: number;
}

const EVENT_ID = /^(\d{1,16})\.(\d{1,9})$/;

/** The id of an event, such as `815.0`: the same in each delivery, and in the order of time. */
export function eventId({ sequence, number }: EventPosition): string {
  return `${sequence}.${number}`;
}

export function parseEventId(text: string): EventPosition | undefined {
  const [, sequence, number] = EVENT_ID.exec(text) ?? [];
  if (sequence === undefined || !Number.isSafeInteger(Number(sequence))) return undefined;
  return { sequence: Number(sequence), number: Number(number) };
}

/** Negative where `a` comes before `b`. */
export function comparePositions(a: EventPosition, b: EventPosition): number {
  return a.sequence - b.sequence || a.number - b.number;
}

export function alertEventType(alert: Alert): EventType {
  return `inventory.${alert}`;
}
