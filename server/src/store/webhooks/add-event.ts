import { FIRST_RECORDED_EVENT } from '../../domain/webhooks/events.ts';
import { EVENT_COLUMNS } from '../ledger/batch-events.ts';

/** The newest movement, and the number of the event to record next, in SQL of both engines. */
export const NEXT_EVENT = `SELECT sequence,
coalesce((SELECT max(number) FROM events WHERE events.sequence = newest.sequence) + 1, ${FIRST_RECORDED_EVENT}) AS number
FROM (SELECT coalesce(max(sequence), 0) AS sequence FROM movements) AS newest`;

/**
 * Adds an event of type `$1` for the account `$2` with the data `$3`, recorded at `$4`, after all events. The transaction
 * must hold the ledger's lock since before this statement, because its snapshot must contain all earlier events.
 */
export const ADD_EVENT = `INSERT INTO events (${EVENT_COLUMNS})
SELECT sequence, number, $1, $2, $3, CAST($4 AS bigint) FROM (${NEXT_EVENT}) AS next`;
