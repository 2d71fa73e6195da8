import { hash as digest } from 'node:crypto';
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

/** A movement itself. */
export const MOVEMENT_EVENT = 0;

/** The alert of a movement, which is its last event without a row. */
export const ALERT_EVENT = 1;

export const FIRST_RECORDED_EVENT = ALERT_EVENT + 1;

/** An event that is a row of its own, written in the transaction that it reports. */
export interface RecordedEvent extends EventPosition {
  readonly type: RecordedEventType;
  /** The account to whose endpoints it is sent; `null`: those of all accounts. */
  readonly accountId: string | null;
  /** The `data` of the message, as JSON. */
  readonly data: string;
  readonly recordedAtMs: number;
}

/** A position, and what the event there must be. */
export interface EventReference extends EventPosition {
  readonly fingerprint?: string | undefined;
}

const EVENT_ID = /^(\d{1,16})\.(\d{1,9})(?:-([0-9a-f]{8}))?$/;
const FINGERPRINT_DIGITS = 8;

/** A position as text, such as `815.0`. */
export function positionText({ sequence, number }: EventPosition): string {
  return `${sequence}.${number}`;
}

/**
 * The id of an event, such as `815.0-1a2b3c4d`: the same in each delivery. After a restored backup a position repeats, but
 * its fingerprint does not, so a receiver cannot take a new event for a lost one.
 */
export function eventId(position: EventPosition, fingerprint: string): string {
  return `${positionText(position)}-${fingerprint}`;
}

/** @param hash The hash of the movement, which covers the whole history before it. */
export function movementFingerprint(hash: string): string {
  return hash.slice(0, FINGERPRINT_DIGITS);
}

export function recordedFingerprint(event: Omit<RecordedEvent, keyof EventPosition>): string {
  const { type, accountId, data, recordedAtMs } = event;
  const content = JSON.stringify([type, accountId, data, recordedAtMs]);
  return digest('sha256', content).slice(0, FINGERPRINT_DIGITS);
}

/** Parses the id of an event, or a position. */
export function parseEventId(text: string): EventReference | undefined {
  const [, sequence, number, fingerprint] = EVENT_ID.exec(text) ?? [];
  if (sequence === undefined || !Number.isSafeInteger(Number(sequence))) return undefined;
  return { sequence: Number(sequence), number: Number(number), fingerprint };
}

/** Negative where `a` comes before `b`. */
export function comparePositions(a: EventPosition, b: EventPosition): number {
  return a.sequence - b.sequence || a.number - b.number;
}

export function alertEventType(alert: Alert): EventType {
  return `inventory.${alert}`;
}
