import type { AdminStore } from '../admin-store.ts';
import { OperatorError } from '../errors.ts';

/** How a person confirms a clock that may be wrong. */
export interface ClockAcceptance {
  readonly isAccepted: boolean;
  /** What to add to the command or request, such as `--accept-clock`. */
  readonly hint: string;
}

/**
 * Compares the clock with the ledger before it is changed: a wrong time of a movement cannot be corrected, and a deleted
 * movement cannot be restored.
 * @throws OperatorError `conflict` when the clock may be wrong and was not accepted.
 */
export async function requireRightClock(
  store: Pick<AdminStore, 'findWrongClock'>,
  { isAccepted, hint }: ClockAcceptance,
): Promise<void> {
  const fault = isAccepted ? undefined : await store.findWrongClock();
  if (fault === undefined) return;
  throw new OperatorError(
    `${fault} Nothing was changed. Set the clock right, or add ${hint} if it is right.`,
  );
}
