import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Command, CommanderError } from 'commander';
import { buildProgram } from '../../../src/cli/program.ts';
import { readConfig } from '../../../src/config.ts';
import { VARIABLES } from '../../../src/config-variables.ts';
import { OperatorError } from '../../../src/domain/errors.ts';
import { assertLinear } from './cpu-time.ts';
import { type Shape, TEXT_SHAPES } from './shapes.ts';
import { isSkippedDaily } from '../../support/long-test.ts';

/** Linux takes 128 KiB in one argument or variable. */
const SIZE = 16 * 1_024;

/** A command line with a text in one of its places. */
interface Place {
  readonly name: string;
  words(text: string): readonly string[];
}

/** Every argument and every option with a value, of every command; and unknown words. */
function placesOf(command: Command, path: readonly string[] = []): Place[] {
  const own = path.join(' ');
  const samples = command.registeredArguments.map(() => 'a');
  const places = command.registeredArguments.map((argument, i): Place => ({
    name: `${own} <${argument.name()}>`,
    words: (text) => [...path, ...samples.with(i, text)],
  }));
  const options = command.options.filter(({ required, optional }) => required || optional);
  const valued = options.map((option): Place => ({
    name: `${own} ${option.long}`,
    words: (text) => [...path, `${option.long}=${text}`, ...samples],
  }));
  const unknown: Place[] = [
    { name: `${own} and an unknown option`, words: (text) => [...path, `--${text}`, ...samples] },
    { name: `${own} and a word too many`, words: (text) => [...path, ...samples, text] },
  ];
  const inner = command.commands.flatMap((child) => placesOf(child, [...path, child.name()]));
  return [...places, ...valued, ...unknown, ...inner];
}

/** The program with commands that only read their arguments. */
function readingProgram(): Command {
  const silence = (command: Command): void => {
    command.exitOverride().configureOutput({ writeOut: () => undefined, outputError: () => undefined });
    if (command.commands.length === 0) command.action(() => undefined);
    command.commands.forEach(silence);
  };
  const program = buildProgram();
  silence(program);
  return program;
}

async function shapesLinear(name: string, place: number, read: (text: string) => unknown): Promise<void> {
  // Each place gets a third of the shapes, and its neighbours the others.
  const shapes = Object.entries(TEXT_SHAPES).filter((_, i) => (i + place) % 3 === 0);
  const run = (shape: Shape) => async (size: number) => {
    try {
      await read(shape(size, '1'));
    } catch (error) {
      assert.ok(error instanceof CommanderError || error instanceof OperatorError, String(error));
    }
  };
  for (const [shapeName, shape] of shapes) await assertLinear(`${name}, ${shapeName}`, SIZE, run(shape));
}

test('a command line is read in time linear in the length of its arguments', async (t) => {
  if (isSkippedDaily(t)) return;
  const places = placesOf(buildProgram());
  assert.ok(places.length > 40, `${places.length} places`);
  // Each parse begins with the program as it was before the first one.
  const program = readingProgram();
  for (const [i, { name, words }] of places.entries()) {
    await shapesLinear(name, i, (text) => program.parseAsync(words(text), { from: 'user' }));
  }
});

test('a variable is read in time linear in its length', async (t) => {
  if (isSkippedDaily(t)) return;
  for (const [i, { name }] of Object.values(VARIABLES).entries()) {
    await shapesLinear(name, i, (text) => readConfig({ [name]: text }));
  }
  await shapesLinear('a name', 0, (text) => readConfig({ [`PETSTORE_${text}`]: '1' }));
});
