import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PostgresAdminEngine } from '../../../src/store/postgres/admin/engine.ts';
import { usageStatement } from '../../../src/store/usage/usage-history.ts';
import { newAdminStore } from '../../support/command-line.ts';
import { useEngine } from '../../support/test-database.ts';
import { PostgresEngine } from '../support/postgres-engine.ts';

useEngine(new PostgresEngine());

const ACCOUNTS = 10_000;
const HOURS = 24;
const HOUR_MS = 3_600_000;
/** A page of the heap for each hour, because all accounts write each hour together; and the paths through the indexes. */
const MOST_PAGES = HOURS + 16;

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly Plan[];
}

test(`the usage of a day reads at most ${MOST_PAGES} pages with ${ACCOUNTS} accounts`, async (t) => {
  const { database } = await newAdminStore(t);
  await database.run(`INSERT INTO accounts SELECT 'acc_' || i, 'name ' || i, 'free', 60, 1000, 0 FROM generate_series(1, ${ACCOUNTS}) AS i;
INSERT INTO usage (account_id) SELECT id FROM accounts;
INSERT INTO usage_history SELECT 'acc_' || i, 'hour', hour * ${HOUR_MS}::bigint, 7
FROM generate_series(0, ${2 * HOURS - 1}) AS hour, generate_series(1, ${ACCOUNTS}) AS i;
ANALYZE accounts, usage, usage_history`);
  const engine = await PostgresAdminEngine.connect(database.url);
  t.after(() => engine.close());
  const sql = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${usageStatement(engine.dialect.lastMinute)}`;
  const values = ['acc_5000', 'hour', HOURS * HOUR_MS, 2 * HOURS * HOUR_MS, HOUR_MS];
  const [row] = await engine.all<{ 'QUERY PLAN': [{ Plan: Plan; 'Execution Time': number }] }>(sql, values);
  const [explained] = row?.['QUERY PLAN'] ?? [];
  assert.ok(explained);
  const { Plan: plan } = explained;
  const pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  t.diagnostic(`${pages} pages, ${explained['Execution Time']} ms`);
  assert.ok(pages <= MOST_PAGES, `${pages} pages`);
  const nodes: Plan[] = [plan];
  for (const node of nodes) nodes.push(...(node.Plans ?? []));
  assert.ok(!nodes.some((node) => node['Node Type'] === 'Seq Scan'), JSON.stringify(plan));
});
