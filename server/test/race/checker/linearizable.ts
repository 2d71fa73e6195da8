import { type History, knownAt } from './history.ts';
import { stateOf } from './register.ts';
import { orderOf, type Point, search } from './search.ts';
import { type Timeline, timelineOf } from './timeline.ts';
import { describeStuck, type Refutation, type Verdict } from './verdict.ts';

/** The search limit. A history with too many unknown outcomes exceeds it and is not decided. */
const MAX_POINTS = 300_000;

/**
 * Assumed limits on the delay until an operation without an answer takes effect. Most take effect soon, so a short
 * limit keeps the search small, and an explanation found with it is valid. Only a search without a limit can refute.
 */
const PATIENCES_MS = [50, 150, 500, 2_000, 8_000];

/**
 * Decides whether the history of one pet is linearizable as a register with set, adjust, compare and read: the search
 * of Wing and Gong (1993) with Lowe's cache of visited points (2017). Only concurrent operations branch the search, and
 * an answered operation without an effect is placed immediately.
 *
 * A refutation has the shortest prefix that is not linearizable: up to the answer that no order explains.
 * @throws Error when `maxPoints` points do not decide it.
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
 * The search uses answers that come later than the moment that it reaches, so it gets stuck at or before the decisive
 * answer. That answer is at the latest among those of the operations that were running then.
 */
function shortest(history: History, refuted: Refutation, maxPoints: number): Refutation {
  const { returnedAtMs: stuckAtMs } = refuted.stuck;
  // To learn that an operation failed can take the last explanation away as well.
  const answered = history.operations
    .filter(({ outcome, returnedAtMs }) => outcome.result !== 'unknown' && returnedAtMs >= stuckAtMs)
    .toSorted((a, b) => a.returnedAtMs - b.returnedAtMs);
  let found = refuted;
  let high = answered.findLastIndex(({ invokedAtMs }) => invokedAtMs <= stuckAtMs);
  for (let low = 0; low <= high;) {
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
