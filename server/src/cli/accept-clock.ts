import type { Command } from 'commander';
import type { ClockAcceptance } from '../domain/actions/clock.ts';

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

export function acceptanceOf({ acceptClock }: ClockOptions): ClockAcceptance {
  return { isAccepted: acceptClock === true, hint: '--accept-clock' };
}
