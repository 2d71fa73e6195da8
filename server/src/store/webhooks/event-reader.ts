import type { PetStatus } from '../../domain/inventory.ts';
import { type Alert, type AlertLevel, alertOf } from '../../domain/ledger/alerts.ts';
import type { Movement } from '../../domain/ledger/ledger.ts';
import {
  comparePositions,
  type EventPosition,
  FIRST_RECORDED_EVENT,
  type RecordedEvent,
} from '../../domain/webhooks/events.ts';
import { MOVEMENT_FIELDS, type MovementRow, toMovement } from '../history/movement-row.ts';
import { rowStatement, type SqlClient } from '../sql-client.ts';

/** Movements per scan: about a millisecond. */
const MAX_MOVEMENTS = 1_000;
/** Recorded events per scan: an order can have 50 kB. */
const MAX_RECORDED = 100;

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
  readonly upTo: EventPosition;
}

/** One statement, so that both numbers are of one moment. */
const HEAD = rowStatement(
  'webhooks_head',
  `SELECT sequence, coalesce((SELECT max(number) FROM events WHERE events.sequence = newest.sequence), 1)
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

/** Reads the events of a database in their order, which is that of their positions. */
export class EventReader {
  readonly #client: SqlClient;

  constructor(client: SqlClient) {
    this.#client = client;
  }

  /** The position of the newest event. All events up to it are in the database, and stay as they are. */
  async head(): Promise<EventPosition> {
    const [row] = await this.#client.read<[number, number]>(HEAD, []);
    const [sequence, number] = row ?? [0, 1];
    return { sequence, number };
  }

  /**
   * Reads the events after a position, as many as one scan may read.
   * @param head A result of `head`; later events are not read, because an earlier one may still be committed.
   */
  async scan(
    after: EventPosition,
    head: EventPosition,
    maxMovements: number = MAX_MOVEMENTS,
  ): Promise<EventScan> {
    // The alert of a movement comes after the movement.
    const first = after.number < FIRST_RECORDED_EVENT - 1 ? after.sequence - 1 : after.sequence;
    const [movements, recorded] = await Promise.all([
      this.#client.read<MovementValues>(MOVEMENTS, [first, head.sequence, maxMovements]),
      this.#client.read<RecordedValues>(RECORDED, [
        after.sequence,
        after.number,
        head.sequence,
        head.number,
        MAX_RECORDED,
      ]),
    ]);
    let upTo = head;
    const lastMovement = movements.length === maxMovements ? movements.at(-1) : undefined;
    if (lastMovement && lastMovement[0] < upTo.sequence) upTo = { sequence: lastMovement[0], number: 1 };
    const lastRecorded = recorded.length === MAX_RECORDED ? recorded.at(-1) : undefined;
    if (lastRecorded) {
      const position = { sequence: lastRecorded[0], number: lastRecorded[1] };
      if (comparePositions(position, upTo) < 0) upTo = position;
    }
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

function toFacts([sequence, petId, statusAfter, alertBefore, alertAfter]: MovementValues): MovementFacts {
  return { sequence, petId, statusAfter, alert: alertOf(alertBefore, alertAfter) };
}

function toRecorded([sequence, number, type, accountId, data, recordedAtMs]: RecordedValues): RecordedEvent {
  return { sequence, number, type, accountId, data, recordedAtMs };
}
