/** Settings of a PostgreSQL server without which a crash of it can lose changes that were acknowledged. */
export const DURABILITY_SETTINGS = ['fsync', 'full_page_writes', 'synchronous_commit'] as const;
