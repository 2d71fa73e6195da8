import type pg from 'pg';
import type { ImportResult } from '../../../domain/admin-store.ts';

/** After fewer changes autovacuum is early enough. Statistics of a million pets take about half a second. */
const MIN_CHANGES = 10_000;

const ANALYZE = 'ANALYZE pets, pet_words, inventory, movements';

/**
 * Collects the planner's statistics after a large import. Until autovacuum does, a minute later or more, PostgreSQL
 * guesses how many rows a range has, and reads pets in twice the time.
 */
export async function collectStatistics(
  client: pg.Client,
  { created, changed }: ImportResult,
): Promise<void> {
  if (created + changed < MIN_CHANGES) return;
  // The import is committed, so it must not be reported as failed.
  await client.query(ANALYZE).catch(() => undefined);
}
