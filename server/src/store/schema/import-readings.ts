/**
 * The fifth migration of both engines, in the types of PostgreSQL: how a file was read, what it was found to be, and its
 * rows that cannot be imported.
 */
export function importReadings(engine: 'sqlite' | 'postgres'): string {
  const strict = engine === 'sqlite' ? ' STRICT' : '';
  return `
ALTER TABLE imports ADD COLUMN reading text NOT NULL DEFAULT '{}';
ALTER TABLE imports ADD COLUMN bad_row_count bigint NOT NULL DEFAULT 0;
ALTER TABLE imports ADD COLUMN facts text;

CREATE TABLE import_bad_rows (
  import_id text NOT NULL,
  number bigint NOT NULL,
  content text NOT NULL,
  PRIMARY KEY (import_id, number)
)${strict};
`;
}
