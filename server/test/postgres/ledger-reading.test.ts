import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNKNOWN_PET } from '../../src/store/postgres/admin/engine.ts';
import { LedgerDatabase } from '../ledger/ledger-database.ts';
import { runOnPostgres } from './support/on-postgres.ts';

runOnPostgres(['ledger/ledger-reading', 'inventory/snapshot', 'ledger/query-plans', 'store/long-reads']);

/** PostgreSQL's cost estimate of a statement, in its own unit. */
async function costOf({ database }: LedgerDatabase, sql: string): Promise<number> {
  const [row] = (await database.rows(`EXPLAIN (FORMAT JSON) ${sql}`)) as [unknown[]];
  const [explained] = row[0] as unknown as [{ Plan: { 'Total Cost': number } }];
  return explained.Plan['Total Cost'];
}

test('a check of all pets costs about ten times as much for ten times as many, with any amount of memory', async (t) => {
  const costs: number[] = [];
  for (const pets of [4_000, 40_000]) {
    const ledger = await LedgerDatabase.create(t);
    await ledger.fill(pets, pets);
    // A million pets do not fit the usual 4 MB either.
    await ledger.database.run("SET work_mem = '64kB'; ANALYZE");
    costs.push(await costOf(ledger, UNKNOWN_PET));
    assert.deepEqual(await ledger.database.rows(UNKNOWN_PET), []);
  }
  const [few = 0, many = 0] = costs;
  assert.ok(many < 25 * few, `${many} for 40,000 pets, ${few} for 4,000`);
});
