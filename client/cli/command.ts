import type { Command } from 'commander';
import { parseWait } from './arguments.ts';

interface Description {
  readonly summary: string;
  /** Command lines that work, without `petstore`. */
  readonly examples: readonly string[];
  /** Further facts, in sentences. */
  readonly notes?: string;
  /** The meaning of `--json`, where it is not only another form of the result. */
  readonly json?: string;
  /** Whether the command sends no request. */
  readonly isLocal?: boolean;
}

const JSON_MEANING = 'print one JSON value, and errors as {"error": "…", "code": "…"}';

/** The meaning of `--json` of a command that prints a list. */
export const JSON_LINES = 'print one JSON value per line (NDJSON), and errors as {"error": "…", "code": "…"}';

/** Options that every command with requests has. */
export interface CommonOptions {
  readonly json?: true;
  /** Seconds. */
  readonly maxWait: number;
}

const DEFAULT_WAIT_SECONDS = 120;

/** Adds a command to its parent, with `--json` and examples in its help. */
export function addCommand(
  parent: Command,
  name: string,
  { summary, examples, notes, json = JSON_MEANING, isLocal = false }: Description,
): Command {
  const description = notes === undefined ? asSentence(summary) : `${asSentence(summary)}\n${notes}`;
  const title = examples.length === 1 ? 'Example' : 'Examples';
  const command = parent
    .command(name)
    .description(description)
    .summary(summary)
    .option('--json', json)
    .addHelpText('after', `\n${title}:\n${examples.map((example) => `  petstore ${example}`).join('\n')}`);
  if (isLocal) return command;
  return command.option(
    '--max-wait <seconds>',
    'wait at most this long for limits and retries; 0 fails immediately',
    parseWait,
    DEFAULT_WAIT_SECONDS,
  );
}

/** Adds a command that only contains others. */
export function addGroup(parent: Command, name: string, summary: string): Command {
  return parent.command(name).description(asSentence(summary)).summary(summary).helpCommand(false);
}

function asSentence(phrase: string): string {
  return `${phrase.slice(0, 1).toUpperCase()}${phrase.slice(1)}.`;
}
