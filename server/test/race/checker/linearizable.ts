import { type History, knownAt } from './history.ts';
import { stateOf } from './register.ts';
import { orderOf, type Point, search } from './search.ts';
import { type Timeline, timelineOf } from './timeline.ts';
import { describeStuck, type Refutation, type Verdict } from './verdict.ts';

/** Beyond this, a history is not decided: too many unknown outcomes between answers that tell too little. */
const MAX_POINTS = 300_000;

/**
 * How long after its invocation an operation without an answer may take effect. Nearly all do so soon, and a search
 * that believes it is far smaller; what it explains is explained. Only a search without such a belief can refute.
 */
const PATIENCES_MS = [50, 150, 500, 2_000, 8_000];

/**
 * Tells whether the history of one pet is linearizable as a register with set, adjust, compare and read: the search
 * of Wing and Gong (1993) with Lowe's memory of visited points (2017). Only operations that run at the same time
 * branch it, and an answered operation that can only look is placed at once.
 *
 * Where it is not, the prefix is the shortest that is not: up to the answer that made it inexplicable.
 * @throws Error when it was not decided at `maxPoints` points.
 */
export function checkLinearizable(history: History, { maxPoints = MAX_POINTS } = {}): Verdict {
  const { verdict, isSure } = decide(history, maxPoints);
  if (verdict.isLinearizable) return verdict;
  if (!isSure) throw new Error(`Not decided, so perhaps not linearizable. ${verdict.message}`);
  return shortest(history, verdict, maxPoints);
}

/** A refutation is only sure where every order was tried. */
function decide(
  history: History,
  maxPoints: number,
  [patienceMs = Number.POSITIVE_INFINITY, ...longer]: readonly number[] = PATIENCES_MS,
): { verdict: Verdict; isSure: boolean } {
  const timeline = timelineOf(history, patienceMs);
  const { end, furthest } = search(timeline, stateOf(history.initial), maxPoints);
  if (end === 'explained')
    return { verdict: { isLinearizable: true, witness: orderOf(furthest[0]!) }, isSure: true };
  if (timeline.hasExpiries) return decide(history, maxPoints, longer);
  return { verdict: refutation(history, timeline, furthest), isSure: end === 'exhausted' };
}

/**
 * The search knows what operations will be answered while they still run, so it gets stuck at the last moment or
 * before. The answer that leaves no explanation comes at the latest with those that were running then.
 */
function shortest(history: History, refuted: Refutation, maxPoints: number): Refutation {
  const { returnedAtMs: stuckAtMs } = refuted.stuck;
  // To learn that an operation failed can take the last explanation away as well.
  const answered = history.operations
    .filter(({ outcome, returnedAtMs }) => outcome.result !== 'unknown' && returnedAtMs >= stuckAtMs)
    .toSorted((a, b) => a.returnedAtMs - b.returnedAtMs);
  let found = refuted;
  let high = answered.findLastIndex(({ invokedAtMs }) => invokedAtMs <= stuckAtMs);
  for (let low = 0; low <= high; ) {
    const middle = Math.floor((low + high) / 2);
    const { verdict, isSure } = decide(knownAt(history, answered[middle]!.returnedAtMs), maxPoints);
    if (verdict.isLinearizable || !isSure) low = middle + 1;
    else {
      found = verdict;
      high = middle - 1;
    }
  }
  return found;
}

function refutation(history: History, { answered }: Timeline, furthest: readonly Point[]): Refutation {
  const [first] = furthest;
  const stuck = answered[first!.frontier]!;
  const states = furthest.map(({ state }) => state);
  const message = describeStuck({ prefix: history, stuck, order: orderOf(first!), states });
  return { isLinearizable: false, stuck, prefix: history, message };
}
