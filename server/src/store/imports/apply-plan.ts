import type { Faults, FileFault } from '@petstore-inventory/shared/pet-file/faults';
import { importProblem } from '@petstore-inventory/shared/pet-file/import-problems';
import type { ImportTask } from '../../domain/import-jobs.ts';
import { MAX_IMPORT_FAULTS } from '../../domain/management/imports.ts';
import type { ImportEngine } from './import-engine.ts';
import { IS_HELD } from './import-lease.ts';
import { STALE_ROWS } from './plan-sql.ts';

const APPLIED = `UPDATE imports SET state = 'applied', updated_at = $3, lease_until = 0 WHERE ${IS_HELD} 'applying'`;

const STALE = `UPDATE imports SET state = 'stale', updated_at = $3, lease_until = 0, attempts = 0, faults = $4, fault_count = $5
WHERE ${IS_HELD} 'applying'`;

/** Thrown within the transaction of an import, which is then rolled back. */
class StalePlan extends Error {
  readonly faults: Faults;

  constructor(faults: Faults) {
    super('The stock changed after the plan.');
    this.faults = faults;
  }
}

class LostLease extends Error {}

/** Writes all rows of a plan and the new state in one transaction; or finds that the plan is stale, or the lease lost. */
export async function applyPlan(engine: ImportEngine, task: ImportTask): Promise<void> {
  const { id, owner } = task;
  const sql = 'SELECT applied_by AS "actor", request_id AS "requestId" FROM imports WHERE id = $1';
  const [author] = await engine.all<{ actor: string; requestId: string | null }>(sql, [id]);
  if (author === undefined) return;
  try {
    await engine.importPets(
      { importId: id },
      { ...author, atMs: undefined },
      { begin: () => begin(engine, task) },
    );
  } catch (error) {
    if (error instanceof LostLease) return;
    if (!(error instanceof StalePlan)) throw error;
    const { faults, faultCount } = error.faults;
    const values = [id, owner, await engine.now(), JSON.stringify(faults), faultCount];
    await engine.transaction(() => engine.run(STALE, values));
  }
}

/** Changes the state first, so that of two runners only one writes. */
async function begin(engine: ImportEngine, { id, owner }: ImportTask): Promise<void> {
  if ((await engine.run(APPLIED, [id, owner, await engine.now()])) === 0) throw new LostLease();
  const stale = await engine.all<{ petId: string; line: number; element: number | null; total: number }>(
    STALE_ROWS,
    [id, MAX_IMPORT_FAULTS],
  );
  if (stale.length === 0) return;
  const faults = stale.map(
    ({ petId, line, element }): FileFault => ({
      line,
      element,
      field: null,
      ...importProblem('stock_changed', { petId }),
      row: null,
    }),
  );
  throw new StalePlan({ faults, faultCount: stale[0]?.total ?? 0 });
}
