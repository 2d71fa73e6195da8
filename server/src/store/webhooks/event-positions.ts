import { OperatorError, validationFailed } from '../../domain/errors.ts';
import {
  ALERT_EVENT,
  comparePositions,
  type EventPosition,
  type EventReference,
  FIRST_RECORDED_EVENT,
  movementFingerprint,
  positionText,
  type RecordedEvent,
  recordedFingerprint,
} from '../../domain/webhooks/events.ts';
import { hexOf } from '../hex.ts';
import { ADD_EVENT } from '../ledger/batch-events.ts';
import type { SqlClient, SqlReader } from '../sql-client.ts';

/** The newest movement, and the newest event that was recorded after it. */
const NEWEST = `SELECT sequence, (SELECT max(number) FROM events WHERE events.sequence = newest.sequence) AS number
FROM (SELECT coalesce(max(sequence), 0) AS sequence FROM movements) AS newest`;
const START = 'SELECT sequence FROM ledger_start';
const HASH = 'SELECT hash FROM movements WHERE sequence = $1';
const RECORDED = `SELECT type, account_id AS "accountId", data, recorded_at AS "recordedAtMs" FROM events
WHERE sequence = $1 AND number = $2`;
/** The place after all events. Read it under the ledger's lock to know that no earlier event can still come. */
export async function newestPosition(client: SqlReader): Promise<EventPosition> {
  const [row] = await client.all<{ sequence: number; number: number | null }>(NEWEST);
  return { sequence: row?.sequence ?? 0, number: row?.number ?? ALERT_EVENT };
}

/** Records an event in the caller's transaction, which holds the ledger's lock. */
export async function recordEvent(
  client: Pick<SqlClient, 'run'>,
  { type, accountId, data, recordedAtMs }: Omit<RecordedEvent, keyof EventPosition>,
): Promise<void> {
  await client.run(ADD_EVENT, [type, accountId, data, recordedAtMs]);
}

/**
 * Refuses a place from which not every later event can be read.
 * @throws OperatorError `history_pruned` for one before the retention start, `validation_failed` for one in the future or of
 * a history that a restored backup has replaced.
 */
export async function requireReplayable(client: SqlReader, after: EventReference): Promise<void> {
  const newest = await newestPosition(client);
  if (comparePositions(after, newest) > 0) {
    throw validationFailed(
      `after: there is no event ${positionText(after)} yet; the newest is ${positionText(newest)}.`,
    );
  }
  const [start] = await client.all<{ sequence: number }>(START);
  const oldest = { sequence: start?.sequence ?? 0, number: ALERT_EVENT };
  if (oldest.sequence > 0 && comparePositions(after, oldest) < 0) {
    throw new OperatorError(
      `The events after ${positionText(after)} are pruned in part; all events after ${positionText(oldest)} can be delivered again.`,
      { code: 'history_pruned' },
    );
  }
  const { fingerprint } = after;
  if (fingerprint === undefined || [undefined, fingerprint].includes(await findFingerprint(client, after)))
    return;
  const place = positionText(after);
  throw validationFailed(
    `after: event ${place} is not ${place}-${fingerprint} any more, because a backup was restored; give an earlier event, or ${place} to continue at that place.`,
  );
}

/** `undefined` without an event at this place: it is pruned, or before all events. */
async function findFingerprint(
  client: SqlReader,
  { sequence, number }: EventPosition,
): Promise<string | undefined> {
  if (number < FIRST_RECORDED_EVENT) {
    const [row] = await client.all<{ hash: Uint8Array }>(HASH, [sequence]);
    return row && movementFingerprint(hexOf(row.hash));
  }
  const [row] = await client.all<Omit<RecordedEvent, keyof EventPosition>>(RECORDED, [sequence, number]);
  return row && recordedFingerprint(row);
}
