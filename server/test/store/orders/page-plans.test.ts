import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OrderStatementName, SQLITE_ORDERS } from '../../../src/store/orders/order-sql.ts';
import { LedgerDatabase } from '../../ledger/ledger-database.ts';
import { fillOrders } from './filled-orders.ts';

/** How SQLite enters the index of each page. */
const ENTRIES: Readonly<Partial<Record<OrderStatementName, string>>> = {
  ordersUp: 'SEARCH orders USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)',
  ordersDown: 'SEARCH orders USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)',
  ordersOfStatusUp: 'SEARCH orders USING COVERING INDEX orders_status (status=? AND id>? AND id<?)',
  ordersOfStatusDown: 'SEARCH orders USING COVERING INDEX orders_status (status=? AND id>? AND id<?)',
  ordersOfReferenceUp:
    'SEARCH orders USING COVERING INDEX orders_reference (reference_id=? AND id>? AND id<?)',
  ordersOfReferenceDown:
    'SEARCH orders USING COVERING INDEX orders_reference (reference_id=? AND id>? AND id<?)',
  ordersOfPetUp: 'SEARCH order_lines USING INDEX order_lines_milestones (pet_id=? AND id>?)',
  ordersOfPetDown: 'SEARCH order_lines USING INDEX order_lines_milestones (pet_id=? AND id>?)',
  approval: 'SEARCH events USING INDEX events_approved (<expr>=?)',
  dueOrders: 'SEARCH orders USING COVERING INDEX orders_expiry (expires_at>? AND expires_at<?)',
};

test('each page of orders on SQLite enters an index at its first order', async (t) => {
  const { database } = await LedgerDatabase.create(t);
  await fillOrders(database, 3_000);
  for (const statistics of ['ANALYZE', 'DELETE FROM sqlite_stat1']) {
    await database.run(statistics);
    for (const [name, entry] of Object.entries(ENTRIES)) {
      const sql = SQLITE_ORDERS[name as OrderStatementName];
      const steps = (await database.rows(`EXPLAIN QUERY PLAN ${sql}`)).map((row) => String(row[3]));
      assert.ok(steps.includes(entry), `${name}:\n${steps.join('\n')}`);
    }
  }
});
