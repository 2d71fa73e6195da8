import { parsePetIdArgument } from '@petstore-inventory/shared/terminal/arguments';
import { facts } from '@petstore-inventory/shared/terminal/table';
import { thousands } from '@petstore-inventory/shared/terminal/texts';
import type { Command } from 'commander';
import { availableOf } from '../../domain/ledger/stock.ts';
import type { ManagedPet } from '../../domain/management/pets.ts';
import { addCommand } from '../command.ts';
import { paint } from '../output.ts';
import { shownTime } from '../parse-time.ts';
import { databaseCommand } from '../with-database.ts';
import { petJson } from './format-pets.ts';

/** Adds the facts of one pet. */
export function addShow(pets: Command): void {
  addCommand(pets, 'show', { summary: 'show a pet with its codes and its stock', example: 'pets show 42' })
    .argument('<pet-id>', 'the pet', parsePetIdArgument)
    .action(
      databaseCommand(async ({ store }, petId: bigint) => {
        const pet = await store.pets.find(petId);
        return { value: petJson(pet), text: describe(pet) };
      }),
    );
}

function describe(pet: ManagedPet): string {
  const { petId, name, category, sku, barcodes, quantity, reserved, status, alertLevel } = pet;
  return [
    `Pet ${petId}${name === null ? '' : `, ${name}`}: ${thousands(quantity)} on hand, ${paint.state(status)}`,
    '',
    facts([
      ['category', category ?? ''],
      ['SKU', sku ?? ''],
      ['barcodes', barcodes.join(' ')],
      ['reserved', thousands(reserved)],
      ['available', thousands(availableOf(pet))],
      ['alert', alertLevel ?? ''],
      ['low at', pet.lowStockAt === null ? '' : thousands(pet.lowStockAt)],
      ['restock at', pet.restockAt === null ? '' : thousands(pet.restockAt)],
      ['added', shownTime(pet.createdAtMs)],
      ['changed', shownTime(pet.updatedAtMs)],
      ['archived', pet.archivedAtMs === null ? '' : shownTime(pet.archivedAtMs)],
    ]),
  ].join('\n');
}
