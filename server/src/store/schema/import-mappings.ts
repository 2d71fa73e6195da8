/**
 * The tenth migration of both engines, in the types of PostgreSQL: remembered mappings; the codes by which the rows of a plan
 * found their pets, and how many new pets may have a mistyped code.
 */
export function importMappings(engine: 'sqlite' | 'postgres'): string {
  const byKey = engine === 'sqlite' ? ' STRICT, WITHOUT ROWID' : '';
  return `
CREATE TABLE import_mappings (
  name_key text PRIMARY KEY,
  name text NOT NULL,
  reading text NOT NULL,
  updated_by text NOT NULL,
  updated_at bigint NOT NULL
)${byKey};

ALTER TABLE import_rows ADD COLUMN named_by text;
ALTER TABLE imports ADD COLUMN doubtful_count bigint NOT NULL DEFAULT 0;
`;
}
