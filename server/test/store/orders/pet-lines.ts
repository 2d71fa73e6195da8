/** Links the lines of each pet on SQLite after they were added past the service, with `previous_id` null and `number` 0. */
export const LINK_PET_LINES = `UPDATE order_lines SET previous_id = linked.previous_id, number = linked.number FROM (
  SELECT id, lag(id) OVER lines AS previous_id, row_number() OVER lines AS number FROM order_lines
  WINDOW lines AS (PARTITION BY pet_id ORDER BY id)
) AS linked WHERE linked.id = order_lines.id;
UPDATE inventory SET last_line_id = newest.id, line_count = newest.number
FROM (SELECT pet_id, max(id) AS id, count(*) AS number FROM order_lines GROUP BY pet_id) AS newest WHERE newest.pet_id = inventory.pet_id`;
