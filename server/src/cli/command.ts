import type { Command } from 'commander';

interface Description {
  readonly summary: string;
  /** A command line that works, without `petstore-server`. */
  readonly example: string;
  /** Further facts, in sentences. */
  readonly notes?: string;
  /** The meaning of `--json`, where it is not only another form of the result. */
  readonly json?: string;
}

const JSON_MEANING = 'print one JSON value, and errors as {"error": "…"}';

/** Adds a command to its parent, with `--json` and an example in its help. */
export function addCommand(
  parent: Command,
  name: string,
  { summary, example, notes, json = JSON_MEANING }: Description,
): Command {
  const description = notes === undefined ? asSentence(summary) : `${asSentence(summary)}\n${notes}`;
  return parent
    .command(name)
    .description(description)
    .summary(summary)
    .option('--json', json)
    .addHelpText('after', `\nExample:\n  petstore-server ${example}`);
}

/** Adds a command that only contains others. */
export function addGroup(parent: Command, name: string, summary: string): Command {
  return parent.command(name).description(asSentence(summary)).summary(summary).helpCommand(false);
}

function asSentence(phrase: string): string {
  return `${phrase.slice(0, 1).toUpperCase()}${phrase.slice(1)}.`;
}
