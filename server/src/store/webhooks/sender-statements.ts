import { toStorableText } from '@petstore-inventory/shared/storable-text';
import { MAX_LOGGED_ATTEMPTS, type UnloggedAttempt } from '../../domain/webhooks/webhook-endpoint.ts';
import { BYTES_PER_ENDPOINT } from '../../domain/webhooks/webhook-store.ts';
import type { SqlValue } from '../sql-client.ts';
import { SELECT_ENDPOINTS } from './endpoint-row.ts';

/** Filters of 400,000 pets have 6.7 million characters, and took 70 MB. */
const BYTES_PER_CHARACTER = 16;

/** No row without an endpoint to send to. */
export const ENDPOINT_MEMORY = `SELECT
  CAST(sum(coalesce(length(pet_ids), 0)) * ${BYTES_PER_CHARACTER} + count(*) * ${BYTES_PER_ENDPOINT} AS bigint) AS bytes
FROM webhook_endpoints WHERE paused_at IS NULL HAVING count(*) > 0`;

/**
 * Takes the first `$6` leases after the endpoint `$5` that are free or its own. No sender takes a lease until `$4` or
 * later, unless the clock was set back meanwhile. Locks the rows in one order, because two senders that lock them in two orders
 * would wait for each other.
 */
export function takeLeases(forUpdate: string): string {
  return `UPDATE webhook_endpoints
SET lease_token = lease_token + CASE WHEN lease_owner = $1 THEN 0 ELSE 1 END, lease_owner = $1, lease_until = $3
WHERE id IN (
  SELECT id FROM webhook_endpoints WHERE paused_at IS NULL AND (lease_owner = $1 OR lease_until <= $2 OR lease_until >= $4)
  AND id > $5 ORDER BY id LIMIT CAST($6 AS bigint) ${forUpdate}
)`;
}

/** The endpoints whose leases `takeLeases` took in this transaction, by their ends. */
export const TAKEN_LEASES = `${SELECT_ENDPOINTS} WHERE lease_owner = $1 AND lease_until = $2 AND id > $3
AND paused_at IS NULL ORDER BY id LIMIT CAST($4 AS bigint)`;

export const RELEASE =
  'UPDATE webhook_endpoints SET lease_owner = NULL, lease_until = 0 WHERE lease_owner = $1';

/** The endpoints with these ids, locked in the order of `takeLeases`. */
export function lockReported(count: number, forUpdate: string): string {
  const ids = Array.from({ length: count }, (_, i) => `$${i + 1}`);
  return `SELECT id, account_id AS "accountId", url, paused_at AS "pausedAtMs", lease_token AS token, attempts
FROM webhook_endpoints WHERE id IN (${ids.join(', ')}) ORDER BY id ${forUpdate}`;
}

export interface ReportedRow {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly pausedAtMs: number | null;
  readonly token: number;
  /** How many attempts were ever logged. */
  readonly attempts: number;
}

/**
 * Statements with a list of rows of parameters, by the number of rows. Each is made once: 100 rows have thousands of
 * characters. The parameters have types because PostgreSQL takes those of a list of values for text.
 */
function ofRows(types: readonly string[], statement: (rows: string) => string): (count: number) => string {
  const row = (i: number) =>
    types.map((type, column) => `CAST($${i * types.length + column + 1} AS ${type})`).join(', ');
  const made = new Map<number, string>();
  return (count) => {
    const known = made.get(count);
    if (known !== undefined) return known;
    const sql = statement(Array.from({ length: count }, (_, i) => `(${row(i)})`).join(', '));
    made.set(count, sql);
    return sql;
  };
}

const PROGRESS_TYPES = 'text bigint bigint bigint bigint bigint bigint'.split(' ');

/** Values per endpoint: id, cursor, since when it fails, failures, time of the retry, and all attempts. */
export const writeProgress = ofRows(
  PROGRESS_TYPES,
  (
    rows,
  ) => `WITH progress (id, sequence, number, failing_since, failures, retry_at, attempts) AS (VALUES ${rows})
UPDATE webhook_endpoints SET cursor_sequence = progress.sequence, cursor_number = progress.number,
  failing_since = progress.failing_since, failures = progress.failures, retry_at = progress.retry_at, attempts = progress.attempts
FROM progress WHERE webhook_endpoints.id = progress.id`,
);

export const PAUSE = `UPDATE webhook_endpoints
SET paused_at = $2, pause_reason = $3, version = version + 1, updated_at = $2 WHERE id = $1`;

/** Texts and integers of an attempt, in the order of the columns. */
const ATTEMPT_TYPES = 'text bigint bigint text text bigint bigint bigint bigint text text text text'.split(
  ' ',
);

/** A ring per endpoint: an attempt replaces the one whose slot it has. */
export const logAttempts = ofRows(
  ATTEMPT_TYPES,
  (rows) => `INSERT INTO webhook_attempts
  (endpoint_id, slot, number, event_id, event_type, attempt, attempted_at, duration_ms, status_code, error, response, error_code, error_detail)
VALUES ${rows}
ON CONFLICT (endpoint_id, slot) DO UPDATE SET number = excluded.number, event_id = excluded.event_id,
  event_type = excluded.event_type, attempt = excluded.attempt, attempted_at = excluded.attempted_at,
  duration_ms = excluded.duration_ms, status_code = excluded.status_code, error = excluded.error, response = excluded.response,
  error_code = excluded.error_code, error_detail = excluded.error_detail`,
);

/** The values of a row of `logAttempts`. @param number Counts the attempts of the endpoint. */
export function attemptValues(
  endpointId: string,
  number: number,
  attempt: UnloggedAttempt,
): readonly SqlValue[] {
  const {
    eventId,
    eventType,
    attemptedAtMs,
    durationMs,
    statusCode,
    error,
    response,
    errorCode,
    errorDetail,
  } = attempt;
  // A receiver decides these texts.
  const texts = [error, response, errorCode, errorDetail].map((text) => text && toStorableText(text));
  const event = [eventId, eventType, attempt.attempt, attemptedAtMs, durationMs, statusCode];
  return [endpointId, number % MAX_LOGGED_ATTEMPTS, number, ...event, ...texts];
}
