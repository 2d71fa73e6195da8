import type { Command } from 'commander';

export interface CommandDescription {
  readonly summary: string;
  /** Command lines that work, without the name of the program. */
  readonly examples: readonly string[];
  /** Further facts, in sentences. */
  readonly notes?: string | undefined;
  /** The meaning of `--json`. */
  readonly json: string;
}

/** Adds a command to its parent, with `--json` and examples in its help. */
export function addDescribed(
  parent: Command,
  name: string,
  { summary, examples, notes, json }: CommandDescription,
): Command {
  const description = notes === undefined ? asSentence(summary) : `${asSentence(summary)}\n${notes}`;
  const title = examples.length === 1 ? 'Example' : 'Examples';
  const lines = examples.map((example) => `  ${programOf(parent)} ${example}`);
  return parent
    .command(name)
    .description(description)
    .summary(summary)
    .option('--json', json)
    .addHelpText('after', `\n${title}:\n${lines.join('\n')}`);
}

/** Adds a command that only contains others. */
export function addGroup(parent: Command, name: string, summary: string): Command {
  return parent.command(name).description(asSentence(summary)).summary(summary).helpCommand(false);
}

function programOf(command: Command): string {
  return command.parent ? programOf(command.parent) : command.name();
}

function asSentence(phrase: string): string {
  return `${phrase.slice(0, 1).toUpperCase()}${phrase.slice(1)}.`;
}
