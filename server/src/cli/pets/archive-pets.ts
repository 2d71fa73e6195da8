import type { Command } from 'commander';
import { CLI_AUTHOR } from '../../domain/management/activity.ts';
import { addCommand } from '../command.ts';
import { parsePetIdArgument } from '../parse-pet-id.ts';
import { databaseCommand } from '../with-database.ts';
import { petJson } from './format-pets.ts';

/** Adds the commands that archive and restore a pet. */
export function addArchive(pets: Command): void {
  const commands = [
    ['archive', 'hide a pet without stock from lists and search', 'is archived'],
    ['restore', 'show an archived pet again', 'is not archived'],
  ] as const;
  for (const [verb, summary, result] of commands) {
    addCommand(pets, verb, { summary, example: `pets ${verb} 42` })
      .argument('<pet-id>', 'the pet', parsePetIdArgument)
      .action(
        databaseCommand(async ({ store }, petId: bigint) => {
          const pet = await store.pets[verb](petId, CLI_AUTHOR);
          return { value: petJson(pet), text: `Pet ${petId} ${result}.` };
        }),
      );
  }
}
