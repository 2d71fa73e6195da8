import { areLinesOf, LINE_IDS } from './order-rows.ts';

/**
 * The first order with all its movements after the retention start: those of the first one after it may be deleted in
 * part. Orders are placed in the order of their ids.
 */
const FIRST_TRACED = `SELECT CASE WHEN sequence = 0 THEN 1 ELSE coalesce((
  SELECT order_id + 1 FROM movements WHERE movements.sequence > ledger_start.sequence AND kind = 'reserve' ORDER BY movements.sequence LIMIT 1
), ${Number.MAX_SAFE_INTEGER}) END FROM ledger_start`;

/** Units of orders by their movements, and less those of their lines. */
const UNITS = `SELECT order_id, pet_id,
  CASE kind WHEN 'reserve' THEN reserved_after - reserved_before ELSE 0 END AS ordered,
  CASE kind WHEN 'release' THEN reserved_before - reserved_after ELSE 0 END AS released,
  CASE kind WHEN 'deliver' THEN quantity_before - quantity_after ELSE 0 END AS delivered,
  CASE kind WHEN 'return' THEN quantity_after - quantity_before ELSE 0 END AS returned
  FROM movements WHERE order_id >= (${FIRST_TRACED})
  UNION ALL
  SELECT order_id, pet_id, -quantity, CASE WHEN status IN ('cancelled', 'expired') THEN delivered - quantity ELSE 0 END, -delivered, -returned
  FROM order_lines JOIN orders ON orders.id = order_id WHERE order_id >= (${FIRST_TRACED})`;

/**
 * Statements that find orders which contradict the stock, the ledger or themselves, one sentence per fault, for both
 * engines.
 */
export const ORDER_FAULTS = [
  `SELECT 'The orders have gaps: the newest is ' || newest || ', and there are ' || stored || '.' AS fault
FROM (SELECT coalesce(max(id), 0) AS newest, count(*) AS stored FROM orders) AS counted WHERE newest <> stored`,

  `SELECT 'Line ' || id || ' names order ' || order_id || ', which is not there or has other lines.' AS fault
FROM order_lines WHERE id / ${LINE_IDS} <> order_id OR NOT EXISTS (SELECT 1 FROM orders WHERE orders.id = order_id) ORDER BY order_lines.id`,

  `SELECT 'Order ' || order_id || ' names pet ' || pet_id || ', which has no stock.' AS fault
FROM order_lines WHERE NOT EXISTS (SELECT 1 FROM inventory WHERE inventory.pet_id = order_lines.pet_id) ORDER BY order_lines.id`,

  `SELECT 'Order ' || id || ' is ' || status || ', which its lines contradict.' AS fault
FROM (
  SELECT id, status, (SELECT count(*) FROM order_lines WHERE ${areLinesOf('orders')}) AS lines,
  (SELECT count(*) FROM order_lines WHERE ${areLinesOf('orders')} AND delivered < quantity) AS undelivered,
  (SELECT count(*) FROM order_lines WHERE ${areLinesOf('orders')} AND delivered > 0) AS touched
  FROM orders
) AS counted
WHERE lines = 0 OR (status = 'delivered') <> (undelivered = 0) OR (touched > 0 AND status IN ('placed', 'expired')) ORDER BY id`,

  `SELECT 'Order ' || order_id || ' has other units of pet ' || pet_id || ' than its movements.' AS fault
FROM (${UNITS}) AS units GROUP BY order_id, pet_id
HAVING sum(ordered) <> 0 OR sum(released) <> 0 OR sum(delivered) <> 0 OR sum(returned) <> 0 ORDER BY order_id, pet_id`,

  `SELECT 'Pet ' || pet_id || ' has ' || reserved || ' units reserved, but open orders hold ' || held || '.' AS fault
FROM (
  SELECT pet_id, reserved, coalesce(held, 0) AS held FROM inventory LEFT JOIN (
    SELECT pet_id, sum(quantity - delivered) AS held FROM order_lines JOIN orders ON orders.id = order_id
    WHERE status IN ('placed', 'approved') GROUP BY pet_id
  ) AS open_lines USING (pet_id)
) AS pets WHERE reserved <> held ORDER BY pet_id`,
] as const;
