import { type FileFault, wrongSumProblem } from '@petstore-inventory/shared/pet-file/faults';
import { importProblem } from '@petstore-inventory/shared/pet-file/import-problems';
import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import { shownValue } from '@petstore-inventory/shared/shown-value';
import type { PetStatus } from '@petstore-inventory/shared/words';
import type { PlacedRow } from '../../domain/import-jobs.ts';
import type { PetValues } from '../../domain/management/imports.ts';
import { codesOf, keyText, type TypedCode } from '../../domain/management/pet-codes.ts';
import { findCodeOwners } from '../pets/pet-codes.ts';
import { readPets } from '../pets/read-pets.ts';
import { withSuppliers } from '../pets/suppliers.ts';
import type { LockingClient, SqlDialect } from '../sql-client.ts';
import { givenRows, type PlannedRow, planRows, refusedRows } from './plan-sql.ts';

/**
 * Pets with petIds from `$2` to `$3` that the import `$1` made, and that were deleted since: another pet can have the petId.
 * Only a pet without another movement is deleted, so the deletion reverts the movement of the import. `$4` is before its
 * movements, and `$5` the last of them. Where a prune may have deleted these movements, the activity log still has which of the
 * pets `$6`, arrays of one petId, were deleted. It is searched by the petIds: SQLite would read all deletions of the log.
 */
const deletedPets = ({
  jsonElements,
}: SqlDialect): string => `SELECT CAST(deletion.pet_id AS text) AS "petId" FROM movements AS deletion
JOIN movements AS made ON made.sequence = deletion.reverted_sequence
WHERE deletion.kind = 'import' AND deletion.reverted_sequence IS NOT NULL AND made.reference_id = $1
AND deletion.reverted_sequence > CAST($4 AS bigint) AND deletion.reverted_sequence <= CAST($5 AS bigint)
AND deletion.pet_id >= CAST($2 AS bigint) AND deletion.pet_id <= CAST($3 AS bigint)
UNION SELECT target FROM activity WHERE (SELECT max(sequence) FROM ledger_start) > CAST($4 AS bigint)
AND action || '' = 'pets.delete' AND target IN (SELECT value ->> 0 FROM ${jsonElements}($6))
AND id > (SELECT max(id) FROM activity WHERE action = 'imports.apply' AND target = $1)`;

/**
 * Pets with petIds from `$2` to `$3` whose movement of the import `$1` is reverted, and that revert not again: they have given
 * its units back. `$4` is before its movements, and `$5` the last of them. A prune may have deleted a reverted movement: it was
 * one of the import if these bounds are known, because only the import has movements between them.
 */
const REVERTED = `WITH RECURSIVE chain (pet_id, sequence, reverts) AS (
  SELECT reverting.pet_id, reverting.sequence, 1 FROM movements AS reverting
  LEFT JOIN movements AS made ON made.sequence = reverting.reverted_sequence
  WHERE reverting.kind = 'revert' AND reverting.reverted_sequence IS NOT NULL
  AND reverting.reverted_sequence > CAST($4 AS bigint) AND reverting.reverted_sequence <= CAST($5 AS bigint)
  AND reverting.pet_id >= CAST($2 AS bigint) AND reverting.pet_id <= CAST($3 AS bigint)
  AND (made.reference_id = $1 OR made.sequence IS NULL AND CAST($5 AS bigint) < ${Number.MAX_SAFE_INTEGER})
  UNION ALL
  SELECT chain.pet_id, later.sequence, reverts + 1 FROM chain JOIN movements AS later ON later.reverted_sequence = chain.sequence
)
SELECT CAST(pet_id AS text) AS "petId" FROM chain GROUP BY pet_id HAVING max(reverts) % 2 = 1`;

/** An applied import. */
export interface UndoneImport {
  readonly id: string;
  /** The newest movement before it; `null`: an earlier release applied it. */
  readonly appliedAfter: number | null;
  /** The number of its movements. */
  readonly changes: number;
}

interface PlacedUndo extends PlacedRow {
  readonly row: PetRow;
}

/**
 * Plans what gives the pets of rows of an applied import their earlier values back, as rows of the import `id`. The ledger
 * is locked. Pets that are deleted are left out.
 * @returns What keeps rows out of the plan.
 */
export async function planUndoRows(
  client: LockingClient,
  id: string,
  undone: UndoneImport,
  rows: readonly PlannedRow[],
  maxQuantity: number,
): Promise<readonly FileFault[]> {
  const petIds = rows.map(({ petId }) => BigInt(petId));
  const found = await readPets(client, petIds);
  const present = await withSuppliers(client, [...found.values()]);
  const now = new Map(present.map((pet) => [pet.petId, pet]));
  const deleted = await deletedSince(client, undone, rows);
  const reverted = await petsOf(client, REVERTED, placeOf(undone, rows));
  const undos = rows.flatMap((row): readonly PlacedUndo[] => {
    const pet = now.get(BigInt(row.petId));
    if (!pet || deleted.has(row.petId)) return [];
    return [{ row: undoOf(row, pet, reverted.has(row.petId)), line: row.line, element: row.element }];
  });
  const taken = await takenCodes(client, undos);
  const good = undos.filter(({ row }) => !taken.has(row.petId));
  if (good.length === 0) return [...taken.values()];
  const values = [id, givenRows(good), maxQuantity];
  const planned = await client.run(planRows(client.dialect, 'add'), values);
  if (planned === good.length) return [...taken.values()];
  return [...taken.values(), ...(await wrongSums(client, good, values, maxQuantity))];
}

async function deletedSince(
  client: LockingClient,
  undone: UndoneImport,
  rows: readonly PlannedRow[],
): Promise<ReadonlySet<string>> {
  const made = rows.filter(({ effect }) => effect === 'new');
  if (made.length === 0) return new Set();
  const petIds = JSON.stringify(made.map(({ petId }) => [petId]));
  return petsOf(client, deletedPets(client.dialect), [...placeOf(undone, made), petIds]);
}

/** The first five parameters of statements about the movements of an import: those of rows in the order of their petIds. */
function placeOf(
  { id, appliedAfter, changes }: UndoneImport,
  rows: readonly PlannedRow[],
): readonly (string | number)[] {
  const [first, last] = [rows[0]?.petId ?? '0', rows.at(-1)?.petId ?? '0'];
  const lastSequence = appliedAfter === null ? Number.MAX_SAFE_INTEGER : appliedAfter + changes;
  return [id, first, last, appliedAfter ?? 0, lastSequence];
}

async function petsOf(
  client: LockingClient,
  sql: string,
  values: readonly (string | number)[],
): Promise<ReadonlySet<string>> {
  const found = await client.all<{ petId: string }>(sql, values);
  return new Set(found.map(({ petId }) => petId));
}

/** Rows that would give a pet a code that another one has by now. */
async function takenCodes(
  client: LockingClient,
  undos: readonly PlacedUndo[],
): Promise<ReadonlyMap<bigint, FileFault>> {
  const given = undos.map((undo) => [undo, codesGiven(undo.row)] as const);
  const owners = await findCodeOwners(
    client,
    given.flatMap(([, codes]) => codes),
  );
  const faults = new Map<bigint, FileFault>();
  for (const [{ row, line, element }, codes] of given) {
    for (const code of codes) {
      const owner = owners.get(keyText(code))?.petId;
      if (owner === undefined || owner === row.petId) continue;
      const field = code.kind === 'sku' ? 'sku' : 'barcodes';
      const problem = importProblem('code_in_use', { code: shownValue(code.typed), petId: owner });
      faults.set(row.petId, { line, element, field, ...problem, row: null });
    }
  }
  return faults;
}

function codesGiven({ codes }: PetRow): readonly TypedCode[] {
  return codes ? codesOf({ sku: codes.sku || null, barcodes: codes.barcodes ?? [] }) : [];
}

/** Rows whose units cannot be taken back from what their pets have. */
async function wrongSums(
  client: LockingClient,
  undos: readonly PlacedUndo[],
  values: readonly (string | number)[],
  maxQuantity: number,
): Promise<readonly FileFault[]> {
  const sql = refusedRows(client.dialect, 'add');
  const refused = await client.all<{ number: number; found: number }>(sql, values);
  return refused.map(({ number, found }) => {
    const { row, line, element } = undos[number] as PlacedUndo;
    const problem = wrongSumProblem({ petId: row.petId, found, added: row.quantity }, maxQuantity);
    return { line, element, field: 'quantity', ...problem, row: null };
  });
}

/**
 * What takes back the units of a row, and gives the pet its earlier values where it still has those of the row.
 * @param isReverted Whether its units are taken back already.
 */
function undoOf(row: PlannedRow, now: PetValues, isReverted: boolean): PetRow {
  const given = row.effect === 'new' ? -row.quantity : row.foundQuantity - row.quantity;
  const units = { petId: BigInt(row.petId), quantity: isReverted ? 0 : given };
  // A pet that the import made stays as it is, without its units.
  if (row.effect === 'new') return { ...units, name: null, category: null, status: null };
  return {
    ...units,
    name: earlierText(row.name, row.foundName, now.name),
    category: earlierText(row.category, row.foundCategory, now.category),
    status: earlierText(row.status, row.foundStatus, now.status) as PetStatus | null,
    thresholds: hasItsThresholds(row, now)
      ? { lowStockAt: row.foundLowStockAt, restockAt: row.foundRestockAt }
      : undefined,
    codes: earlierCodes(row, now),
    supplier: earlierSupplier(row, now),
  };
}

/**
 * The earlier text of a pet that still has the one of the import; an empty one removes it. `null`: it stays.
 * @param given What the row has; `null`: nothing.
 */
function earlierText(given: string | null, found: string | null, now: string | null): string | null {
  const set = given || null;
  return given === null || set === found || set !== now ? null : (found ?? '');
}

function hasItsThresholds(row: PlannedRow, now: PetValues): boolean {
  return row.hasThresholds === 1 && row.lowStockAt === now.lowStockAt && row.restockAt === now.restockAt;
}

function earlierCodes(row: PlannedRow, now: PetValues): PetRow['codes'] {
  const sku = earlierText(row.sku, row.foundSku, now.sku);
  const textOf = (barcodes: readonly string[]) => (barcodes.length === 0 ? null : JSON.stringify(barcodes));
  const given = row.barcodes === '[]' ? '' : row.barcodes;
  const barcodes = earlierText(given, row.foundBarcodes, textOf(now.barcodes));
  if (sku === null && barcodes === null) return undefined;
  return { sku, barcodes: barcodes === null ? null : (JSON.parse(barcodes || '[]') as string[]) };
}

/** As `supplier` of a row. */
function earlierSupplier(row: PlannedRow, now: PetValues): string | null | undefined {
  const earlier = earlierText(row.supplier, row.foundSupplier, now.supplier);
  return earlier === null ? undefined : earlier || null;
}
