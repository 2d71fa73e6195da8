import { isColoured, Paint } from '@petstore-inventory/shared/terminal/paint';
import { safeJson, safeLines } from '@petstore-inventory/shared/terminal/safe-text';
import { table } from '@petstore-inventory/shared/terminal/table';
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

/** No table of this command line is wider where its cells can be wrapped. */
const MAX_WIDTH = 120;

/** The colours of standard output. */
export const paint = new Paint(isColoured(process.stdout, process.env));

/** A table for standard output. Cells are safe text. */
export function shownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  return table(headings, rows, paint, { maxWidth: MAX_WIDTH });
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
  process.stdout.write(`${json ? safeJson(JSON.stringify(value, bigintAsDigits)) : safeLines(text)}\n`);
  if (more === undefined) return;
  if (!json) process.stdout.write(`${more}\n`);
  // A program that gave a limit knows of it.
  else if (command.getOptionValueSource('limit') !== 'cli') process.stderr.write(`${more}\n`);
}
