import { IMPORT_KEPT_MS } from '../../domain/management/imports.ts';
import type { ImportEngine } from './import-engine.ts';
import { TOO_LONG_MS, UPLOAD_TIMEOUT_MS } from './import-lease.ts';

/** Rows, and parts of files, of one transaction: others write in between. */
export const ROWS_PER_DELETION = 10_000;
const PARTS_PER_DELETION = 16;

const DELETE_ROWS = `DELETE FROM import_rows WHERE import_id = $1 AND pet_id IN
(SELECT pet_id FROM import_rows WHERE import_id = $1 ORDER BY pet_id LIMIT $2)`;
const DELETE_BAD_ROWS = 'DELETE FROM import_bad_rows WHERE import_id = $1';

const IS_EXPIRED = `state <> 'deleted' AND lease_until <= $1
AND (state = 'receiving' OR state NOT IN ('checking', 'applying') AND updated_at <= $2)`;
const EXPIRED = `SELECT id FROM imports WHERE ${IS_EXPIRED} LIMIT 1`;
const EXPIRE = `UPDATE imports SET state = 'deleted' WHERE ${IS_EXPIRED}`;

/** An upload that was interrupted while the clock was ahead. One that is not continues, and has another time then. */
const IS_AHEAD = `state = 'receiving' AND lease_until >= CAST($1 AS bigint) + ${TOO_LONG_MS}`;
const AHEAD = `SELECT id FROM imports WHERE ${IS_AHEAD} LIMIT 1`;
const SHORTEN = `UPDATE imports SET lease_until = CAST($1 AS bigint) + ${UPLOAD_TIMEOUT_MS} WHERE ${IS_AHEAD}`;

/** Files that nothing reads again. */
const NEEDLESS_PARTS = `SELECT import_id AS id, number FROM import_parts JOIN imports ON imports.id = import_id
WHERE state IN ('deleted', 'applied', 'cancelled') OR state = 'invalid' AND new_count + changed_count = 0 LIMIT ${PARTS_PER_DELETION}`;
const DELETE_PART = 'DELETE FROM import_parts WHERE import_id = $1 AND number = $2';

const DELETED = `SELECT id FROM imports WHERE state = 'deleted' ORDER BY created_at, id LIMIT 1`;
const DELETE = `DELETE FROM imports WHERE id = $1 AND state = 'deleted'`;

/** Deletes rows of an import, and those with faults, within a transaction. Fewer than `most`: all are deleted. */
export async function deleteRows(
  engine: Pick<ImportEngine, 'run'>,
  importId: string,
  most: number,
): Promise<number> {
  await engine.run(DELETE_BAD_ROWS, [importId]);
  return engine.run(DELETE_ROWS, [importId, most]);
}

/**
 * Ends and deletes imports that are over, in small transactions.
 * @returns Whether there may be more to delete.
 */
export async function purgeImports(engine: ImportEngine, rowsPerDeletion: number): Promise<boolean> {
  const nowMs = await engine.now();
  const times = [nowMs, nowMs - IMPORT_KEPT_MS];
  if ((await engine.all(EXPIRED, times)).length > 0) {
    await engine.cleanUp(() => engine.run(EXPIRE, times));
  }
  if ((await engine.all(AHEAD, [nowMs])).length > 0) {
    await engine.cleanUp(() => engine.run(SHORTEN, [nowMs]));
  }
  const parts = await engine.all<{ id: string; number: number }>(NEEDLESS_PARTS);
  if (parts.length > 0) {
    await engine.cleanUp(async () => {
      for (const { id, number } of parts) await engine.run(DELETE_PART, [id, number]);
    });
    return true;
  }
  const [deleted] = await engine.all<{ id: string }>(DELETED);
  if (deleted === undefined) return false;
  return engine.cleanUp(async () => {
    const rows = await deleteRows(engine, deleted.id, rowsPerDeletion);
    if (rows === 0) await engine.run(DELETE, [deleted.id]);
    return true;
  });
}
