import { MAX_INT64, MIN_INT64 } from '@petstore-inventory/shared/pet-id';
import type { Thresholds } from '@petstore-inventory/shared/thresholds';
import type { ActionAuthor } from '../../domain/management/activity.ts';
import type { BatchCommand, WriteResult } from '../../domain/write-command.ts';
import { recordAction } from '../ledger/activity.ts';
import { underLedgerLock } from '../sql-client.ts';
import type { AdminEngine } from './admin-engine.ts';
import { runBatch } from '../batches.ts';

/** Pets per write: others write in between. */
const PETS_PER_WRITE = 1_000;

/** Pets without their own thresholds whose level may be another one with `lowStockAt` `$2`. */
const AFFECTED = `SELECT CAST(pet_id AS text) AS "petId" FROM inventory
WHERE pet_id >= CAST($1 AS bigint) AND low_stock_at IS NULL AND quantity > reserved
AND (alert_level IS NOT NULL OR quantity - reserved <= CAST($2 AS bigint))
ORDER BY inventory.pet_id LIMIT ${PETS_PER_WRITE}`;

/**
 * Changes the thresholds of the shop, and then the alert level of each pet that they concern, in batches.
 * @returns The number of pets whose level changed.
 */
export async function setShopThresholds(
  engine: AdminEngine,
  { thresholds, author }: { readonly thresholds: Thresholds; readonly author: ActionAuthor },
  write: (command: BatchCommand) => Promise<WriteResult>,
): Promise<number> {
  // Writers read the thresholds under the same lock.
  await underLedgerLock(engine, async () => {
    await engine.run(`DELETE FROM metadata WHERE name IN ('low_stock_at', 'restock_at')`);
    const rows = [
      ['low_stock_at', thresholds.lowStockAt],
      ['restock_at', thresholds.restockAt],
    ] as const;
    for (const [name, value] of rows) {
      if (value !== null) await engine.run('INSERT INTO metadata VALUES ($1, $2)', [name, String(value)]);
    }
    await recordAction(engine, author, {
      action: 'thresholds.set',
      target: null,
      details: { ...thresholds },
    });
  });
  let changed = 0;
  for (let from = MIN_INT64; ;) {
    const petIds = await affectedPets(engine, from, thresholds);
    const last = petIds.at(-1);
    if (last === undefined) return changed;
    changed += await runBatch(engine, () => reevaluate(petIds, write));
    if (petIds.length < PETS_PER_WRITE || last === MAX_INT64) return changed;
    from = last + 1n;
  }
}

async function affectedPets(
  engine: AdminEngine,
  from: bigint,
  { lowStockAt }: Thresholds,
): Promise<readonly bigint[]> {
  const rows = await engine.all<{ petId: string }>(AFFECTED, [String(from), lowStockAt]);
  return rows.map(({ petId }) => BigInt(petId));
}

/** Returns the number of pets whose level changed. */
async function reevaluate(
  petIds: readonly bigint[],
  write: (command: BatchCommand) => Promise<WriteResult>,
): Promise<number> {
  const changes = petIds.map((petId) => ({ kind: 'thresholds' as const, petId }));
  const result = await write({ kind: 'batch', changes, errorPolicy: 'reject_failed_rows', isDryRun: false });
  if (result.kind !== 'batch') throw new Error(`A batch was answered with ${result.kind}.`);
  return result.rows.filter(({ sequence }) => sequence !== null).length;
}
