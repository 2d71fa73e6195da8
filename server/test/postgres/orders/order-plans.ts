import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { OrderFilter, OrderQuery } from '../../../src/domain/orders/order-store.ts';
import { orderPage, POSTGRES_ORDERS } from '../../../src/store/orders/order-sql.ts';
import { named } from '../../../src/store/postgres/connection.ts';
import { READ, WRITE } from '../../../src/store/postgres/statements.ts';
import type { Parameter } from '../../../src/store/sql-client.ts';
import { LedgerDatabase } from '../../ledger/ledger-database.ts';
import { type ExecutedNode, rowsRead } from '../../support/executed-plan.ts';
import {
  COMMON_REFERENCE,
  FIRST_ORDER_MS,
  fillOrders,
  POPULAR_PET,
} from '../../store/orders/filled-orders.ts';

const LIMIT = 20;
/** Rows that a page of 20 orders may read: its orders, their lines, a search for a moment, and 128 to look through. */
const MAX_PAGE_ROWS = 700;

function literal(value: Parameter | readonly unknown[]): string {
  if (Array.isArray(value)) return `'{${value.join()}}'`;
  return value === null ? 'NULL' : `'${String(value)}'`;
}

/** Counts the rows that a statement reads, planned for any values and for these ones. */
async function countsOf(
  { database }: LedgerDatabase,
  { text }: { readonly text: string },
  values: readonly (Parameter | readonly unknown[])[],
): Promise<number[]> {
  const counts: number[] = [];
  for (const mode of ['force_generic_plan', 'force_custom_plan']) {
    await database.run(`SET plan_cache_mode = ${mode}; BEGIN; PREPARE read AS ${text}`);
    const given = values.length > 0 ? `(${values.map(literal).join(', ')})` : '';
    const [row] = await database.rows(`EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE read ${given}`);
    await database.run('ROLLBACK; DEALLOCATE read');
    assert.ok(row);
    const [explained] = row[0] as unknown as [{ Plan: ExecutedNode }];
    counts.push(rowsRead(explained.Plan));
  }
  return counts;
}

/** All filters of a list of so many orders. */
export function filtersOf(orders: number): readonly OrderFilter[] {
  const filters: OrderFilter[] = [];
  for (const status of [undefined, 'placed', 'approved', 'delivered'] as const) {
    for (const petId of [undefined, POPULAR_PET, 77n, 5n]) {
      for (const referenceId of [undefined, COMMON_REFERENCE, `own ${orders / 2 + 1}`]) {
        for (const createdSinceMs of [undefined, FIRST_ORDER_MS + orders / 2]) {
          filters.push({
            ...(status && { status }),
            ...(petId && { petId }),
            ...(referenceId && { referenceId }),
            ...(createdSinceMs && { createdSinceMs }),
          });
        }
      }
    }
  }
  return filters;
}

/** Requires that a page of these filters reads a bounded number of rows of so many orders. */
export async function assertPagesAreBounded(
  t: TestContext,
  orders: number,
  filters: readonly OrderFilter[],
): Promise<void> {
  const ledger = await LedgerDatabase.create(t);
  await fillOrders(ledger.database, orders);
  const statements = named(POSTGRES_ORDERS);
  const check = async (query: OrderQuery) => {
    const { name, values } = orderPage(query);
    for (const rows of await countsOf(ledger, statements[name], values)) {
      assert.ok(rows <= MAX_PAGE_ROWS, `${rows} rows for ${name} with ${values.join()}`);
    }
  };
  for (const filter of filters) {
    await check({ filter, order: 'asc', limit: LIMIT });
    await check({ filter, order: 'desc', limit: LIMIT });
    await check({ filter: { ...filter, after: orders / 2 }, order: 'asc', limit: LIMIT });
    await check({ filter: { ...filter, before: orders / 2 }, order: 'desc', limit: LIMIT });
  }
}

/** Requires that steps, and a look for due orders, read the rows of their own orders among so many. */
export async function assertStepsAreBounded(t: TestContext, orders: number): Promise<void> {
  const ledger = await LedgerDatabase.create(t);
  const pets = Math.min(2_000, orders);
  await ledger.fill(pets, pets);
  await fillOrders(ledger.database, orders);
  for (const count of [1, 10]) {
    const orderIds = Array.from({ length: count }, (_, i) => 1 + i * 271);
    const lineIds = orderIds.map((id) => id * 128);
    const numbers = orderIds.map(() => 1);
    const days = orderIds.map(() => 25);
    const reads = {
      orders: [WRITE.orders, [orderIds]],
      stockOfOrders: [WRITE.stockOfOrders, [orderIds]],
      newestOrderId: [WRITE.newestOrderId, []],
      setOrders: [WRITE.setOrders, [orderIds, orderIds.map(() => 'expired'), numbers, numbers]],
      setLines: [WRITE.setLines, [lineIds, numbers, numbers.map(() => 0)]],
      addSales: [WRITE.addSales, [orderIds, days, numbers, numbers, numbers, numbers.map(() => true)]],
      item: [READ.item, ['77', 3]],
      dueOrders: [named(POSTGRES_ORDERS).dueOrders, [FIRST_ORDER_MS + 8 * orders, count]],
    } as const;
    for (const [name, [statement, values]] of Object.entries(reads)) {
      for (const rows of await countsOf(ledger, statement, values)) {
        assert.ok(rows <= 40 + 40 * count, `${name} of ${count} read ${rows} rows`);
      }
    }
  }
}
