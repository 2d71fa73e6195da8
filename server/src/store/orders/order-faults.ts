import { areLinesOf } from './order-rows.ts';

/** Statements that find orders which contradict the stock or themselves, one sentence per fault, for both engines. */
export const ORDER_FAULTS = [
  `SELECT 'Pet ' || pet_id || ' has ' || reserved || ' units reserved, but open orders hold ' || held || '.' AS fault
FROM (
  SELECT pet_id, reserved, coalesce(held, 0) AS held FROM inventory LEFT JOIN (
    SELECT pet_id, sum(quantity - delivered) AS held FROM order_lines JOIN orders ON orders.id = order_id
    WHERE status IN ('placed', 'approved') GROUP BY pet_id
  ) AS open_lines USING (pet_id)
) AS pets WHERE reserved <> held ORDER BY pet_id`,

  `SELECT 'Order ' || order_id || ' names pet ' || pet_id || ', which has no stock.' AS fault
FROM order_lines WHERE NOT EXISTS (SELECT 1 FROM inventory WHERE inventory.pet_id = order_lines.pet_id) ORDER BY order_lines.id`,

  `SELECT 'Order ' || id || ' is ' || status || ', which its lines contradict.' AS fault
FROM orders WHERE (status = 'delivered') <> NOT EXISTS (
  SELECT 1 FROM order_lines WHERE ${areLinesOf('orders')} AND delivered < quantity
) OR NOT EXISTS (SELECT 1 FROM order_lines WHERE ${areLinesOf('orders')}) ORDER BY id`,

  `SELECT 'The orders have gaps: the newest is ' || newest || ', and there are ' || stored || '.' AS fault
FROM (SELECT coalesce(max(id), 0) AS newest, count(*) AS stored FROM orders) AS counted WHERE newest <> stored`,
] as const;
