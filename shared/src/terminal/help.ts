import { type Command, Help, type Option } from 'commander';

/** The description of an option in the help. */
export function describedOption(option: Option): string {
  const description = new Help().optionDescription(option);
  return option.mandatory ? `${description} (required)` : description;
}

/** A command with its arguments. Every command has options, so the usual "[options]" carries no information. */
export function commandTerm(command: Command): string {
  const terms = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...terms].join(' ');
}

/** The command that the words of a command line name, up to the first unknown word. */
export function commandPath(program: Command, words: readonly string[]): string {
  let command = program;
  let path = program.name();
  for (const word of words) {
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (!next) break;
    command = next;
    path += ` ${word}`;
  }
  return path;
}
