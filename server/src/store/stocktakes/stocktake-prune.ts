import { OperatorError } from '../../domain/errors.ts';
import type { StocktakeLine } from '../../domain/management/stocktakes.ts';
import { timestamp } from '../../domain/timestamps.ts';
import type { LockingClient, SqlDialect } from '../sql-client.ts';
import { forCountedPets } from './stocktake-lines.ts';
import { COLUMNS, named, type StocktakeRow, toStocktake } from './stocktake-row.ts';

const RUNNING_BEFORE = `SELECT ${COLUMNS} FROM stocktakes WHERE closed_at IS NULL AND started_sequence < $1
ORDER BY started_at, id LIMIT 1`;

const CLOSED_BEFORE = `SELECT ${COLUMNS} FROM stocktakes
WHERE closed_at IS NOT NULL AND pruned_at IS NULL AND started_sequence < $1 ORDER BY started_at, id`;

const MEMBERS = ['pet_id', 'sequence', 'expected', 'counted', 'posted', 'counts', 'actor', 'counted_at'];

/** Adds the lines in the JSON array `$2`. */
const keepLines = (
  jsonElements: SqlDialect['jsonElements'],
) => `INSERT INTO stocktake_lines (stocktake_id, ${MEMBERS.join(', ')})
SELECT $1, ${MEMBERS.map((name, i) => `CAST(value ->> ${i} AS ${name === 'actor' ? 'text' : 'bigint'})`).join(', ')}
FROM ${jsonElements}($2)`;

const FORGET_COUNTS = `DELETE FROM stocktake_counts WHERE sequence IN (
  SELECT sequence FROM movements WHERE substr(reference_id, 1, 4) = 'stk_' AND reference_id = $1
)`;

/**
 * Refuses a prune that would delete counts of a running stock-take.
 * @param start The retention start of the prune.
 * @throws OperatorError `conflict` that names the stock-take.
 */
export async function refuseRunning(client: Pick<LockingClient, 'all'>, start: number): Promise<void> {
  const [row] = await client.all<StocktakeRow>(RUNNING_BEFORE, [start]);
  if (!row) return;
  const stocktake = toStocktake(row);
  throw new OperatorError(
    `${named(stocktake)} runs since ${timestamp(stocktake.startedAtMs)}, and its counts would be deleted, so nothing was pruned. Close or cancel it first, or prune only what was recorded before it.`,
  );
}

/**
 * Writes the reports of the stock-takes that are over and whose movements a prune deletes, in the transaction that records the prune.
 * @param start The retention start of the prune.
 */
export async function keepReports(
  client: Pick<LockingClient, 'all' | 'run' | 'now' | 'dialect'>,
  start: number,
): Promise<void> {
  const nowMs = await client.now();
  const insert = keepLines(client.dialect.jsonElements);
  for (const row of await client.all<StocktakeRow>(CLOSED_BEFORE, [start])) {
    await forCountedPets(client, toStocktake(row), async (pets) => {
      const lines = pets.flatMap(({ line }) => (line ? [lineValues(line)] : []));
      await client.run(insert, [row.id, JSON.stringify(lines)]);
    });
    await client.run(FORGET_COUNTS, [row.id]);
    await client.run('UPDATE stocktakes SET pruned_at = $2 WHERE id = $1', [row.id, nowMs]);
  }
}

/** A petId as text, because a JSON number may be rounded. */
function lineValues({ petId, ...line }: StocktakeLine): readonly (string | number)[] {
  const { sequence, expected, counted, posted, counts, actor, countedAtMs } = line;
  return [String(petId), sequence, expected, counted, posted, counts, actor, countedAtMs];
}
