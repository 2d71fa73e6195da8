import { parseSomeUnits } from '@petstore-inventory/shared/terminal/arguments';
import { InvalidArgumentError } from 'commander';
import type { PartLine } from '../../src/index.ts';
import type { Run } from '../run.ts';
import { parsePet, type PetArgument, petIdOf } from '../stock/pet-argument.ts';

/** A line on the command line. */
export interface LineArgument {
  readonly pet: PetArgument;
  /** `undefined`: all units that are left. */
  readonly quantity: number | undefined;
}

/** Parses a line such as `42=2`, 2 units of pet 42, and adds it to those before. */
export function parseLine(text: string, earlier: readonly LineArgument[] = []): readonly LineArgument[] {
  const [pet = '', units, ...more] = text.split('=');
  if (more.length > 0) throw new InvalidArgumentError('Give <pet>=<units>, such as 42=2.');
  const quantity = units === undefined ? undefined : parseSomeUnits(units);
  return [...earlier, { pet: parsePet(pet), quantity }];
}

/** Parses a line that must have units, such as `42=2`, and adds it to those before. */
export function parseWholeLine(text: string, earlier: readonly LineArgument[] = []): readonly LineArgument[] {
  if (text.includes('=')) return parseLine(text, earlier);
  throw new InvalidArgumentError('Give <pet>=<units>, such as 42=2.');
}

/** The lines with their petIds. @throws CommandFailure as `petIdOf`, before anything is changed. */
export async function linesOf(run: Run, lines: readonly LineArgument[]): Promise<readonly PartLine[]> {
  const found: PartLine[] = [];
  for (const { pet, quantity } of lines) found.push({ petId: await petIdOf(run, pet), quantity });
  return found;
}
