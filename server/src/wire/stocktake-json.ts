import { type NamedLine, type Stocktake, stateOf, varianceOf } from '../domain/management/stocktakes.ts';
import { timestamp, timestampOrNull } from '../domain/timestamps.ts';
import { actorMembers } from './actor-json.ts';

/** The members of a stock-take in JSON. */
export function stocktakeMembers(stocktake: Stocktake) {
  const { id, name, scope, posting, startedBy, startedByName } = stocktake;
  const { query = null, category = null, status = null, alertLevels = null } = scope;
  const state = stateOf(stocktake);
  const undone = by(stocktake.undoneBy, stocktake.undoneByName, stocktake.undoneAtMs);
  const closed = by(stocktake.closedBy, stocktake.closedByName, stocktake.closedAtMs);
  const isCancelled = state === 'cancelled';
  const [closedBy, closedAt] = isCancelled ? NEVER : closed;
  const [undoneBy, undoneAt] = isCancelled ? NEVER : undone;
  const [cancelledBy, cancelledAt] = isCancelled ? undone : NEVER;
  return {
    id,
    name,
    state,
    scope: { q: query, category, status, alert: alertLevels },
    posting,
    startedBy: actorMembers({ actor: startedBy, actorName: startedByName }),
    startedAt: timestamp(stocktake.startedAtMs),
    closedBy,
    closedAt,
    undoneBy,
    undoneAt,
    cancelledBy,
    cancelledAt,
    prunedAt: timestampOrNull(stocktake.prunedAtMs),
  };
}

const NEVER = [null, null] as const;

/** Who did something, and when. */
function by(actor: string | null, actorName: string | null, atMs: number | null) {
  return [
    actor === null ? null : actorMembers({ actor, actorName: actorName ?? actor }),
    timestampOrNull(atMs),
  ] as const;
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
