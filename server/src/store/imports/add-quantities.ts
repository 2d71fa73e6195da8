import { wrongSums } from '../../domain/management/import-sums.ts';
import type { ImportEngine } from './import-engine.ts';

const ADD = `UPDATE incoming SET quantity = incoming.quantity + inventory.quantity FROM inventory
WHERE inventory.pet_id = incoming.pet_id`;

const WRONG = `SELECT CAST(pet_id AS text) AS "petId", coalesce(inventory.quantity, 0) AS "found",
incoming.quantity - coalesce(inventory.quantity, 0) AS "added", count(*) OVER () AS total
FROM incoming LEFT JOIN inventory USING (pet_id) WHERE incoming.quantity < 0
OR incoming.quantity > $1 AND incoming.quantity > coalesce(inventory.quantity, 0) ORDER BY incoming.pet_id LIMIT 20`;

interface WrongRow {
  readonly petId: string;
  readonly found: number;
  readonly added: number;
  readonly total: number;
}

/**
 * Adds what the pets have to the rows of a file that an import copied. The ledger is locked.
 * @throws OperatorError for sums below 0 or above `maxQuantity`.
 */
export async function addQuantities(engine: ImportEngine, maxQuantity: number): Promise<void> {
  await engine.run(ADD);
  const wrong = await engine.all<WrongRow>(WRONG, [maxQuantity]);
  if (wrong.length === 0) return;
  const sums = wrong.map(({ petId, found, added }) => ({ petId: BigInt(petId), found, added }));
  throw wrongSums(sums, wrong[0]?.total ?? 0, maxQuantity);
}
