import { type Action, changesOf, type History, type Operation, type Outcome } from './history.ts';

/** The operations of a history in the order in which the search wants them. */
export interface Timeline {
  /** Those with an answer, by the time of it. */
  readonly answered: readonly Operation[];
  /** For each of them: the earliest invocation of it and all later ones. */
  readonly earliestInvokedFromMs: readonly number[];
  /** Those whose outcome is unknown, by invocation. */
  readonly unanswered: readonly Operation[];
  /**
   * For each of them: the index of the previous one with the same action, or -1. It suffices that the earlier of two
   * such operations takes effect first, because neither returns.
   */
  readonly twins: readonly number[];
  /**
   * For each answered operation, and after the last: how many unanswered operations have exceeded the patience when it
   * is the next to be placed.
   */
  readonly expiredBefore: readonly number[];
  readonly hasExpiries: boolean;
  /** Bit i: the unanswered operation i reverts a movement. */
  readonly revertsAmongUnanswered: bigint;
  /** Whether an operation requires or reports a version. Otherwise states that differ only in the version are equal. */
  readonly hasVersions: boolean;
}

/**
 * Orders a history for a search that assumes that an operation without an answer takes effect within `patienceMs` or
 * never. It leaves out operations that explain nothing: failed ones, reads without an answer, and operations that are
 * not in the ledger.
 */
export function timelineOf({ operations }: History, patienceMs: number): Timeline {
  const answered = operations
    .filter(({ outcome }) => outcome.result === 'done' || outcome.result === 'refused')
    .toSorted((a, b) => a.returnedAtMs - b.returnedAtMs);
  const unanswered = operations
    .filter(({ action, outcome }) => isUnanswered(outcome) && action.kind !== 'read')
    .toSorted((a, b) => a.invokedAtMs - b.invokedAtMs);
  const expiredBefore = expiries(answered, unanswered, patienceMs);
  return {
    answered,
    earliestInvokedFromMs: earliestFrom(answered),
    unanswered,
    twins: twinsOf(unanswered),
    expiredBefore,
    hasExpiries: expiredBefore.some((count) => count > 0),
    revertsAmongUnanswered: unanswered.reduce(
      (bits, { action }, index) => (reverts(action) ? bits | (1n << BigInt(index)) : bits),
      0n,
    ),
    hasVersions: [...answered, ...unanswered].some(reportsVersion),
  };
}

function isUnanswered(outcome: Outcome): boolean {
  return outcome.result === 'unknown' && outcome.sequence !== null;
}

function expiries(
  answered: readonly Operation[],
  unanswered: readonly Operation[],
  patienceMs: number,
): number[] {
  let expired = 0;
  const counts = answered.map(({ returnedAtMs }) => {
    while (expired < unanswered.length && unanswered[expired]!.invokedAtMs + patienceMs < returnedAtMs)
      expired += 1;
    return expired;
  });
  return [...counts, expired];
}

function earliestFrom(operations: readonly Operation[]): number[] {
  let earliestMs = Number.POSITIVE_INFINITY;
  const earliest = operations.toReversed().map(({ invokedAtMs }) => {
    earliestMs = Math.min(earliestMs, invokedAtMs);
    return earliestMs;
  });
  return earliest.reverse();
}

function twinsOf(operations: readonly Operation[]): number[] {
  const newest = new Map<string, number>();
  return operations.map(({ action }, index) => {
    const text = JSON.stringify(action);
    const twin = newest.get(text) ?? -1;
    newest.set(text, index);
    return twin;
  });
}

function reverts(action: Action): boolean {
  return changesOf(action).some(({ kind }) => kind === 'revert');
}

function reportsVersion({ action, outcome }: Operation): boolean {
  const isReported = 'version' in outcome && outcome.version !== undefined;
  return isReported || changesOf(action).some(({ ifVersion }) => ifVersion !== undefined);
}
