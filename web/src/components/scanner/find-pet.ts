import { api } from '../../api/client.ts';
import type { ManagedPet } from '../../api/schemas.ts';
import { bareCode, isCodeOf, petIdOf } from '../../stock/codes.ts';

/** The pet that a label names: by a code, or by its petId. The service searches. @throws ApiError */
export async function findPet(scanned: string): Promise<ManagedPet | undefined> {
  const code = bareCode(scanned);
  const petId = petIdOf(scanned);
  const pets = (query: Record<string, string | number>) =>
    api<readonly ManagedPet[]>('GET', '/pets', { query });
  // A search begins with the pets that have the text as barcode or SKU.
  const [found, named] = await Promise.all([
    pets({ q: code, limit: 2 }),
    petId === undefined ? [] : pets({ petId }),
  ]);
  return found.find((pet) => isCodeOf(pet, code)) ?? named[0];
}
