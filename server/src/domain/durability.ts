/** Settings of a PostgreSQL server; when one is off, a crash of the server can lose acknowledged changes. */
export const DURABILITY_SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;
