import { type Command, type CommanderError, Help, type Option } from 'commander';
import { shownValue } from '../shown-value.ts';

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

/** Facts of the command that prints the help of another one. @param example A command with words of a group. */
export function helpDescription(example: string) {
  return {
    summary: 'show the help of a command',
    json: 'print errors as {"error": "…"}',
    examples: ['help', `help ${example}`],
  };
}

/** Makes a command print the help of another one, by its words. */
export function printsHelp(help: Command, program: Command): void {
  help.argument('[command...]', 'the words of a command').action((words: readonly string[]) => {
    let command = program;
    for (const word of words) {
      const next = command.commands.find((candidate) => candidate.name() === word);
      if (!next) {
        const known = command.commands.map((candidate) => candidate.name()).join(', ');
        return help.error(
          `error: there is no command ${shownValue(words.join(' '))}; give one of ${known || command.name()}.`,
        );
      }
      command = next;
    }
    command.outputHelp();
  });
}

/** What is wrong with a command line, and what to give instead, on one line. */
export function usageMessage({ message }: CommanderError): string {
  const text = message.startsWith('error: ') ? message.slice(7) : message;
  const argument = partsOf(text, "command-argument value '", "' is invalid for argument '", "'. ");
  if (argument) {
    const [value, name, toGive] = argument;
    return `${shownValue(value)} is no ${name.replaceAll('-', ' ')}; ${advice(toGive)}`;
  }
  const option = partsOf(text, "option '", "' argument '", "' is invalid. ");
  if (option) {
    const [flags, value, toGive] = option;
    return `${longName(flags)} is ${shownValue(value)}; ${advice(toGive)}`;
  }
  const incomplete = partsOf(text, "option '", "' argument missing", '');
  if (incomplete) return `${longName(incomplete[0])} needs a value, as in ${incomplete[0]}.`;
  return text
    .replace(/^missing required argument '([\w-]+)'$/, 'the argument <$1> is missing.')
    .replace(/^required option '([^']+)' not specified$/, '$1 is missing.')
    .replaceAll('\n', ' ');
}

/** The three texts after these marks. What a person typed is before the last of them, and may have any mark in it. */
function partsOf(
  text: string,
  start: string,
  middle: string,
  end: string,
): [string, string, string] | undefined {
  const isValueFirst = middle.includes('is invalid');
  const at = isValueFirst ? text.lastIndexOf(middle) : text.indexOf(middle);
  const from = at + middle.length;
  const last = isValueFirst ? text.indexOf(end, from) : text.lastIndexOf(end);
  if (!text.startsWith(start) || at < 0 || last < from) return undefined;
  return [text.slice(start.length, at), text.slice(from, last), text.slice(last + end.length)];
}

/** The first name of an option with more letters than one. */
function longName(flags: string): string {
  return flags.split(/[ ,]+/).find((name) => name.startsWith('--')) ?? flags;
}

/** The last sentence as the end of another one. */
function advice(sentence: string): string {
  const text = sentence.replace(/^Allowed choices are /, 'Give one of ');
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
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
