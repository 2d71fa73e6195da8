import { thousands } from '@petstore-inventory/shared/terminal/thousands';
import type { Command } from 'commander';
import { type Config, readConfig } from '../config.ts';
import { bigintAsDigits } from '../domain/bigint-json.ts';

/** The result of a command: one JSON value for programs, a text for people. */
export interface Output {
  readonly value: unknown;
  readonly text: string;
  /** What the result lacks, as a sentence: the last line for people, and on standard error for programs. */
  readonly more?: string;
  /** Why the command exits with 1 although it has a result, as a sentence. */
  readonly failure?: string;
}

/** A command printed its result, and the result is a failure. With `--json` the printed value is the only document. */
export class FailedResult extends Error {}

/** Runs a command with the configuration, and prints its result. */
export async function runCommand(
  command: Command,
  work: (config: Config) => Output | Promise<Output>,
): Promise<void> {
  const output = await work(readConfig(process.env));
  print(command, output);
  if (output.failure !== undefined) throw new FailedResult(output.failure);
}

/** Prints a text, or with `--json` one JSON value on one line. */
export function print(command: Command, { value, text, more }: Output): void {
  const { json } = command.opts();
  process.stdout.write(`${json ? JSON.stringify(value, bigintAsDigits) : text}\n`);
  if (more === undefined) return;
  if (!json) process.stdout.write(`${more}\n`);
  // A program that gave a limit knows of it.
  else if (command.getOptionValueSource('limit') !== 'cli') process.stderr.write(`${more}\n`);
}

/** A number of things, such as `1 pet` or `2 pets`. */
export function count(number: number | bigint, thing: string): string {
  return `${thousands(number)} ${thing}${Number(number) === 1 ? '' : 's'}`;
}
