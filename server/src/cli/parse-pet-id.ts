import { parsePetId } from '@petstore-inventory/shared/pet-id';
import { InvalidArgumentError } from 'commander';

/** Reads the petId of a command line. */
export function parsePetIdArgument(text: string): bigint {
  const petId = parsePetId(text);
  if (petId === undefined) throw new InvalidArgumentError('Give a whole number of 64 bits, such as 42.');
  return petId;
}

/** Reads one of several. */
export function collectPetIds(text: string, earlier: bigint[] = []): bigint[] {
  earlier.push(parsePetIdArgument(text));
  return earlier;
}
