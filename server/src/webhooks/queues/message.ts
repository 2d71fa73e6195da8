import type { Movement } from '../../domain/ledger/ledger.ts';
import { timestamp } from '../../domain/timestamps.ts';
import {
  type EventPosition,
  type EventType,
  eventId,
  movementFingerprint,
  type RecordedEvent,
  recordedFingerprint,
} from '../../domain/webhooks/events.ts';
import { movementJson } from '../../wire/movement-json.ts';

/** An event as the receivers get it: the same bytes in each attempt. */
export interface Message {
  readonly position: EventPosition;
  readonly id: string;
  readonly type: EventType;
  readonly recordedAtMs: number;
  readonly body: string;
}

/** Returns the `data` of a recorded event as JSON. */
export type RenderRecorded = (event: RecordedEvent) => string;

export function movementMessage(movement: Movement, number: number, type: EventType): Message {
  const { sequence, recordedAtMs, hash } = movement;
  const event = { position: { sequence, number }, type, recordedAtMs };
  return message(event, movementFingerprint(hash), movementJson(movement));
}

export function recordedMessage(event: RecordedEvent, render: RenderRecorded): Message {
  const { sequence, number, type, recordedAtMs } = event;
  const position = { sequence, number };
  return message({ position, type, recordedAtMs }, recordedFingerprint(event), render(event));
}

/** The body of a message (Standard Webhooks 1.0). By hand, because a number cannot hold every petId in `data`. */
export function messageBody(id: string, type: string, recordedAtMs: number, data: string): string {
  const head = `{"id":"${id}","type":"${type}","timestamp":"${timestamp(recordedAtMs)}","data":`;
  // `join` copies the text. A template keeps its parts in memory, which take ten times as much.
  return [head, data, '}'].join('');
}

function message(event: Omit<Message, 'id' | 'body'>, fingerprint: string, data: string): Message {
  const id = eventId(event.position, fingerprint);
  return { ...event, id, body: messageBody(id, event.type, event.recordedAtMs, data) };
}
