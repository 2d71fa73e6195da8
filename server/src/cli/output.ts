import type { Command } from 'commander';
import { type Config, readConfig } from '../config.ts';

/** What a command has to say: one JSON value for programs, a text for people. */
export interface Answer {
  readonly value: unknown;
  readonly text: string;
}

/** Carries out a command's work with the configuration, and prints its answer as it was asked for. */
export async function answer(
  command: Command,
  work: (config: Config) => Answer | Promise<Answer>,
): Promise<void> {
  print(command, await work(readConfig(process.env)));
}

/** Prints an answer: a text, or with `--json` one JSON value on one line. */
export function print(command: Command, { value, text }: Answer): void {
  process.stdout.write(`${command.opts().json ? JSON.stringify(value) : text}\n`);
}

/** Lines up rows under their headings, as plain text. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    rows.reduce((width, row) => Math.max(width, row[column]?.length ?? 0), heading.length),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [headings, ...rows].map(line).join('\n');
}

/** A number for people, such as `1,000,000`. */
export function thousands(number: number): string {
  return number.toLocaleString('en');
}

/** A number of things, such as `1 pet` or `2 pets`. */
export function count(number: number, thing: string): string {
  return `${thousands(number)} ${thing}${number === 1 ? '' : 's'}`;
}
