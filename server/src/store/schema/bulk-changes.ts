/**
 * A migration of both engines, in the types of PostgreSQL: changes of many pets, with the pets of each. They do not move
 * to another database, as plans of imports do not.
 */
export function bulkChanges(engine: 'sqlite' | 'postgres'): string {
  const byKey = engine === 'sqlite' ? ' STRICT, WITHOUT ROWID' : '';
  return `
CREATE TABLE bulk_changes (
  id text PRIMARY KEY,
  state text NOT NULL,
  selection text NOT NULL,
  new_values text NOT NULL,
  position text,
  counts text NOT NULL,
  failure text,
  actor text NOT NULL,
  applied_by text,
  undone_by text,
  request_id text,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  attempts bigint NOT NULL DEFAULT 0,
  lease_owner text,
  lease_until bigint NOT NULL DEFAULT 0
)${byKey};
CREATE INDEX bulk_changes_created ON bulk_changes (created_at, id);

CREATE TABLE bulk_rows (
  change_id text NOT NULL,
  pet_id bigint NOT NULL,
  outcome text NOT NULL,
  reason text,
  found_sequence bigint,
  category text,
  status text,
  low_stock_at bigint,
  restock_at bigint,
  archived_at bigint,
  PRIMARY KEY (change_id, pet_id)
)${byKey};
CREATE INDEX bulk_rows_outcome ON bulk_rows (change_id, outcome, pet_id);
`;
}
