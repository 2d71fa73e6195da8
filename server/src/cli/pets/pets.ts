import type { Command } from 'commander';
import { addGroup } from '../command.ts';
import { addImport } from './import-pets.ts';
import { addThresholds } from './thresholds.ts';

/** Adds the commands for pets. */
export function addPets(program: Command): void {
  const pets = addGroup(program, 'pets', 'the animals and their stock');
  addImport(pets);
  addThresholds(pets);
}
