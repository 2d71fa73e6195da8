import type { TestDatabase } from '../../support/test-database.ts';

/** The pet of the first line of each tenth order; other lines have other pets. */
export const POPULAR_PET = 1n;
/** The reference of each fifth order; others have their own or none. */
export const COMMON_REFERENCE = 'common';
/** The first order is placed at this moment, and each later one two milliseconds after the one before. */
export const FIRST_ORDER_MS = 1_000_000;

/**
 * Adds orders and sales past the service: the last hundredth is placed, the others are in every other status. Stock and ledger do
 * not have them.
 */
export async function fillOrders(database: TestDatabase, orders: number): Promise<void> {
  const numbers = (last: number) =>
    `WITH RECURSIVE turns (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM turns WHERE i < ${last})`;
  await database.run(`BEGIN;
INSERT INTO orders ${numbers(orders)}
SELECT i, CASE WHEN i > ${orders * 0.99} THEN 'placed' WHEN i % 9 = 0 THEN 'approved' WHEN i % 9 = 1 THEN 'cancelled' WHEN i % 9 = 2 THEN 'expired'
ELSE 'delivered' END, 1, CASE WHEN i % 5 = 0 THEN '${COMMON_REFERENCE}' WHEN i % 5 < 3 THEN 'own ' || i END, NULL,
${FIRST_ORDER_MS} + 4 * i, ${FIRST_ORDER_MS} + 2 * (i - 1), ${FIRST_ORDER_MS} + 2 * i, 'cli' FROM turns;
INSERT INTO order_lines ${numbers(3)}
SELECT orders.id * 128 + i - 1, orders.id, CASE WHEN i = 1 AND orders.id % 10 = 0 THEN ${POPULAR_PET} ELSE 10 + (orders.id + 101 * i) % 1000 END,
i, CASE status WHEN 'delivered' THEN i ELSE 0 END, 0 FROM turns CROSS JOIN orders WHERE i <= 1 + orders.id % 3;
INSERT INTO sales ${numbers(31)} SELECT DISTINCT pet_id, i, 1 FROM turns CROSS JOIN order_lines;
COMMIT;
ANALYZE`);
}
