import { describeUnstorable, unstorableInLine } from '@petstore-inventory/shared/storable-text';
import { MAX_NAME } from '@petstore-inventory/shared/limits';
import { shownDuration } from '@petstore-inventory/shared/terminal/arguments';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { nameOf } from '../domain/actions/accounts.ts';
import type { ClockAcceptance } from '../domain/actions/clock.ts';
import { DEFAULT_OVERLAP_SECONDS } from '../domain/actions/keys.ts';
import type { Output } from './output.ts';
import { parseOverlapSeconds } from './parse-time.ts';

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

export interface DryRunOption {
  readonly dryRun?: true;
}

/** Adds the option that only shows what the command would do. @param shown Such as `the pets that would change`. */
export function withDryRun(command: Command, shown: string): Command {
  return command.option('--dry-run', `show ${shown}, but change nothing`);
}

/** The result of a command with `--dry-run`. @param text What would happen. */
export function dryRunOutput(value: object, text: string): Output {
  return { value: { dryRun: true, ...value }, text: `${text}\nNothing was changed.` };
}

/** How long a replaced secret still works. */
export function overlapOption(meaning: string): Option {
  return new Option('--overlap <time>', meaning)
    .argParser(parseOverlapSeconds)
    .default(DEFAULT_OVERLAP_SECONDS, shownDuration(DEFAULT_OVERLAP_SECONDS));
}

/** Reads the name of an account or a key: one line, not empty. */
export function parseName(text: string): string {
  const name = nameOf(text);
  const character = unstorableInLine(text.trim());
  if (character !== undefined) {
    throw new InvalidArgumentError(`It has ${describeUnstorable(character)}`);
  }
  if (name === undefined) throw new InvalidArgumentError(`Give 1 to ${MAX_NAME} characters on one line.`);
  return name;
}
