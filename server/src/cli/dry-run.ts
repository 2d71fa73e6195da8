import type { Command } from 'commander';
import type { Output } from './terminal/output.ts';

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
