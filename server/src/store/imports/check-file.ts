import type { Faults } from '@petstore-inventory/shared/pet-file/faults';
import type { CheckProgress, ImportTask, PlacedRow, RefusedRow } from '../../domain/import-jobs.ts';
import type { ImportEngine } from './import-engine.ts';
import { CHECK_LEASE_MS, IS_HELD } from './import-lease.ts';
import { deleteRows, ROWS_PER_DELETION } from './import-rows.ts';
import { givenRows, planRows, refusedRows } from './plan-sql.ts';

const RENEW = `UPDATE imports SET lease_until = $3, updated_at = $4, read_bytes = $5 WHERE ${IS_HELD} 'checking'`;

const FINISH_CHECK = `UPDATE imports SET state = $3, updated_at = $4, lease_until = 0, attempts = 0, read_bytes = byte_count,
faults = $5, fault_count = $6, new_count = $7, changed_count = $8, unchanged_count = $9 WHERE ${IS_HELD} 'checking'`;

const COUNTS = 'SELECT effect, count(*) AS count FROM import_rows WHERE import_id = $1 GROUP BY effect';

/** Removes the rows of an earlier check. Returns whether the lease still holds. */
export async function clearRows(
  engine: ImportEngine,
  task: ImportTask,
  limit = ROWS_PER_DELETION,
): Promise<boolean> {
  for (;;) {
    const deleted = await engine.cleanUp(() =>
      renewed(engine, task, 0, () => deleteRows(engine, task.id, limit)),
    );
    if (deleted === undefined) return false;
    if (deleted < limit) return true;
  }
}

/** Adds rows to the plan. Returns those that it refuses; `undefined` without the lease. */
export function addRows(
  engine: ImportEngine,
  task: ImportTask,
  rows: readonly PlacedRow[],
  { readBytes, maxQuantity }: CheckProgress,
): Promise<readonly RefusedRow[] | undefined> {
  const add = async () => {
    if (rows.length === 0) return [];
    const values = [task.id, givenRows(rows), maxQuantity];
    if ((await engine.run(planRows(engine.dialect, task.mode), values)) === rows.length) return [];
    return findRefused(engine, task, rows, maxQuantity);
  };
  return engine.transaction(() => renewed(engine, task, readBytes, add));
}

/** The rows that are not in the plan, or could not be in one. */
export async function findRefused(
  engine: ImportEngine,
  { id, mode }: Pick<ImportTask, 'id' | 'mode'>,
  rows: readonly PlacedRow[],
  maxQuantity: number,
): Promise<readonly RefusedRow[]> {
  const refused = await engine.all<{ number: number; earlierLine: number | null; found: number }>(
    refusedRows(engine.dialect, mode),
    [id, givenRows(rows), maxQuantity],
  );
  return refused.map(({ number, ...reason }) => ({ ...(rows[number] as PlacedRow), ...reason }));
}

/** Ends the check with its counts: `planned`, or `invalid`. */
export async function finishCheck(
  engine: ImportEngine,
  task: ImportTask,
  { faults, faultCount }: Faults,
): Promise<void> {
  const rows = await engine.all<{ effect: string; count: number }>(COUNTS, [task.id]);
  const counts = new Map(rows.map(({ effect, count }) => [effect, count]));
  await engine.transaction(async () =>
    engine.run(FINISH_CHECK, [
      task.id,
      task.owner,
      faultCount === 0 ? 'planned' : 'invalid',
      await engine.now(),
      JSON.stringify(faults),
      faultCount,
      ...['new', 'changed', 'unchanged'].map((effect) => counts.get(effect) ?? 0),
    ]),
  );
}

/** Renews the lease and runs work in a transaction; `undefined` if another runner has it, or the import is cancelled. */
async function renewed<T>(
  engine: ImportEngine,
  task: ImportTask,
  readBytes: number,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const nowMs = await engine.now();
  const values = [task.id, task.owner, nowMs + CHECK_LEASE_MS, nowMs, readBytes];
  return (await engine.run(RENEW, values)) === 0 ? undefined : work();
}
