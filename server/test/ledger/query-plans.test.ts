import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HISTORY } from '../../src/store/history/movement-sql.ts';
import { STOCK_TOTALS, stockQueries } from '../../src/store/history/snapshot-sql.ts';
import { POSTGRES_ORDERS, SQLITE_ORDERS } from '../../src/store/orders/order-sql.ts';
import * as POSTGRES from '../../src/store/postgres/statements.ts';
import * as SQLITE from '../../src/store/sqlite/statements.ts';
import { fillOrders } from '../store/orders/filled-orders.ts';
import type { TestDatabase } from '../support/test-database.ts';
import { LedgerDatabase } from './ledger-database.ts';

/** Statements that follow the movements of one pet. */
const OF_PET: readonly string[] = ['petMovementsUp', 'petMovementsDown', 'sequenceWith'];

/** A plan of PostgreSQL, with `FORMAT JSON`. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly 'Plan Rows': number;
  readonly Plans?: readonly PlanNode[];
}

const LARGE_TABLES = ['movements', 'inventory', 'pets', 'orders', 'order_lines', 'sales'];
/** Statements that read from one end of a table as far as their LIMIT: SQLite calls that a scan too. */
const READ_AN_END = ['head', 'chainHead', 'firstChunk'];

/** The large tables that SQLite would read whole. */
async function scannedBySqlite(database: TestDatabase, sql: string): Promise<string[]> {
  const steps = (await database.rows(`EXPLAIN QUERY PLAN ${sql}`)).map((row) => String(row[3]));
  // A part of a statement that was read by key already may have the name of its table.
  const parts = steps.filter((step) => step.startsWith('MATERIALIZE ')).map((step) => step.split(' ')[1]);
  const scanned = steps.filter((step) => step.startsWith('SCAN ')).map((step) => step.split(' ')[1] ?? '');
  for (const part of parts) {
    const position = scanned.indexOf(part ?? '');
    if (position >= 0) scanned.splice(position, 1);
  }
  return scanned.filter((table) => LARGE_TABLES.includes(table));
}

/** How PostgreSQL executes a statement, whatever its parameters are. */
async function planOf(database: TestDatabase, sql: string): Promise<PlanNode> {
  const [row] = await database.rows(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${sql}`);
  assert.ok(row);
  const [explained] = row[0] as unknown as [{ Plan: PlanNode }];
  return explained.Plan;
}

/** The large tables that PostgreSQL would read completely for some parameters. */
async function scannedByPostgres(database: TestDatabase, sql: string): Promise<string[]> {
  return scannedIn(await planOf(database, sql), undefined);
}

/** Whether PostgreSQL reads the first row alone: `max` is a LIMIT of one row. */
const isOneRowOf = (parent: PlanNode | undefined) =>
  parent?.['Node Type'] === 'Limit' && parent['Plan Rows'] === 1;

function scannedIn(node: PlanNode, parent: PlanNode | undefined): string[] {
  const found = (node.Plans ?? []).flatMap((child) => scannedIn(child, node));
  const table = node['Relation Name'] ?? '';
  // The end of an index is read without a condition.
  const isOneRow = isOneRowOf(parent);
  const isByKey = /^Index|^Bitmap/.test(node['Node Type']) && (node['Index Cond'] !== undefined || isOneRow);
  const isRead = !['ModifyTable', 'Bitmap Heap Scan'].includes(node['Node Type']);
  if (LARGE_TABLES.includes(table) && !isByKey && isRead) found.push(table);
  return found;
}

/** The conditions by which PostgreSQL would read all movements between two of them. */
function rangesIn(node: PlanNode, parent?: PlanNode): string[] {
  const found = (node.Plans ?? []).flatMap((child) => rangesIn(child, node));
  const condition = node['Index Cond'] ?? '';
  const isRange = node['Relation Name'] === 'movements' && !condition.includes(' = ');
  return isRange && !isOneRowOf(parent) ? [...found, condition] : found;
}

function textsOf(statements: Readonly<Record<string, { readonly text: string }>>): Record<string, string> {
  return Object.fromEntries(Object.entries(statements).map(([name, { text }]) => [name, text]));
}

test('no statement reads a whole large table, except the sum of all stock', async (t) => {
  const ledger = await LedgerDatabase.create(t);
  const { database, isSqlite } = ledger;
  await ledger.fill(30_000, 3_000);
  await fillOrders(database, 30_000);
  const scanned = isSqlite ? scannedBySqlite : scannedByPostgres;
  const statements = {
    ...(isSqlite
      ? { ...SQLITE.READ, ...SQLITE.LEDGER, ...SQLITE.USAGE, ...SQLITE.USES, ...SQLITE.ACCOUNT_EVENTS }
      : textsOf({ ...POSTGRES.READ, ...POSTGRES.WRITE })),
    ...HISTORY,
    ...(isSqlite ? SQLITE_ORDERS : POSTGRES_ORDERS),
    ...stockQueries(
      isSqlite ? 'pet_id IN (SELECT value FROM json_each($1))' : 'pet_id = ANY (CAST($1 AS bigint[]))',
    ),
  };
  assert.ok(Object.keys(statements).length >= 25);
  for (const statistics of ['', 'ANALYZE']) {
    await database.run(statistics);
    for (const [name, sql] of Object.entries(statements)) {
      if (isSqlite && READ_AN_END.includes(name)) continue;
      assert.deepEqual(await scanned(database, sql), [], `${name} ${statistics}`);
      // Between two movements of a pet are those of all other pets.
      if (isSqlite || !OF_PET.includes(name)) continue;
      assert.deepEqual(rangesIn(await planOf(database, sql)), [], `${name} ${statistics}`);
    }
    assert.deepEqual(await scanned(database, STOCK_TOTALS), ['inventory'], 'a reading of all is noticed');
    const everything = "SELECT * FROM movements WHERE reason = 'sold' ORDER BY sequence";
    assert.deepEqual(await scanned(database, everything), ['movements']);
  }
});
