import type pg from 'pg';
import { type FirstMovement, OpenedMovements, SET_UPDATED_AT } from '../../schema/hash-chain-backfill.ts';
import { columnsOf, RECORD_MOVEMENTS } from '../movement-columns.ts';

const ROWS_PER_STATEMENT = 10_000;

type FirstRow = Omit<FirstMovement, 'petId'> & { readonly petId: string };

const FIRST_MOVEMENTS = `SELECT sequence, previous_sequence AS "previousSequence", pet_id::text AS "petId", kind,
quantity_before AS "quantityBefore", quantity_after AS "quantityAfter", status_before AS "statusBefore",
status_after AS "statusAfter", actor, request_id AS "requestId", recorded_at AS "recordedAtMs"
FROM movements_of_step_1 WHERE sequence > $1 ORDER BY sequence LIMIT ${ROWS_PER_STATEMENT}`;

/** Carries the movements of the first step over into the ledger of the second. */
export async function fillOpenedLedger(client: pg.Client): Promise<void> {
  const opened = new OpenedMovements();
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const { rows } = await client.query<FirstRow & pg.QueryResultRow>(FIRST_MOVEMENTS, [after]);
    const movements = rows.map((row) => opened.next({ ...row, petId: BigInt(row.petId) }));
    if (movements.length > 0) await client.query(RECORD_MOVEMENTS, columnsOf(movements));
    const last = movements.at(-1);
    if (!last || rows.length < ROWS_PER_STATEMENT) break;
    after = last.sequence;
  }
  await client.query(SET_UPDATED_AT);
  await client.query('DROP TABLE movements_of_step_1; ANALYZE movements');
}
