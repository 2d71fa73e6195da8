import type { DatabaseSync } from 'node:sqlite';
import { type FirstMovement, OpenedMovements, SET_UPDATED_AT } from '../schema/hash-chain-backfill.ts';
import { columnsOf } from './ledger-writer.ts';
import { WRITE } from './statements.ts';

type FirstRow = Omit<FirstMovement, 'petId'> & { readonly petId: string };

const FIRST_MOVEMENTS = `SELECT sequence, previous_sequence AS previousSequence, CAST(pet_id AS TEXT) AS petId, kind,
quantity_before AS quantityBefore, quantity_after AS quantityAfter, status_before AS statusBefore, status_after AS statusAfter,
actor, request_id AS requestId, recorded_at AS recordedAtMs FROM movements_of_step_1 ORDER BY sequence`;

/** Carries the movements of the first step over into the ledger of the second. */
export function fillOpenedLedger(database: DatabaseSync): void {
  const opened = new OpenedMovements();
  const record = database.prepare(WRITE.recordMovement);
  for (const row of database.prepare(FIRST_MOVEMENTS).iterate() as Iterable<unknown> as Iterable<FirstRow>) {
    record.run(...columnsOf(opened.next({ ...row, petId: BigInt(row.petId) })));
  }
  database.exec(SET_UPDATED_AT);
  database.exec('DROP TABLE movements_of_step_1');
}
