import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import type pg from 'pg';
import type { ImportResult } from '../../../domain/admin-store.ts';
import type { AdminEngine } from '../../admin/admin-engine.ts';
import { readShopThresholds } from '../../admin/shop-thresholds.ts';
import type { ImportAuthor, ImportSource, ImportTransaction } from '../../imports/import-engine.ts';
import { ImportedMovements, type ImportedStock } from '../../ledger/import-movements.ts';
import { readChainHead } from '../../ledger/ledger-bounds.ts';
import { movementArrays, RECORD_MOVEMENTS } from '../movement-columns.ts';
import { NOTIFY } from '../statements.ts';
import { ImportedWords } from './import-words.ts';
import { ROWS_PER_STATEMENT, readCursor } from './read-cursor.ts';

/**
 * All rows of a cursor are read, so its plan must be the fastest to the last row. Words of about 300,000 pets are sorted
 * without temporary files.
 */
const SETTINGS = "SET LOCAL cursor_tuple_fraction = 1; SET LOCAL work_mem = '64MB'";

const INCOMING = `CREATE TEMPORARY TABLE incoming (
  pet_id bigint NOT NULL,
  name text,
  category text,
  quantity bigint NOT NULL,
  status text,
  has_thresholds boolean NOT NULL,
  low_stock_at bigint,
  restock_at bigint
) ON COMMIT DROP`;

const COPY_ROWS = `INSERT INTO incoming
SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::boolean[], $7::bigint[], $8::bigint[])`;

const COPY_PLANNED = `INSERT INTO incoming
SELECT pet_id, name, category, quantity, status, has_thresholds <> 0, low_stock_at, restock_at FROM import_rows
WHERE import_id = $1`;

/** The planner has no statistics of a new table. */
const INDEX_INCOMING = 'CREATE UNIQUE INDEX ON incoming (pet_id); ANALYZE incoming';

/** The thresholds after the import. */
const LOW_STOCK_AT = 'CASE WHEN has_thresholds THEN incoming.low_stock_at ELSE stock.low_stock_at END';
const RESTOCK_AT = 'CASE WHEN has_thresholds THEN incoming.restock_at ELSE stock.restock_at END';

/** The pets that the file changes, with their new and their present stock. */
const CHANGED_STOCK = `SELECT pet_id::text AS "petId", incoming.quantity, coalesce(incoming.status, stock.status, 'available') AS status,
stock.quantity AS "quantityBefore", stock.status AS "statusBefore", version, last_sequence AS "lastSequence",
reserved, alert_level AS "alertBefore", ${LOW_STOCK_AT} AS "lowStockAt", ${RESTOCK_AT} AS "restockAt"
FROM incoming LEFT JOIN inventory AS stock USING (pet_id) LEFT JOIN pets USING (pet_id)
WHERE stock.quantity IS DISTINCT FROM incoming.quantity OR stock.status IS DISTINCT FROM coalesce(incoming.status, stock.status)
OR pets.name IS DISTINCT FROM coalesce(incoming.name, pets.name)
OR pets.category IS DISTINCT FROM coalesce(incoming.category, pets.category)
OR stock.low_stock_at IS DISTINCT FROM ${LOW_STOCK_AT} OR stock.restock_at IS DISTINCT FROM ${RESTOCK_AT}
ORDER BY pet_id`;

const UPDATE_PETS = `UPDATE pets SET name = coalesce(incoming.name, pets.name), category = coalesce(incoming.category, pets.category)
FROM incoming WHERE incoming.pet_id = pets.pet_id AND (pets.name IS DISTINCT FROM coalesce(incoming.name, pets.name)
OR pets.category IS DISTINCT FROM coalesce(incoming.category, pets.category))`;

/** Hidden stock is lost stock. */
const RESTORE = `UPDATE pets SET archived_at = NULL FROM incoming JOIN inventory USING (pet_id)
WHERE pets.archived_at IS NOT NULL AND pets.pet_id = incoming.pet_id AND inventory.quantity > 0`;

const ADD_PETS = `INSERT INTO pets (pet_id, name, category)
SELECT pet_id, name, category FROM incoming WHERE NOT EXISTS (SELECT FROM pets WHERE pets.pet_id = incoming.pet_id) ORDER BY pet_id`;

/** Copies the stock from the new movements, so the two cannot differ. */
const ADD_STOCK = `INSERT INTO inventory (pet_id, quantity, status, version, last_sequence, updated_at, reserved, alert_level,
low_stock_at, restock_at, created_at)
SELECT pet_id, quantity_after, status_after, version, sequence, recorded_at, reserved_after, alert_after,
incoming.low_stock_at, incoming.restock_at, recorded_at
FROM movements JOIN incoming USING (pet_id) WHERE sequence > $1 AND previous_sequence IS NULL ORDER BY pet_id`;

const SET_STOCK = `UPDATE inventory SET quantity = quantity_after, status = status_after, version = movements.version,
last_sequence = sequence, updated_at = recorded_at, alert_level = alert_after,
low_stock_at = CASE WHEN has_thresholds THEN incoming.low_stock_at ELSE inventory.low_stock_at END,
restock_at = CASE WHEN has_thresholds THEN incoming.restock_at ELSE inventory.restock_at END
FROM movements JOIN incoming USING (pet_id)
WHERE movements.pet_id = inventory.pet_id AND sequence > $1 AND previous_sequence IS NOT NULL`;

interface ChangedStockRow extends Omit<ImportedStock, 'petId'> {
  readonly petId: string;
}

/**
 * Creates and updates all pets of a file within a transaction of the caller. The rows are first copied to a temporary
 * table. The ledger's lock is held while the movements are made, and for a few whole-table statements.
 */
export async function importPets(
  engine: AdminEngine & { readonly client: pg.Client },
  source: ImportSource,
  { actor, requestId, atMs }: ImportAuthor,
  within?: ImportTransaction,
): Promise<ImportResult> {
  await engine.client.query(SETTINGS);
  const rowCount = await copyRows(engine.client, source);
  const words = new ImportedWords(engine.client);
  await words.prepare();
  await engine.lockLedger();
  await within?.begin();
  const head = await readChainHead(engine);
  const author = { actor, requestId, atMs: atMs ?? (await engine.now()) };
  const thresholds = await readShopThresholds(engine);
  await words.apply();
  const moved = await recordMovements(engine.client, new ImportedMovements(head, thresholds, author));
  await engine.run(UPDATE_PETS);
  await engine.run(ADD_PETS);
  const created = await engine.run(ADD_STOCK, [head.sequence]);
  await engine.run(SET_STOCK, [head.sequence]);
  await engine.run(RESTORE);
  if (moved > 0) await engine.run(NOTIFY);
  const result = { created, changed: moved - created, unchanged: rowCount - moved };
  await within?.end?.(result);
  return result;
}

/** Returns the number of movements. */
async function recordMovements(client: pg.Client, movements: ImportedMovements): Promise<number> {
  let count = 0;
  await readCursor<ChangedStockRow>(client, { sql: CHANGED_STOCK }, (rows) => {
    const made = rows.map((row) => movements.next({ ...row, petId: BigInt(row.petId) }));
    count += made.length;
    return client.query(RECORD_MOVEMENTS, movementArrays(made));
  });
  return count;
}

/** Returns the number of rows. */
async function copyRows(client: pg.Client, source: ImportSource): Promise<number> {
  await client.query(INCOMING);
  const rowCount =
    'importId' in source
      ? ((await client.query(COPY_PLANNED, [source.importId])).rowCount ?? 0)
      : await copyGivenRows(client, source);
  await client.query(INDEX_INCOMING);
  return rowCount;
}

async function copyGivenRows(client: pg.Client, rows: Iterable<PetRow>): Promise<number> {
  let rowCount = 0;
  let waiting: PetRow[] = [];
  const send = async () => {
    await client.query(COPY_ROWS, incomingColumns(waiting));
    rowCount += waiting.length;
    waiting = [];
  };
  for (const row of rows) {
    waiting.push(row);
    if (waiting.length === ROWS_PER_STATEMENT) await send();
  }
  if (waiting.length > 0) await send();
  return rowCount;
}

function incomingColumns(rows: readonly PetRow[]): unknown[][] {
  return [
    rows.map(({ petId }) => String(petId)),
    rows.map(({ name }) => name),
    rows.map(({ category }) => category),
    rows.map(({ quantity }) => quantity),
    rows.map(({ status }) => status),
    rows.map(({ thresholds }) => thresholds !== undefined),
    rows.map(({ thresholds }) => thresholds?.lowStockAt ?? null),
    rows.map(({ thresholds }) => thresholds?.restockAt ?? null),
  ];
}
