import { type NamedLine, type Stocktake, stateOf, varianceOf } from '../domain/management/stocktakes.ts';
import { timestamp, timestampOrNull } from '../domain/timestamps.ts';
import { actorMembers } from './actor-json.ts';

/** The members of a stock-take in JSON. */
export function stocktakeMembers(stocktake: Stocktake) {
  const { id, name, scope, posting, startedBy, startedByName } = stocktake;
  const { query = null, category = null, status = null, alertLevels = null } = scope;
  return {
    id,
    name,
    state: stateOf(stocktake),
    scope: { q: query, category, status, alert: alertLevels },
    posting,
    startedBy: actorMembers({ actor: startedBy, actorName: startedByName }),
    startedAt: timestamp(stocktake.startedAtMs),
    closedBy: actorOrNull(stocktake.closedBy, stocktake.closedByName),
    closedAt: timestampOrNull(stocktake.closedAtMs),
    undoneBy: actorOrNull(stocktake.undoneBy, stocktake.undoneByName),
    undoneAt: timestampOrNull(stocktake.undoneAtMs),
    prunedAt: timestampOrNull(stocktake.prunedAtMs),
  };
}

function actorOrNull(actor: string | null, actorName: string | null) {
  return actor === null ? null : actorMembers({ actor, actorName: actorName ?? actor });
}

/** The members of a line of a report in JSON. */
export function stocktakeLineMembers(line: NamedLine) {
  const { petId, name, category, expected, counted, posted, counts, sequence } = line;
  return {
    petId,
    name,
    category,
    expected,
    counted,
    variance: varianceOf(line),
    posted,
    counts,
    countedBy: actorMembers(line),
    countedAt: timestamp(line.countedAtMs),
    sequence,
  };
}
