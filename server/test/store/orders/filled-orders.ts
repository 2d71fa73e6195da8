import type { TestDatabase } from '../../support/test-database.ts';
import { LINK_PET_LINES } from './pet-lines.ts';

/** The pet of the first line of each tenth order; other lines have other pets. */
export const POPULAR_PET = 1n;
/** The reference of each fifth order; others have their own or none. */
export const COMMON_REFERENCE = 'common';
/** The first order is placed at this moment, and then two every two milliseconds. */
export const FIRST_ORDER_MS = 1_000_000;

/** Rows of stock for pets that have none, because SQLite enters the lines of a pet there. */
const STOCK_OF_LINES = `INSERT INTO pets (pet_id) SELECT DISTINCT pet_id FROM order_lines WHERE true ON CONFLICT DO NOTHING;
INSERT INTO inventory (pet_id, quantity, status, version, last_sequence, updated_at, reserved, created_at)
SELECT pet_id, 0, 'available', 1, 1, 0, 0, 0 FROM pets WHERE true ON CONFLICT DO NOTHING`;

/**
 * Adds orders and sales past the service: the last hundredth is placed, the others are in every other status. Stock and ledger do
 * not have them.
 */
export async function fillOrders(database: TestDatabase, orders: number): Promise<void> {
  const numbers = (last: number) =>
    `WITH RECURSIVE turns (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM turns WHERE i < ${last})`;
  const isSqlite = database.url.startsWith('sqlite:');
  await database.run(`BEGIN;
INSERT INTO orders ${numbers(orders)}
SELECT i, CASE WHEN i > ${orders * 0.99} THEN 'placed' WHEN i % 9 = 4 THEN 'approved' WHEN i % 9 = 1 THEN 'cancelled' WHEN i % 9 = 2 THEN 'expired'
ELSE 'delivered' END, 1, CASE WHEN i % 5 = 0 THEN '${COMMON_REFERENCE}' WHEN i % 5 < 3 THEN 'own ' || i END, NULL,
${FIRST_ORDER_MS} + 4 * i, ${FIRST_ORDER_MS} + 2 * (i / 2), ${FIRST_ORDER_MS} + 2 * i, 'cli' FROM turns;
INSERT INTO order_lines ${numbers(3)}
SELECT orders.id * 128 + i - 1, orders.id, CASE WHEN i = 1 AND orders.id % 10 = 0 THEN ${POPULAR_PET} ELSE 10 + (orders.id + 101 * i) % 1000 END,
i, CASE status WHEN 'delivered' THEN i WHEN 'approved' THEN (i - 1) * (orders.id % 2) ELSE 0 END, 0${isSqlite ? ', NULL, 0' : ''} FROM turns CROSS JOIN orders WHERE i <= 1 + orders.id % 3;
INSERT INTO sales ${numbers(31)} SELECT DISTINCT pet_id, i, 1 FROM turns CROSS JOIN order_lines;
${isSqlite ? `${STOCK_OF_LINES};${LINK_PET_LINES};` : ''}
COMMIT;
ANALYZE`);
}
