import { isConfirmed } from '@petstore-inventory/shared/terminal/confirm';
import type { Command } from 'commander';
import { OperatorError } from '../domain/errors.ts';
import type { MaybePromise } from '../domain/maybe-promise.ts';

export interface YesOptions {
  readonly yes?: true;
  readonly json?: true;
}

interface Danger {
  /** What is lost, as a sentence without its end, such as `keys revoke is for good`. */
  readonly what: string;
  /** For the person at a terminal, without the answers. Called only if there is one. */
  readonly question: () => MaybePromise<string>;
  /** What did not happen, such as `revoked`. */
  readonly done: string;
  /** What can be done instead of `--yes`. */
  readonly instead?: string;
}

/** Adds the option of a command that cannot be taken back, or is probably a mistake. */
export function withYes(
  command: Command,
  meaning = 'do it without a question; required without a terminal',
): Command {
  return command.option('--yes', meaning);
}

/** @throws OperatorError unless `--yes` is given, or the person at the terminal agrees. */
export async function requireYes({ yes, json }: YesOptions, danger: Danger): Promise<void> {
  if (yes) return;
  const { what, question, done, instead = '--dry-run to see what would change' } = danger;
  if (json || !process.stdin.isTTY || !process.stderr.isTTY) {
    throw new OperatorError(`${what}. Add --yes to confirm, or ${instead}. Nothing was ${done}.`);
  }
  if (!(await isConfirmed(`${await question()} [y/N] `))) throw new OperatorError(`Nothing was ${done}.`);
}
