import { addDescribed, type CommandDescription } from '@petstore-inventory/shared/terminal/commands';
import type { Command } from 'commander';

interface Description extends Pick<CommandDescription, 'summary' | 'notes'> {
  /** A command line that works, without `petstore-server`. */
  readonly example: string;
  /** The meaning of `--json`, where it is not only another form of the result. */
  readonly json?: string;
}

const JSON_MEANING = 'print one JSON value, and errors as {"error": "…", "errors": […]}';

/** Adds a command to its parent, with `--json` and an example in its help. */
export function addCommand(
  parent: Command,
  name: string,
  { example, json = JSON_MEANING, ...description }: Description,
): Command {
  return addDescribed(parent, name, { ...description, examples: [example], json });
}
