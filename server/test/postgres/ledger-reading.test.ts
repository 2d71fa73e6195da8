import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UNKNOWN_PET } from '../../src/store/postgres/admin/engine.ts';
import { sumsOf } from '../../src/store/reports/report-sql.ts';
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

test('a report of a category that many pets have just got does not compare each movement with all of them', async (t) => {
  const ledger = await LedgerDatabase.create(t);
  const { database } = ledger;
  await ledger.fill(20_000, 4_000);
  await database.run("ANALYZE; UPDATE pets SET category = 'new'");
  for (const isByCategory of [true, false]) {
    const sql = sumsOf({ isByCategory, hasCategory: true });
    // As where the statistics know as little of the movements as of the category.
    const plan = (await database.rows(`EXPLAIN (GENERIC_PLAN) ${sql}`)).join('\n');
    assert.match(plan, /on pets/);
    assert.doesNotMatch(plan, /Join Filter/);
  }
});
