import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { PostgresAdminEngine } from '../../../src/store/postgres/admin/engine.ts';
import { WRITE } from '../../../src/store/postgres/statements.ts';
import type { SqlValue } from '../../../src/store/sql-client.ts';
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

interface Explained {
  readonly Plan: Plan;
  readonly 'Execution Time': number;
}

/** A database with the usage of accounts in the hours from 1970 on. */
async function openFilled(t: TestContext, accounts: number): Promise<PostgresAdminEngine> {
  const { database } = await newAdminStore(t);
  await database.run(`INSERT INTO accounts SELECT 'acc_' || i, 'name ' || i, 'free', 60, 1000, 0 FROM generate_series(1, ${accounts}) AS i;
INSERT INTO usage (account_id) SELECT id FROM accounts;
INSERT INTO usage_history SELECT 'acc_' || i, 'hour', hour * ${HOUR_MS}::bigint, 7
FROM generate_series(0, ${2 * HOURS - 1}) AS hour, generate_series(1, ${accounts}) AS i;
ANALYZE accounts, usage, usage_history`);
  const engine = await PostgresAdminEngine.connect(database.url);
  t.after(() => engine.close());
  return engine;
}

async function explain(
  engine: PostgresAdminEngine,
  sql: string,
  values: readonly SqlValue[],
): Promise<Explained> {
  const [row] = await engine.all<{ 'QUERY PLAN': [Explained] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`,
    values,
  );
  const [explained] = row?.['QUERY PLAN'] ?? [];
  assert.ok(explained);
  return explained;
}

function nodesOf({ Plan: plan }: Explained): readonly Plan[] {
  const nodes: Plan[] = [plan];
  for (const node of nodes) nodes.push(...(node.Plans ?? []));
  return nodes;
}

test(`the usage of a day reads at most ${MOST_PAGES} pages with ${ACCOUNTS} accounts`, async (t) => {
  const engine = await openFilled(t, ACCOUNTS);
  const values = ['acc_5000', 'hour', HOURS * HOUR_MS, 2 * HOURS * HOUR_MS, HOUR_MS];
  const explained = await explain(engine, usageStatement(engine.dialect.lastMinute), values);
  const { Plan: plan } = explained;
  const pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  t.diagnostic(`${pages} pages, ${explained['Execution Time']} ms`);
  assert.ok(pages <= MOST_PAGES, `${pages} pages`);
  assert.ok(!nodesOf(explained).some((node) => node['Node Type'] === 'Seq Scan'), JSON.stringify(plan));
});

test('the purge of some accounts does not read the usage of all, whatever of it is old', async (t) => {
  const engine = await openFilled(t, ACCOUNTS / 5);
  for (const oldHours of [0, 1, HOURS]) {
    const before = oldHours * HOUR_MS;
    const explained = await explain(engine, WRITE.purgeUsage.text, ['', before, before, before, 0]);
    const scans = nodesOf(explained).filter((node) => node['Relation Name'] === 'usage_history');
    t.diagnostic(`${oldHours} hours are old: ${explained['Execution Time']} ms`);
    assert.ok(scans.length > 0);
    assert.ok(!scans.some((node) => node['Node Type'] === 'Seq Scan'), JSON.stringify(explained.Plan));
  }
});
