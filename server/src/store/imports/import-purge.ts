import { IMPORT_KEPT_MS } from '../../domain/management/imports.ts';
import type { ImportEngine } from './import-engine.ts';
import { deleteRows, ROWS_PER_DELETION } from './import-rows.ts';

/** Parts of files per transaction: others write in between. */
const PARTS_PER_PORTION = 16;

const IS_EXPIRED = `state <> 'deleted' AND lease_until <= $1
AND (state = 'receiving' OR state NOT IN ('checking', 'applying') AND updated_at <= $2)`;
const EXPIRED = `SELECT id FROM imports WHERE ${IS_EXPIRED} LIMIT 1`;
const EXPIRE = `UPDATE imports SET state = 'deleted' WHERE ${IS_EXPIRED}`;

const DELETED = `SELECT id FROM imports WHERE state = 'deleted' ORDER BY created_at, id LIMIT 1`;

/** Files that nothing reads again. */
const NEEDLESS_PARTS = `SELECT import_id AS id, number FROM import_parts JOIN imports ON imports.id = import_id
WHERE state IN ('deleted', 'applied', 'cancelled', 'invalid') LIMIT ${PARTS_PER_PORTION}`;

/** Deletes at most `limit` rows of old or interrupted imports. Returns whether more may be left. */
export async function purgeImports(engine: ImportEngine, limit = ROWS_PER_DELETION): Promise<boolean> {
  const nowMs = await engine.now();
  const times = [nowMs, nowMs - IMPORT_KEPT_MS];
  if ((await engine.all(EXPIRED, times)).length > 0) await engine.cleanUp(() => engine.run(EXPIRE, times));
  const parts = await engine.all<{ id: string; number: number }>(NEEDLESS_PARTS);
  if (parts.length > 0) {
    await engine.cleanUp(async () => {
      for (const { id, number } of parts)
        await engine.run('DELETE FROM import_parts WHERE import_id = $1 AND number = $2', [id, number]);
    });
    return true;
  }
  const [deleted] = await engine.all<{ id: string }>(DELETED);
  if (deleted === undefined) return false;
  return engine.cleanUp(async () => {
    const rows = await deleteRows(engine, deleted.id, limit);
    if (rows === 0) await engine.run(`DELETE FROM imports WHERE id = $1 AND state = 'deleted'`, [deleted.id]);
    return true;
  });
}
