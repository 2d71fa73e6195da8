/** Events per transaction. */
const PORTION = 2_000;

/**
 * Deletes a portion of the events before the movement `$1`, the oldest first. Events of the retention start itself stay:
 * a receiver can begin there.
 */
const DELETE_EVENTS = `DELETE FROM events WHERE (sequence, number) IN (
  SELECT sequence, number FROM events WHERE sequence < CAST($1 AS bigint) ORDER BY sequence, number LIMIT ${PORTION}
)`;

/**
 * Deletes the events before the retention start, in portions. The next prune completes an interrupted one.
 * @param runPortion Runs a statement in a transaction of its own, and returns the number of rows changed.
 */
export async function pruneEvents(
  start: number,
  runPortion: (sql: string, values: readonly number[]) => Promise<number>,
): Promise<void> {
  while ((await runPortion(DELETE_EVENTS, [start])) === PORTION);
}
