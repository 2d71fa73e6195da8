/**
 * The twelfth migration of both engines, in the types of PostgreSQL.
 *
 * - A row of `reorders` has the supplier of a pet, and what is ordered of it: `ordered` units after the movement
 *   `after_sequence`. What arrived since are the movements with the reason `received`, of which `movements_received` has
 *   an entry each, so that a change of stock writes nothing here. `received` are those that a prune deleted.
 * - `expected_on` is a day such as 2026-12-03, without a time zone.
 */
export function reorders(engine: 'sqlite' | 'postgres'): string {
  return `
CREATE TABLE reorders (
  pet_id bigint PRIMARY KEY,
  supplier text,
  ordered bigint CHECK (ordered BETWEEN 1 AND 9007199254740991),
  received bigint NOT NULL DEFAULT 0,
  after_sequence bigint,
  expected_on text,
  ordered_by text,
  ordered_at bigint
)${engine === 'sqlite' ? ' STRICT' : ''};
CREATE INDEX reorders_supplier ON reorders (supplier) WHERE supplier IS NOT NULL;

CREATE INDEX movements_received ON movements (pet_id, sequence) WHERE reason = 'received';
`;
}
