import type { Author } from '../../domain/ledger/ledger.ts';
import {
  type EventPosition,
  FIRST_RECORDED_EVENT,
  type RecordedEvent,
} from '../../domain/webhooks/events.ts';
import { orderEventText, orderEventType } from '../../domain/webhooks/order-events.ts';
import type { WriteCommand, WriteResult } from '../../domain/write-command.ts';

/** Numbers the recorded events of a batch of writes. */
export class BatchEvents {
  readonly added: RecordedEvent[] = [];
  #newest: EventPosition | undefined;

  /** @param newest The newest event in the database, if the batch may add one. */
  constructor(newest: EventPosition | undefined) {
    this.#newest = newest;
  }

  /**
   * Adds the event of an order that was placed, or of a step of one. Other commands have none.
   * @param at The sequence of the newest movement after the command, and the time to record.
   */
  note(
    command: WriteCommand,
    result: WriteResult,
    author: Author,
    at: { readonly sequence: number; readonly recordedAtMs: number },
  ): void {
    if (result.kind !== 'order' || result.code !== 'done' || !result.order) return;
    const { sequence, recordedAtMs } = at;
    const number = this.#newest?.sequence === sequence ? this.#newest.number + 1 : FIRST_RECORDED_EVENT;
    const event: RecordedEvent = {
      sequence,
      number,
      type: orderEventType(command.kind === 'step' ? command.step : undefined),
      accountId: null,
      data: orderEventText(result.order, author),
      recordedAtMs,
    };
    this.#newest = event;
    this.added.push(event);
  }
}

/** Whether a write may add an event. */
export function addsEvent({ kind }: WriteCommand): boolean {
  return kind === 'place' || kind === 'step';
}

/** The position of the newest event, in SQL of both engines. */
export const NEWEST_EVENT = 'SELECT sequence, number FROM events ORDER BY sequence DESC, number DESC LIMIT 1';

export const EVENT_COLUMNS = 'sequence, number, type, account_id, data, recorded_at';

/** The values of a row of `events`. */
export function eventValues({ sequence, number, type, accountId, data, recordedAtMs }: RecordedEvent) {
  return [sequence, number, type, accountId, data, recordedAtMs] as const;
}

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
