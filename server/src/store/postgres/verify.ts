import type pg from 'pg';
import type { VerifyReport } from '../../domain/store.ts';
import { faultStatements, SIZES, toldFaults } from '../ledger-faults.ts';

/** What SQLite refuses, and its own check finds, is a fault to look for where no constraint forbids it. */
const OWN_FAULTS = {
  unknownPet: `SELECT 'Pet ' || pet_id || ' has stock, but is not among the pets.' AS fault
FROM inventory WHERE pet_id NOT IN (SELECT pet_id FROM pets) ORDER BY pet_id`,
};

/**
 * Recomputes every balance from the ledger. The caller's transaction sees one moment. That pages are whole is
 * PostgreSQL's own matter (data checksums, amcheck).
 */
export async function verifyDatabase(client: pg.Client): Promise<VerifyReport> {
  const faults: string[] = [];
  for (const sql of faultStatements(OWN_FAULTS)) faults.push(...toldFaults((await client.query(sql)).rows));
  const { rows } = await client.query<{ pets: number; movements: number }>(SIZES);
  const { pets = 0, movements = 0 } = rows[0] ?? {};
  return { pets, movements, faults };
}
