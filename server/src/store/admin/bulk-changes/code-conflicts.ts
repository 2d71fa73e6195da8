import { addedCodes, keyText, type PetCodes } from '../../../domain/management/pet-codes.ts';
import type { AdminEngine } from '../admin-engine.ts';
import { findCodeOwners } from '../../pets/pet-codes.ts';

/** The pets of the JSON that `petIdsJson` makes, with the function of the dialect for elements. */
export const given = (elements: string, parameter: string): string =>
  `(SELECT CAST(value ->> 0 AS bigint) FROM ${elements}(${parameter}))`;

const withTakenCodes = (elements: string): string => `SELECT CAST(pet_id AS text) AS "petId" FROM pets
WHERE taken_codes IS NOT NULL AND pet_id IN ${given(elements, '$1')}`;

/**
 * For each pet that would get a code of another pet: the petId of that other pet.
 * @param codesOf The codes that a pet would get.
 */
export async function otherOwners<Pet extends PetCodes & { readonly petId: bigint }>(
  engine: AdminEngine,
  pets: readonly Pet[],
  codesOf: (pet: Pet) => PetCodes,
): Promise<ReadonlyMap<bigint, bigint>> {
  const added = new Map(pets.map((pet) => [pet.petId, addedCodes(pet, codesOf(pet))]));
  const owners = await findCodeOwners(engine, [...added.values()].flat());
  const others = new Map<bigint, bigint>();
  for (const [petId, codes] of added) {
    const found = codes.map((code) => owners.get(keyText(code))).find((owner) => owner !== undefined);
    if (found && found.petId !== petId) others.set(petId, found.petId);
  }
  return others;
}

/** The petIds, among the given pets, from which other pets took codes. */
export async function petsWithTakenCodes(
  engine: AdminEngine,
  pets: readonly { readonly petId: bigint }[],
): Promise<Set<bigint>> {
  if (pets.length === 0) return new Set();
  const sql = withTakenCodes(engine.dialect.jsonElements);
  const rows = await engine.all<{ petId: string }>(sql, [petIdsJson(pets.map(({ petId }) => petId))]);
  return new Set(rows.map(({ petId }) => BigInt(petId)));
}

/** Identifiers of pets for a parameter of `given`. */
export function petIdsJson(petIds: readonly bigint[]): string {
  return JSON.stringify(petIds.map((petId) => [String(petId)]));
}
