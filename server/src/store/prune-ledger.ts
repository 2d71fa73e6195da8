import { OperatorError } from '../domain/errors.ts';
import type { LedgerHead } from '../domain/ledger.ts';
import type { PruneResult } from '../domain/store.ts';
import { readHead, readStart } from './ledger-bounds.ts';
import { type RowReader, rowStatement } from './row-reader.ts';

/** Movements that one transaction looks at: others wait for the database some hundredths of a second at most. */
const PORTION = 2_000;

const VERIFY = 'petstore-server verify tells more.';

const RECORDED_AT = rowStatement('recordedAt', 'SELECT recorded_at FROM movements WHERE sequence = $1');
type RecordedAtRow = readonly [recordedAtMs: number];

const LAST_OF_PORTION = rowStatement(
  'lastOfPortion',
  `SELECT max(sequence) FROM (
  SELECT sequence FROM movements WHERE sequence > $1 AND sequence <= $2 ORDER BY sequence LIMIT ${PORTION}
) AS portion`,
);
type LastOfPortionRow = readonly [sequence: number | null];

/** Begins the ledger after movement `$1`; never earlier than it begins. */
export const SET_START = `UPDATE ledger_start SET (sequence, recorded_at, hash) = (
  SELECT sequence, recorded_at, hash FROM movements WHERE sequence = $1
) WHERE sequence < $1`;

/** Deletes the movements after `$1` up to `$2`, which is not after the ledger's beginning, but for pets' newest ones. */
export const DELETE_PORTION = `DELETE FROM movements WHERE sequence > $1 AND sequence <= $2 AND sequence IS DISTINCT FROM (
  SELECT last_sequence FROM inventory WHERE inventory.pet_id = movements.pet_id
)`;

/** A database whose ledger can be cut off at its beginning. */
export interface PrunableLedger extends RowReader {
  /** Carries out `SET_START` under the ledger's lock. */
  setStart(sequence: number): Promise<void>;
  /** Carries out `DELETE_PORTION` in a transaction of its own, and lets others write after it. Returns how many rows went. */
  deletePortion(after: number, upTo: number): Promise<number>;
}

/**
 * Forgets movements recorded before a moment. Once the ledger begins later nobody needs those before, so they are
 * deleted bit by bit, the oldest first; what an interrupted run has left the next one deletes.
 */
export async function pruneLedger(ledger: PrunableLedger, beforeMs: number): Promise<PruneResult> {
  const { sequence: held } = await startOf(ledger);
  const wanted = await lastRecordedBefore(ledger, held, beforeMs);
  if (wanted > held) await ledger.setStart(wanted);
  const { sequence, recordedAtMs } = await startOf(ledger);
  let movements = 0;
  for (let position = 0; ; ) {
    const [portion] = await ledger.read<LastOfPortionRow>(LAST_OF_PORTION, [position, sequence]);
    const last = portion?.[0] ?? null;
    if (last === null) return { movements, start: { sequence, recordedAtMs } };
    movements += await ledger.deletePortion(position, last);
    position = last;
  }
}

async function startOf(ledger: PrunableLedger): Promise<LedgerHead> {
  const start = await readStart(ledger);
  if (start) return start;
  throw new OperatorError(`The ledger does not say where it begins, so nothing was pruned; ${VERIFY}`);
}

/** The last movement recorded before a moment, but not the newest of all; not before the ledger's beginning `start`. */
async function lastRecordedBefore(ledger: PrunableLedger, start: number, beforeMs: number): Promise<number> {
  let before = start;
  let after = await readHead(ledger);
  // Times never decrease along the ledger, and after its beginning it has no gaps.
  while (after - before > 1) {
    const middle = before + Math.floor((after - before) / 2);
    const [movement] = await ledger.read<RecordedAtRow>(RECORDED_AT, [middle]);
    if (!movement) {
      // Somebody else may prune too, and have deleted it.
      const { sequence } = await startOf(ledger);
      if (sequence < middle) {
        throw new OperatorError(`The ledger has no movement ${middle}, so nothing was pruned; ${VERIFY}`);
      }
      before = sequence;
    } else if (movement[0] < beforeMs) before = middle;
    else after = middle;
  }
  return before;
}
