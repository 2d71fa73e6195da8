/** A damaged database can have a fault in every row; the first ones of each sort are enough to act on. */
const MOST_FAULTS_OF_A_SORT = 100;

/**
 * What can be wrong with a ledger and the stock it explains: each statement finds one sort of fault and writes it as
 * a sentence. SQLite and PostgreSQL understand the same text; identifiers are made text there, which keeps int64 exact.
 */
const LEDGER_FAULTS = {
  gap: `SELECT 'The ledger has no movement ' || (before + 1)
|| CASE WHEN sequence > before + 2 THEN ' to ' || (sequence - 1) ELSE '' END || '.' AS fault
FROM (SELECT sequence, lag(sequence, 1, CAST(0 AS bigint)) OVER (ORDER BY sequence) AS before FROM movements) AS pairs
WHERE sequence > before + 1`,

  wrongStart: `SELECT 'Movement ' || sequence || ' stands before the ledger begins at 1.' AS fault
FROM movements WHERE sequence < 1`,

  brokenHistory: `SELECT 'Movement ' || sequence || ' of pet ' || pet_id || ' '
|| CASE
  WHEN previous_sequence IS DISTINCT FROM last_sequence
  THEN 'names movement ' || coalesce(CAST(previous_sequence AS text), 'none')
    || ' as the pet''s previous one, which is ' || coalesce(CAST(last_sequence AS text), 'none')
  WHEN quantity_before IS DISTINCT FROM last_quantity THEN 'begins at quantity ' || quantity_before
    || ', but the pet stood at ' || last_quantity
  ELSE 'begins at status ' || coalesce(status_before, 'none') || ', but the pet stood at ' || coalesce(last_status, 'none')
END || '.' AS fault
FROM (
  SELECT sequence, pet_id, previous_sequence, quantity_before, status_before,
  lag(sequence) OVER history AS last_sequence,
  lag(quantity_after, 1, CAST(0 AS bigint)) OVER history AS last_quantity,
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
FROM (
  SELECT pet_id, sequence, quantity_after, status_after,
  row_number() OVER (PARTITION BY pet_id ORDER BY sequence DESC) AS age FROM movements
) AS newest
LEFT JOIN inventory ON inventory.pet_id = newest.pet_id
WHERE age = 1 AND (quantity IS DISTINCT FROM quantity_after OR status IS DISTINCT FROM status_after
OR last_sequence IS DISTINCT FROM newest.sequence)
ORDER BY newest.pet_id`,

  unexplainedStock: `SELECT 'Pet ' || pet_id || ' has stock, but no movement.' AS fault
FROM inventory WHERE pet_id NOT IN (SELECT pet_id FROM movements) ORDER BY pet_id`,
} as const;

/** The sizes that a report tells beside the faults. */
export const SIZES = `SELECT (SELECT count(*) FROM inventory) AS pets, (SELECT count(*) FROM movements) AS movements`;

/** The statements that find faults, an engine's own ones first; each hands over one more row than are told, where there are as many. */
export function faultStatements(own: Readonly<Record<string, string>>): string[] {
  return Object.values({ ...own, ...LEDGER_FAULTS }).map(
    (sql) => `${sql} LIMIT ${MOST_FAULTS_OF_A_SORT + 1}`,
  );
}

/** The sentences of one sort, as many as are told. */
export function toldFaults(rows: readonly { readonly fault?: unknown }[]): string[] {
  const faults = rows.map(({ fault }) => String(fault));
  if (faults.length > MOST_FAULTS_OF_A_SORT) faults.splice(-1, 1, '… and more faults of this sort.');
  return faults;
}
