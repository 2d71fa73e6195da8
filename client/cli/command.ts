import { shownDuration } from '@petstore-inventory/shared/terminal/arguments';
import { addDescribed, type CommandDescription } from '@petstore-inventory/shared/terminal/commands';
import { type Command, Option } from 'commander';
import { parseWait } from './arguments.ts';

interface Description extends Omit<CommandDescription, 'json'> {
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
  { json = JSON_MEANING, isLocal = false, ...description }: Description,
): Command {
  const command = addDescribed(parent, name, { ...description, json });
  if (isLocal) return command;
  return command.addOption(
    new Option('--max-wait <time>', 'wait at most this long for limits and retries; 0 fails immediately')
      .argParser(parseWait)
      .default(DEFAULT_WAIT_SECONDS, shownDuration(DEFAULT_WAIT_SECONDS)),
  );
}
