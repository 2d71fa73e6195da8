import type { Movement } from '../../domain/ledger/ledger.ts';
import { timestamp } from '../../domain/timestamps.ts';
import {
  type EventPosition,
  type EventType,
  eventId,
  type RecordedEvent,
} from '../../domain/webhooks/events.ts';
import { movementJson } from '../../http/movements/movement-json.ts';

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
  const { sequence, recordedAtMs } = movement;
  return message({ sequence, number }, type, recordedAtMs, movementJson(movement));
}

export function recordedMessage(event: RecordedEvent, render: RenderRecorded): Message {
  const { sequence, number, type, recordedAtMs } = event;
  return message({ sequence, number }, type, recordedAtMs, render(event));
}

/** The body of a message (Standard Webhooks 1.0). By hand, because a number cannot hold every petId in `data`. */
export function messageBody(id: string, type: string, recordedAtMs: number, data: string): string {
  const head = `{"id":"${id}","type":"${type}","timestamp":"${timestamp(recordedAtMs)}","data":`;
  // `join` copies the text. A template keeps its parts in memory, which take ten times as much.
  return [head, data, '}'].join('');
}

function message(position: EventPosition, type: EventType, recordedAtMs: number, data: string): Message {
  const id = eventId(position);
  return { position, id, type, recordedAtMs, body: messageBody(id, type, recordedAtMs, data) };
}
