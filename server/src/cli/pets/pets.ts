import { addGroup } from '@petstore-inventory/shared/terminal/commands';
import type { Command } from 'commander';
import { addChangeMany } from './change-pets.ts';
import { addChangeStock } from './change-stock.ts';
import { addArchive, addEdit } from './edit-pet.ts';
import { addExport } from './export-pets.ts';
import { addImport } from './import-pets.ts';
import { addImports } from './imports.ts';
import { addMappings } from './mappings.ts';
import { addList } from './list-pets.ts';
import { addReorders } from './reorders.ts';
import { addShow } from './show-pet.ts';
import { addThresholds } from './thresholds.ts';

/** Adds the commands for pets. */
export function addPets(program: Command): void {
  const pets = addGroup(program, 'pets', 'the animals and their stock');
  addList(pets);
  addShow(pets);
  addEdit(pets);
  addArchive(pets);
  addChangeStock(pets);
  addChangeMany(pets);
  addImport(pets);
  addImports(pets);
  addMappings(pets);
  addExport(pets);
  addThresholds(pets);
  addReorders(pets);
}
