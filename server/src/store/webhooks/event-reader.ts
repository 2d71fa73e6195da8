import type { AlertLevel, PetStatus } from '@petstore-inventory/shared/words';
import { type Alert, alertOf } from '../../domain/ledger/alerts.ts';
import type { Movement } from '../../domain/ledger/ledger.ts';
import {
  ALERT_EVENT,
  comparePositions,
  type EventPosition,
  type RecordedEvent,
} from '../../domain/webhooks/events.ts';
import { MOVEMENT_FIELDS, type MovementRow, toMovement } from '../history/movement-row.ts';
import { rowStatement, type SqlClient } from '../sql-client.ts';

/** The most rows that one scan takes: whole numbers from 1 on. */
export interface ScanLimits {
  readonly movements: number;
  readonly recorded: number;
}

/** A thousand movements take about a millisecond. A recorded event may be an order of 50 kB. */
export const SCAN_LIMITS: ScanLimits = { movements: 1_000, recorded: 100 };

/** The columns of a movement that decide which endpoints receive it. */
export interface MovementFacts {
  readonly sequence: number;
  readonly petId: string;
  readonly statusAfter: PetStatus;
  readonly alert: Alert | null;
}

/** All events after one position, up to another one. */
export interface EventScan {
  readonly movements: readonly MovementFacts[];
  readonly recorded: readonly RecordedEvent[];
  /** How far the scan reached. Only here it shows whether it reached the head: the numbers of rows do not. */
  readonly upTo: EventPosition;
}

/** One statement, so that both numbers are of one moment. */
const HEAD = rowStatement(
  'webhooks_head',
  `SELECT sequence, coalesce((SELECT max(number) FROM events WHERE events.sequence = newest.sequence), ${ALERT_EVENT})
FROM (
  SELECT coalesce((SELECT max(sequence) FROM movements), (SELECT sequence FROM ledger_start)) AS sequence
) AS newest`,
);

const MOVEMENTS = rowStatement(
  'webhooks_movements',
  `SELECT sequence, CAST(pet_id AS text), status_after, alert_before, alert_after FROM movements
WHERE sequence > CAST($1 AS bigint) AND sequence <= CAST($2 AS bigint) ORDER BY sequence LIMIT CAST($3 AS bigint)`,
);

const RECORDED = rowStatement(
  'webhooks_recorded',
  `SELECT sequence, number, type, account_id, data, recorded_at FROM events
WHERE (sequence, number) > (CAST($1 AS bigint), CAST($2 AS bigint))
AND (sequence, number) <= (CAST($3 AS bigint), CAST($4 AS bigint))
ORDER BY sequence, number LIMIT CAST($5 AS bigint)`,
);

type MovementValues = [number, string, PetStatus, AlertLevel | null, AlertLevel | null];
type RecordedValues = [number, number, RecordedEvent['type'], string | null, string, number];

const AFTER_ALL: EventPosition = { sequence: Number.POSITIVE_INFINITY, number: 0 };

export type EventClient = Pick<SqlClient, 'all' | 'read'>;

/** Reads the events of a database in their order, which is that of their positions. */
export class EventReader {
  readonly #client: EventClient;

  constructor(client: EventClient) {
    this.#client = client;
  }

  /** The position of the newest event. All events up to it are in the database, and stay as they are. */
  async head(): Promise<EventPosition> {
    const [row] = await this.#client.read<[number, number]>(HEAD, []);
    const [sequence, number] = row ?? [0, ALERT_EVENT];
    return { sequence, number };
  }

  /**
   * Reads the events after a position, as many as one scan may take.
   * @param head A result of `head`; later events are not read, because an earlier one may still be committed.
   * @throws RangeError for a limit that is not a whole number from 1 on.
   */
  async scan(
    after: EventPosition,
    head: EventPosition,
    limits: ScanLimits = SCAN_LIMITS,
  ): Promise<EventScan> {
    requireWhole(limits);
    // The alert of a movement comes after the movement.
    const first = after.number < ALERT_EVENT ? after.sequence - 1 : after.sequence;
    // One row more than the scan takes shows whether there are more.
    const [movements, recorded] = await Promise.all([
      this.#client.read<MovementValues>(MOVEMENTS, [first, head.sequence, limits.movements + 1]),
      this.#client.read<RecordedValues>(RECORDED, [
        after.sequence,
        after.number,
        head.sequence,
        head.number,
        limits.recorded + 1,
      ]),
    ]);
    const upTo = [
      head,
      endOfTaken(movements, limits.movements, ([sequence]) => ({ sequence, number: ALERT_EVENT })),
      endOfTaken(recorded, limits.recorded, ([sequence, number]) => ({ sequence, number })),
    ].reduce(earlier);
    return {
      movements: movements.map(toFacts).filter(({ sequence }) => sequence <= upTo.sequence),
      recorded: recorded.map(toRecorded).filter((event) => comparePositions(event, upTo) <= 0),
      upTo,
    };
  }

  /** The movements of these sequences that are not pruned, ascending. */
  async movements(sequences: readonly number[]): Promise<readonly Movement[]> {
    if (sequences.length === 0) return [];
    const places = sequences.map((_, i) => `$${i + 1}`).join(', ');
    const rows = await this.#client.all<MovementRow>(
      `SELECT ${MOVEMENT_FIELDS} FROM movements LEFT JOIN api_keys ON api_keys.id = actor
WHERE movements.sequence IN (${places}) ORDER BY movements.sequence`,
      sequences,
    );
    return rows.map(toMovement);
  }
}

/** SQLite rounds a limit that is not whole, PostgreSQL refuses it, and neither shows which rows are missing. */
function requireWhole(limits: ScanLimits): void {
  for (const [name, limit] of Object.entries(limits)) {
    if (Number.isSafeInteger(limit) && limit > 0) continue;
    throw new RangeError(`A scan takes a whole number of ${name} from 1 on, not ${limit}.`);
  }
}

/** The position of the last row that a scan takes; after all positions where it takes all rows. */
function endOfTaken<Row>(
  rows: readonly Row[],
  limit: number,
  positionOf: (row: Row) => EventPosition,
): EventPosition {
  const isMore = rows[limit] !== undefined;
  return isMore ? positionOf(rows[limit - 1] as Row) : AFTER_ALL;
}

function earlier(a: EventPosition, b: EventPosition): EventPosition {
  return comparePositions(a, b) <= 0 ? a : b;
}

function toFacts([sequence, petId, statusAfter, alertBefore, alertAfter]: MovementValues): MovementFacts {
  return { sequence, petId, statusAfter, alert: alertOf(alertBefore, alertAfter) };
}

function toRecorded([sequence, number, type, accountId, data, recordedAtMs]: RecordedValues): RecordedEvent {
  return { sequence, number, type, accountId, data, recordedAtMs };
}
