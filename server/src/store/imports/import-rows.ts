import type { ImportEngine } from './import-engine.ts';

/** Rows of one transaction: others write in between. */
export const ROWS_PER_DELETION = 10_000;

const DELETE_ROWS = `DELETE FROM import_rows WHERE import_id = $1 AND pet_id IN
(SELECT pet_id FROM import_rows WHERE import_id = $1 ORDER BY pet_id LIMIT $2)`;

/** Deletes rows of an import within a transaction. Returns how many; fewer than `limit`: all are deleted. */
export function deleteRows(
  engine: ImportEngine,
  importId: string,
  limit = ROWS_PER_DELETION,
): Promise<number> {
  return engine.run(DELETE_ROWS, [importId, limit]);
}
