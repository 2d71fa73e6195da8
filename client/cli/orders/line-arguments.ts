import { parsePetIdArgument, parseUnits } from '@petstore-inventory/shared/terminal/arguments';
import { InvalidArgumentError } from 'commander';
import type { PartLine } from '../../src/index.ts';

/** Parses a line such as `42=2`, 2 units of pet 42, and adds it to those before. */
export function parseLine(text: string, earlier: readonly PartLine[] = []): readonly PartLine[] {
  const [petId = '', units, ...more] = text.split('=');
  if (more.length > 0) throw new InvalidArgumentError('Give <pet-id>=<units>, such as 42=2.');
  return [
    ...earlier,
    { petId: parsePetIdArgument(petId), quantity: units === undefined ? undefined : parsed(units) },
  ];
}

/** Parses a line that must have units, such as `42=2`, and adds it to those before. */
export function parseWholeLine(text: string, earlier: readonly PartLine[] = []): readonly PartLine[] {
  if (text.includes('=')) return parseLine(text, earlier);
  throw new InvalidArgumentError('Give <pet-id>=<units>, such as 42=2.');
}

function parsed(units: string): number {
  const quantity = parseUnits(units);
  if (quantity > 0) return quantity;
  throw new InvalidArgumentError('Give 1 unit or more.');
}
