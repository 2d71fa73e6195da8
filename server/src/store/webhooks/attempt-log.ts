import { toStorableText } from '@petstore-inventory/shared/storable-text';
import { MAX_LOGGED_ATTEMPTS, type UnloggedAttempt } from '../../domain/webhooks/webhook-endpoint.ts';
import type { SqlValue } from '../sql-client.ts';
import { placesOf } from './sender-statements.ts';

/** Texts and integers of an attempt, in the order of the columns. */
const ATTEMPT_TYPES = 'text bigint bigint text text bigint bigint bigint bigint text text'.split(' ');

/** A ring per endpoint: an attempt replaces the one whose slot it has. */
export function logAttempts(count: number): string {
  return `INSERT INTO webhook_attempts
  (endpoint_id, slot, number, event_id, event_type, attempt, attempted_at, duration_ms, status_code, error, response)
VALUES ${placesOf(count, ATTEMPT_TYPES)}
ON CONFLICT (endpoint_id, slot) DO UPDATE SET number = excluded.number, event_id = excluded.event_id,
  event_type = excluded.event_type, attempt = excluded.attempt, attempted_at = excluded.attempted_at,
  duration_ms = excluded.duration_ms, status_code = excluded.status_code, error = excluded.error, response = excluded.response`;
}

/** The values of a row of `logAttempts`. @param number Counts the attempts of the endpoint. */
export function attemptValues(
  endpointId: string,
  number: number,
  attempt: UnloggedAttempt,
): readonly SqlValue[] {
  const { eventId, eventType, attemptedAtMs, durationMs, statusCode, error, response } = attempt;
  // A receiver decides these texts.
  const texts = [error, response].map((text) => text && toStorableText(text));
  const event = [eventId, eventType, attempt.attempt, attemptedAtMs, durationMs, statusCode];
  return [endpointId, number % MAX_LOGGED_ATTEMPTS, number, ...event, ...texts];
}
