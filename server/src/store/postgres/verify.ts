import type pg from 'pg';
import type { VerifyReport } from '../../domain/store.ts';

/** A damaged database can have a fault in every row; the first ones of each sort are enough to act on. */
const MOST_FAULTS_OF_A_SORT = 100;

/** Each finds one sort of fault and writes it as a sentence. */
const FAULTS = {
  gap: `SELECT 'The ledger has no movement ' || (before + 1)
|| CASE WHEN sequence > before + 2 THEN ' to ' || (sequence - 1) ELSE '' END || '.' AS fault
FROM (SELECT sequence, lag(sequence, 1, 0::bigint) OVER (ORDER BY sequence) AS before FROM movements) AS pairs
WHERE sequence > before + 1`,

  wrongStart: `SELECT 'Movement ' || sequence || ' stands before the ledger begins at 1.' AS fault
FROM movements WHERE sequence < 1`,

  brokenHistory: `SELECT 'Movement ' || sequence || ' of pet ' || pet_id || ' '
|| CASE
  WHEN previous_sequence IS DISTINCT FROM last_sequence THEN 'names movement ' || coalesce(previous_sequence::text, 'none')
    || ' as the pet''s previous one, which is ' || coalesce(last_sequence::text, 'none')
  WHEN quantity_before IS DISTINCT FROM last_quantity THEN 'begins at quantity ' || quantity_before
    || ', but the pet stood at ' || last_quantity
  ELSE 'begins at status ' || coalesce(status_before, 'none') || ', but the pet stood at ' || coalesce(last_status, 'none')
END || '.' AS fault
FROM (
  SELECT sequence, pet_id, previous_sequence, quantity_before, status_before,
  lag(sequence) OVER history AS last_sequence,
  lag(quantity_after, 1, 0::bigint) OVER history AS last_quantity,
  lag(status_after) OVER history AS last_status
  FROM movements WINDOW history AS (PARTITION BY pet_id ORDER BY sequence)
) AS histories
WHERE previous_sequence IS DISTINCT FROM last_sequence OR quantity_before IS DISTINCT FROM last_quantity
OR status_before IS DISTINCT FROM last_status
ORDER BY sequence`,

  wrongBalance: `SELECT 'Pet ' || newest.pet_id || ' '
|| CASE
  WHEN inventory.pet_id IS NULL THEN 'has movements, but no stock'
  WHEN quantity <> quantity_after THEN 'has quantity ' || quantity || ', but the ledger says ' || quantity_after
  WHEN status <> status_after THEN 'has status ' || status || ', but the ledger says ' || status_after
  ELSE 'names movement ' || last_sequence || ' as its newest, which is ' || newest.sequence
END || '.' AS fault
FROM (SELECT DISTINCT ON (pet_id) pet_id, sequence, quantity_after, status_after FROM movements ORDER BY pet_id, sequence DESC) AS newest
LEFT JOIN inventory ON inventory.pet_id = newest.pet_id
WHERE quantity IS DISTINCT FROM quantity_after OR status IS DISTINCT FROM status_after OR last_sequence IS DISTINCT FROM newest.sequence`,

  unexplainedStock: `SELECT 'Pet ' || pet_id || ' has stock, but no movement.' AS fault
FROM inventory WHERE NOT EXISTS (SELECT FROM movements WHERE movements.pet_id = inventory.pet_id)`,
} as const;

const SIZES = `SELECT (SELECT count(*) FROM inventory) AS pets, (SELECT count(*) FROM movements) AS movements`;

/**
 * Recomputes every balance from the ledger. The caller's transaction sees one moment. That pages are whole is
 * PostgreSQL's own matter (data checksums, amcheck).
 */
export async function verifyDatabase(client: pg.Client): Promise<VerifyReport> {
  const faults: string[] = [];
  for (const sql of Object.values(FAULTS)) faults.push(...(await findFaults(client, sql)));
  const { rows } = await client.query<{ pets: number; movements: number }>(SIZES);
  const { pets = 0, movements = 0 } = rows[0] ?? {};
  return { pets, movements, faults };
}

async function findFaults(client: pg.Client, sql: string): Promise<string[]> {
  const { rows } = await client.query<{ fault: string }>(`${sql} LIMIT ${MOST_FAULTS_OF_A_SORT + 1}`);
  const faults = rows.map(({ fault }) => fault);
  if (faults.length > MOST_FAULTS_OF_A_SORT) faults.splice(-1, 1, '… and more faults of this sort.');
  return faults;
}
