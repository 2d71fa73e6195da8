import { MIN_INT64 } from '@petstore-inventory/shared/pet-id';
import type { LockingClient } from '../sql-client.ts';

/** Reverts that count in `received` of a reorder and can be reverted: each movement with the units that it added. */
type OpenReverts = readonly (readonly [sequence: number, units: number])[];

/** Reorders, or movements, per statement. */
const PER_STATEMENT = 500;

/** The next `$2` reorders with open reverts after the pet `$1`. */
const WITH_REVERTS = `SELECT CAST(pet_id AS text) AS "petId", open_reverts AS "openReverts" FROM reorders
WHERE pet_id > CAST($1 AS bigint) AND open_reverts IS NOT NULL ORDER BY reorders.pet_id LIMIT CAST($2 AS bigint)`;

/** The pets of those reverts of the JSON array `$1`, each with its pet, sequence and units, that are not movements. */
const unknownReverts = (jsonElements: string) => `SELECT CAST(pet_id AS text) AS "petId" FROM (
  SELECT CAST(value ->> 0 AS bigint) AS pet_id, CAST(value ->> 1 AS bigint) AS sequence, CAST(value ->> 2 AS bigint) AS units
  FROM ${jsonElements}($1)
) AS named WHERE NOT EXISTS (
  SELECT 1 FROM movements WHERE movements.sequence = named.sequence AND movements.pet_id = named.pet_id
  AND kind = 'revert' AND quantity_after - quantity_before = named.units
)`;

interface Row {
  readonly petId: string;
  readonly openReverts: string;
}

/** The value of the column `open_reverts`; `undefined` if something other than the service wrote it. */
export function parseOpenReverts(text: string | null): OpenReverts | undefined {
  if (text === null) return [];
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) && parsed.every(isRevert) && areDistinct(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isRevert(value: unknown): value is OpenReverts[number] {
  return Array.isArray(value) && value.length === 2 && value.every(Number.isSafeInteger);
}

const areDistinct = (reverts: OpenReverts) =>
  new Set(reverts.map(([sequence]) => sequence)).size === reverts.length;

/** Sentences about reorders whose open reverts the ledger does not have, at most `most` of them. */
export async function findRevertFaults(
  client: Pick<LockingClient, 'all' | 'dialect'>,
  most: number,
): Promise<readonly string[]> {
  const sql = unknownReverts(client.dialect.jsonElements);
  const faults: string[] = [];
  let after = String(MIN_INT64);
  for (;;) {
    const rows = await client.all<Row>(WITH_REVERTS, [after, PER_STATEMENT]);
    const parsed = rows.map(({ petId, openReverts }) => ({ petId, reverts: parseOpenReverts(openReverts) }));
    const named = parsed.flatMap(({ petId, reverts = [] }) => reverts.map((revert) => [petId, ...revert]));
    const unknown = await client.all<Pick<Row, 'petId'>>(sql, [JSON.stringify(named)]);
    const wrong = new Set(unknown.map(({ petId }) => petId));
    for (const { petId, reverts } of parsed) {
      if (reverts === undefined || wrong.has(petId)) faults.push(faultOf(petId));
    }
    const last = rows.at(-1);
    if (!last || rows.length < PER_STATEMENT || faults.length >= most) return faults.slice(0, most);
    after = last.petId;
  }
}

const faultOf = (petId: string) =>
  `What is ordered of pet ${petId} counts reverts that are not in the ledger: cancel it, and order it again.`;
