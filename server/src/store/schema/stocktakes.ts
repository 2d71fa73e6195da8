/**
 * The third migration of both engines, in the types of PostgreSQL.
 *
 * - Counts of a stock-take are movements whose `reference_id` is its id. `movements_stocktakes` has only those.
 * - `started_sequence` and `closed_sequence` are the heads of the ledger between which its counts are. Its differences
 *   are posted between `closed_sequence` and `posted_sequence`, and its undo reverts them after `undone_sequence`.
 * - A cancelled one is closed and undone in one step, without a posting: its `posted_sequence` is null.
 * - A count that waits for the close leaves the stock as it is: its movement has the stock before it, and
 *   `stocktake_counts` what was counted.
 * - `stocktake_lines` has the report of a closed stock-take whose movements a prune deletes, written with the prune.
 */
export function stocktakes(engine: 'sqlite' | 'postgres'): string {
  const [strict, byKey] = engine === 'sqlite' ? [' STRICT', ' STRICT, WITHOUT ROWID'] : ['', ''];
  return `
CREATE TABLE stocktakes (
  id text PRIMARY KEY,
  name text NOT NULL,
  scope text NOT NULL,
  posting text NOT NULL CHECK (posting IN ('at_count', 'at_close')),
  started_by text NOT NULL,
  started_at bigint NOT NULL,
  started_sequence bigint NOT NULL,
  closed_by text,
  closed_at bigint,
  closed_sequence bigint,
  posted_sequence bigint,
  undone_by text,
  undone_at bigint,
  undone_sequence bigint,
  pruned_at bigint
)${byKey};
CREATE INDEX stocktakes_started ON stocktakes (started_at, id);

CREATE TABLE stocktake_counts (
  sequence bigint PRIMARY KEY,
  counted bigint NOT NULL CHECK (counted BETWEEN 0 AND 9007199254740991)
)${strict};

CREATE TABLE stocktake_lines (
  stocktake_id text NOT NULL REFERENCES stocktakes (id),
  pet_id bigint NOT NULL,
  sequence bigint NOT NULL,
  expected bigint NOT NULL,
  counted bigint NOT NULL,
  posted bigint NOT NULL,
  counts bigint NOT NULL,
  actor text NOT NULL,
  counted_at bigint NOT NULL,
  PRIMARY KEY (stocktake_id, pet_id)
)${byKey};

CREATE INDEX movements_stocktakes ON movements (reference_id, pet_id, sequence) WHERE substr(reference_id, 1, 4) = 'stk_';
`;
}
