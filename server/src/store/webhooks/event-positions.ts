import { OperatorError } from '../../domain/errors.ts';
import {
  comparePositions,
  type EventPosition,
  eventId,
  FIRST_RECORDED_EVENT,
  type RecordedEvent,
} from '../../domain/webhooks/events.ts';
import type { SqlClient } from '../sql-client.ts';
import { ADD_EVENT } from './add-event.ts';

/** The newest movement, and the newest event that was recorded after it. */
const NEWEST = `SELECT sequence, (SELECT max(number) FROM events WHERE events.sequence = newest.sequence) AS number
FROM (SELECT coalesce(max(sequence), 0) AS sequence FROM movements) AS newest`;
const START = 'SELECT sequence FROM ledger_start';
/** The number of the alert of a movement, which is its last event without a row. */
const ALERT = FIRST_RECORDED_EVENT - 1;

/** The place after all events. Read it under the ledger's lock to know that no earlier event can still come. */
export async function newestPosition(client: Pick<SqlClient, 'all'>): Promise<EventPosition> {
  const [row] = await client.all<{ sequence: number; number: number | null }>(NEWEST);
  return { sequence: row?.sequence ?? 0, number: row?.number ?? ALERT };
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
 * @throws OperatorError `history_pruned` for one before the retention start, `validation_failed` for one in the future.
 */
export async function requireReplayable(client: Pick<SqlClient, 'all'>, after: EventPosition): Promise<void> {
  const newest = await newestPosition(client);
  if (comparePositions(after, newest) > 0) {
    throw new OperatorError(
      `after: there is no event ${eventId(after)} yet; the newest is ${eventId(newest)}.`,
      {
        code: 'validation_failed',
      },
    );
  }
  const [start] = await client.all<{ sequence: number }>(START);
  const oldest = { sequence: start?.sequence ?? 0, number: ALERT };
  if (oldest.sequence > 0 && comparePositions(after, oldest) < 0) {
    throw new OperatorError(
      `The events after ${eventId(after)} are pruned in part; all events after ${eventId(oldest)} can be delivered again.`,
      { code: 'history_pruned' },
    );
  }
}
