/**
 * The thirteenth migration of both engines, in the types of PostgreSQL.
 *
 * A row of `saved_views` has all views of a person: of the first one of the management keys that replaced each other by
 * rotation. `version` counts the changes.
 */
export function savedViews(engine: 'sqlite' | 'postgres'): string {
  return `
CREATE TABLE saved_views (
  first_key_id text PRIMARY KEY REFERENCES api_keys (id),
  version bigint NOT NULL,
  views text NOT NULL
)${engine === 'sqlite' ? ' STRICT, WITHOUT ROWID' : ''};
`;
}
