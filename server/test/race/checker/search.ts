import type { Operation } from './history.ts';
import { explain, isPassive, type State } from './register.ts';
import type { Timeline } from './timeline.ts';

/** A point of the search: the operations that have taken effect, and the register after them. */
export interface Point {
  /** All answered operations before this index have taken effect, the one at it has not. */
  readonly frontier: number;
  /** Bit i: the answered operation `frontier + i` has taken effect too. */
  readonly ahead: bigint;
  /** Bit i: the unanswered operation i has taken effect. */
  readonly maybes: bigint;
  readonly state: State;
  /** The operation that took effect last, and the point before it. */
  readonly last: Operation | undefined;
  readonly parent: Point | undefined;
}

/** Where a search ended: at a point that explains everything, after all points there are, or for lack of patience. */
export interface Found {
  readonly end: 'explained' | 'exhausted' | 'impatient';
  /** The point that explains everything; otherwise some of those that explained the most. */
  readonly furthest: readonly Point[];
  readonly points: number;
}

const MAX_FURTHEST_POINTS = 20;

/** Looks for an order that explains every answer of the timeline, at `maxPoints` points at most. */
export function search(timeline: Timeline, initial: State, maxPoints: number): Found {
  const visited = new Visited(timeline);
  const stack: Point[] = [
    { frontier: 0, ahead: 0n, maybes: 0n, state: initial, last: undefined, parent: undefined },
  ];
  let furthest: Point[] = [];
  let points = 0;
  for (let point = stack.pop(); point; point = stack.pop()) {
    if (point.frontier === timeline.answered.length) return { end: 'explained', furthest: [point], points };
    if (!visited.add(point)) continue;
    if (points === maxPoints) return { end: 'impatient', furthest, points };
    points += 1;
    const most = furthest[0]?.frontier ?? -1;
    if (point.frontier > most) furthest = [point];
    else if (point.frontier === most && furthest.length < MAX_FURTHEST_POINTS) furthest.push(point);
    stack.push(...successorsOf(point, timeline));
  }
  return { end: 'exhausted', furthest, points };
}

/** The operations in the order that led to a point. */
export function orderOf(point: Point): Operation[] {
  const order: Operation[] = [];
  for (let at: Point | undefined = point; at?.last; at = at.parent) order.push(at.last);
  return order.reverse();
}

/** The points one step on, the likeliest last. */
function successorsOf(point: Point, timeline: Timeline): Point[] {
  const answered = withAnswered(point, timeline);
  const last = answered.at(-1)?.last;
  if (last && isPassive(last)) return answered.slice(-1);
  return [...withUnanswered(point, timeline), ...answered.reverse()];
}

/**
 * The points that the next answered operations lead to, in the order of their answers. An operation without an effect
 * ends the list, because it is placed immediately.
 */
function withAnswered(point: Point, { answered, earliestInvokedFromMs }: Timeline): Point[] {
  const { frontier, ahead, state } = point;
  const untilMs = answered[frontier]!.returnedAtMs;
  const points: Point[] = [];
  for (let index = frontier; earliestInvokedFromMs[index]! <= untilMs; index += 1) {
    const operation = answered[index]!;
    if (operation.invokedAtMs > untilMs || hasBit(ahead, index - frontier)) continue;
    const after = explain(state, operation);
    if (after)
      points.push({ ...point, ...advanced(point, index), state: after, last: operation, parent: point });
    if (after && isPassive(operation)) break;
  }
  return points;
}

function advanced({ frontier, ahead }: Point, index: number): Pick<Point, 'frontier' | 'ahead'> {
  let bits = ahead | (1n << BigInt(index - frontier));
  let first = frontier;
  while (bits & 1n) {
    bits >>= 1n;
    first += 1;
  }
  return { frontier: first, ahead: bits };
}

/** The points that an operation of unknown outcome can lead to, the latest invoked one last: it is the likeliest. */
function withUnanswered(point: Point, { answered, unanswered, twins, expiredBefore }: Timeline): Point[] {
  const { frontier, maybes, state } = point;
  const untilMs = answered[frontier]!.returnedAtMs;
  const first = expiredBefore[frontier]!;
  const points: Point[] = [];
  for (let index = first; index < unanswered.length; index += 1) {
    const operation = unanswered[index]!;
    if (operation.invokedAtMs > untilMs) break;
    const twin = twins[index]!;
    if (hasBit(maybes, index) || (twin >= first && !hasBit(maybes, twin))) continue;
    const after = explain(state, operation);
    if (after)
      points.push({
        ...point,
        maybes: maybes | (1n << BigInt(index)),
        state: after,
        last: operation,
        parent: point,
      });
  }
  return points;
}

function hasBit(bits: bigint, index: number): boolean {
  return bits !== 0n && ((bits >> BigInt(index)) & 1n) === 1n;
}

/**
 * The visited points. A point is skipped if a visited point differs only in using fewer unanswered operations: every
 * continuation of the one is possible from the other.
 */
class Visited {
  readonly #maybesAt = new Map<string, bigint[]>();
  readonly #timeline: Timeline;

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  /** Returns whether the point is a new one. */
  add({ frontier, ahead, maybes, state }: Point): boolean {
    const { hasVersions, revertsAmongUnanswered, expiredBefore } = this.#timeline;
    const version = hasVersions ? state.version : '';
    // A reverted movement affects all later states, so a revert is always part of the comparison.
    const reverts = maybes & revertsAmongUnanswered;
    const place = `${frontier} ${ahead} ${reverts} ${state.quantity} ${state.reserved} ${state.status} ${version}`;
    const used = maybes >> BigInt(expiredBefore[frontier]!);
    const seen = this.#maybesAt.get(place);
    if (!seen) this.#maybesAt.set(place, [used]);
    else if (seen.some((fewer) => (fewer & used) === fewer)) return false;
    else seen.push(used);
    return true;
  }
}
