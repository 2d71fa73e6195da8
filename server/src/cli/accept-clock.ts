import type { Command } from 'commander';
import { OperatorError } from '../domain/errors.ts';
import type { AdminStore } from '../domain/store.ts';

export interface ClockOptions {
  readonly acceptClock?: true;
}

/** Adds the option of commands that record movements: a wrong time in the ledger cannot be corrected. */
export function withAcceptClock(command: Command): Command {
  return command.option(
    '--accept-clock',
    'the clock is right although the newest movement is more than 366 days old',
  );
}

/** @throws OperatorError when the clock may be wrong and the operator has not accepted it. */
export async function requireRightClock(store: AdminStore, { acceptClock }: ClockOptions): Promise<void> {
  const fault = acceptClock ? undefined : await store.findWrongClock();
  if (fault === undefined) return;
  throw new OperatorError(
    `${fault} Nothing was changed. Set the clock right, or add --accept-clock if it is right.`,
  );
}
