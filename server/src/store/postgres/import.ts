import type pg from 'pg';
import type { ImportResult, PetRow } from '../../domain/store.ts';
import { inTransaction } from './admin-client.ts';
import { LOCK } from './statements.ts';

/** Rows that travel to the server together. */
const ROWS_A_STATEMENT = 10_000;

const INCOMING = `CREATE TEMPORARY TABLE incoming (
  pet_id bigint NOT NULL,
  name text,
  category text,
  quantity bigint NOT NULL,
  status text
) ON COMMIT DROP`;

const LAY_READY = `INSERT INTO incoming
SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::text[])`;

/** The planner knows nothing of a table made a moment ago. */
const KNOW_INCOMING = 'CREATE UNIQUE INDEX ON incoming (pet_id); ANALYZE incoming';

const NEWEST =
  'SELECT coalesce(max(sequence), 0) AS newest, coalesce(max(recorded_at), 0) AS "recordedAtMs" FROM movements';

const DESCRIBE_PETS = `UPDATE pets SET name = coalesce(incoming.name, pets.name), category = coalesce(incoming.category, pets.category)
FROM incoming WHERE incoming.pet_id = pets.pet_id AND (pets.name IS DISTINCT FROM coalesce(incoming.name, pets.name)
OR pets.category IS DISTINCT FROM coalesce(incoming.category, pets.category))`;

const ADD_PETS = `INSERT INTO pets (pet_id, name, category)
SELECT pet_id, name, category FROM incoming WHERE NOT EXISTS (SELECT FROM pets WHERE pets.pet_id = incoming.pet_id) ORDER BY pet_id`;

const RECORD_MOVEMENTS = `INSERT INTO movements (sequence, previous_sequence, pet_id, kind,
quantity_before, quantity_after, status_before, status_after, actor, recorded_at)
SELECT $1 + row_number() OVER (ORDER BY pet_id), last_sequence, pet_id, 'import',
coalesce(stock.quantity, 0), incoming.quantity, stock.status, coalesce(incoming.status, stock.status, 'available'), $2, $3
FROM incoming LEFT JOIN inventory AS stock USING (pet_id)
WHERE stock.quantity IS DISTINCT FROM incoming.quantity OR stock.status IS DISTINCT FROM coalesce(incoming.status, stock.status)`;

/** Stock becomes what the ledger now says, so the two cannot differ. */
const ADD_STOCK = `INSERT INTO inventory (pet_id, quantity, status, version, last_sequence, updated_at)
SELECT pet_id, quantity_after, status_after, 1, sequence, recorded_at
FROM movements WHERE sequence > $1 AND previous_sequence IS NULL ORDER BY pet_id`;

const SET_STOCK = `UPDATE inventory SET quantity = quantity_after, status = status_after, version = version + 1,
last_sequence = sequence, updated_at = recorded_at
FROM movements WHERE movements.pet_id = inventory.pet_id AND sequence > $1 AND previous_sequence IS NOT NULL`;

/**
 * Creates and updates all pets of a file, or none. The rows are laid ready in a temporary table first; the
 * ledger's lock is held for a few whole-table statements.
 */
export function importPets(
  client: pg.Client,
  rows: Iterable<PetRow>,
  { actor, atMs }: { actor: string; atMs: number },
): Promise<ImportResult> {
  return inTransaction(client, async () => {
    const rowCount = await layReady(client, rows);
    await client.query(LOCK.ledger);
    const { rows: heads } = await client.query<{ newest: number; recordedAtMs: number }>(NEWEST);
    const { newest = 0, recordedAtMs = 0 } = heads[0] ?? {};
    await client.query(DESCRIBE_PETS);
    await client.query(ADD_PETS);
    const recorded = await client.query(RECORD_MOVEMENTS, [newest, actor, Math.max(atMs, recordedAtMs)]);
    const moved = recorded.rowCount ?? 0;
    const added = await client.query(ADD_STOCK, [newest]);
    await client.query(SET_STOCK, [newest]);
    const created = added.rowCount ?? 0;
    return { created, changed: moved - created, unchanged: rowCount - moved };
  });
}

async function layReady(client: pg.Client, rows: Iterable<PetRow>): Promise<number> {
  await client.query(INCOMING);
  let rowCount = 0;
  let waiting: PetRow[] = [];
  const send = async () => {
    await client.query(LAY_READY, columnsOf(waiting));
    rowCount += waiting.length;
    waiting = [];
  };
  for (const row of rows) {
    waiting.push(row);
    if (waiting.length === ROWS_A_STATEMENT) await send();
  }
  if (waiting.length > 0) await send();
  await client.query(KNOW_INCOMING);
  return rowCount;
}

function columnsOf(rows: readonly PetRow[]): unknown[][] {
  return [
    rows.map(({ petId }) => String(petId)),
    rows.map(({ name }) => name),
    rows.map(({ category }) => category),
    rows.map(({ quantity }) => quantity),
    rows.map(({ status }) => status),
  ];
}
