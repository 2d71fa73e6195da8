import type { PetRow } from '@petstore-inventory/shared/pet-file/pet-row';
import { type ReadOptions, readPets } from '@petstore-inventory/shared/pet-file/read';

/** The rows of a file whose rows have petIds. @throws RefusedFile when anything in it is wrong */
export function readPetFile(given: string, options: ReadOptions = {}): PetRow[] {
  const reading = readPets(given, options);
  reading.requireGood();
  return reading.read.map(({ row }) => {
    if (row.petId === undefined) throw new Error('A row has no petId.');
    return { ...row, petId: row.petId };
  });
}
