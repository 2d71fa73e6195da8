import type { LockingClient } from '../sql-client.ts';
import { setSuppliers, suppliersOf } from './reorder-sql.ts';

/** A pet with who sells it to the shop. */
export interface Supplied {
  readonly petId: bigint;
  readonly supplier: string | null;
}

/** Adds the suppliers of pets. */
export async function withSuppliers<Pet extends { readonly petId: bigint }>(
  client: Pick<LockingClient, 'all' | 'dialect'>,
  pets: readonly Pet[],
): Promise<readonly (Pet & Supplied)[]> {
  const named = JSON.stringify(pets.map(({ petId }) => [String(petId)]));
  const rows = await client.all<{ petId: string; supplier: string }>(
    suppliersOf(client.dialect.jsonElements),
    [named],
  );
  const suppliers = new Map(rows.map(({ petId, supplier }) => [petId, supplier]));
  return pets.map((pet) => ({ ...pet, supplier: suppliers.get(String(pet.petId)) ?? null }));
}

/** Gives pets their suppliers, under the lock of the ledger. What is ordered of them stays. */
export async function writeSuppliers(
  client: Pick<LockingClient, 'run' | 'dialect'>,
  pets: readonly Supplied[],
  atMs: number,
): Promise<void> {
  const named = JSON.stringify(pets.map(({ petId, supplier }) => [String(petId), supplier]));
  await client.run(setSuppliers(client.dialect.jsonElements), [named, atMs]);
}
