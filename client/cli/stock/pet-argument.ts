import { barcodeFault, barcodeKey, isGtinLength } from '@petstore-inventory/shared/barcodes';
import { parsePetId } from '@petstore-inventory/shared/pet-id';
import { parsePetIdArgument } from '@petstore-inventory/shared/terminal/arguments';
import { safe } from '@petstore-inventory/shared/terminal/safe-text';
import { InvalidArgumentError } from 'commander';
import { type CatalogPet, PetstoreError } from '../../src/index.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandFailure } from '../failure.ts';
import type { Run } from '../run.ts';

/** How the help names a pet. */
export const PET = 'the petId, SKU or barcode of a pet';

/** What the help says about numbers. */
export const PET_NOTES =
  'A number may be a petId, an SKU or a barcode: if it names two pets, nothing is done. Write id:42, sku:DOG-1 or barcode:4006381333931 to say which; id: also saves the request that finds the pet.';

/** A pet on the command line. */
export type PetArgument =
  | { readonly kind: 'id'; readonly petId: bigint }
  | { readonly kind: 'sku' | 'barcode' | 'any'; readonly text: string };

const PREFIXED = /^(id|sku|barcode):(.*)$/s;
/** The most characters of a search. */
const MAX_TEXT = 200;

/** Parses a petId, an SKU, a barcode, or one of them with its kind before it. */
export function parsePet(text: string): PetArgument {
  const [, kind, rest = ''] = PREFIXED.exec(text) ?? [];
  if (kind === 'id') return { kind, petId: parsePetIdArgument(rest) };
  if (kind === 'barcode') {
    const fault = barcodeFault(rest.trim());
    if (fault !== undefined) throw new InvalidArgumentError(`The barcode ${fault}`);
  }
  if (kind !== undefined) return { kind: kind as 'sku' | 'barcode', text: nonBlank(rest) };
  return { kind: 'any', text: nonBlank(text) };
}

function nonBlank(text: string): string {
  if (text.trim() !== '' && text.length <= MAX_TEXT) return text.trim();
  throw new InvalidArgumentError('Give a petId, an SKU or a barcode.');
}

/** The pet of an argument. @throws CommandFailure where no pet has the code, or more than one is meant. */
export async function petIdOf({ client, request, wait }: Run, argument: PetArgument): Promise<bigint> {
  if (argument.kind === 'id') return argument.petId;
  const { kind, text } = argument;
  const query = kind === 'any' ? { q: text, limit: 3 } : kind === 'sku' ? { sku: text } : { barcode: text };
  const petId = parsePetId(text);
  // Pets that the text names come before those that have it as a word.
  const found = await wait('Finding the pet', () => client.catalog.list(query, request)).catch(
    (error: unknown) => {
      // A service without codes.
      if (kind === 'any' && isPetstoreError(error, 'route_not_found')) return [];
      // For a key that may change stock and not read it, a number is a petId.
      if (petId !== undefined && isPetstoreError(error, 'insufficient_scope')) return [];
      throw error;
    },
  );
  const named = kind === 'any' ? found.filter((pet) => meaningsOf(pet, text).length > 0) : found;
  const [pet, other] = named;
  if (!pet && kind === 'any' && petId !== undefined) return petId;
  if (!pet) throw new CommandFailure(`No pet has the code ${safe(text)}.${adviceOn(text)}`, EXIT.notFound);
  if (!other) return pet.petId;
  const meanings = named.flatMap((one) =>
    meaningsOf(one, text).map((meaning) => `${meaning} of ${describe(one)}`),
  );
  throw new CommandFailure(
    `${safe(text)} is the ${meanings.join(' and the ')}. Write id:, sku: or barcode: before it. Nothing was done.`,
    EXIT.wrongUsage,
  );
}

function isPetstoreError(error: unknown, code: string): boolean {
  return error instanceof PetstoreError && error.code === code;
}

/** What a text is of a pet. */
function meaningsOf({ petId, sku, barcodes }: CatalogPet, text: string): readonly string[] {
  const meanings = [];
  if (barcodes.some((barcode) => barcodeKey(barcode) === barcodeKey(text))) meanings.push('barcode');
  if (sku?.normalize('NFC') === text.normalize('NFC')) meanings.push('SKU');
  if (String(petId) === text) meanings.push('petId');
  return meanings;
}

function describe({ petId, name }: CatalogPet): string {
  return `pet ${petId}${name === null ? '' : ` (${safe(name)})`}`;
}

function adviceOn(text: string): string {
  const fault = isGtinLength(text) ? barcodeFault(text) : undefined;
  return fault === undefined ? '' : ` It ${fault}`;
}
