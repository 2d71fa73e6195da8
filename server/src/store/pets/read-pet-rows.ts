import { MAX_INT64, MIN_INT64 } from '@petstore-inventory/shared/pet-id';
import { type PetRowsPart, petRowLine } from '../../domain/management/pet-rows.ts';
import { readChainHead } from '../ledger/ledger-bounds.ts';
import type { PetRow } from './pet-rows.ts';
import { READ_PETS } from './pet-sql.ts';
import type { Reader } from './read-pets.ts';

/** Pets per part: few enough not to delay other calls, and enough that the calls cost little. */
const PETS_PER_PART = 5_000;

/** Reads all pets after one, archived ones too, as lines. The caller's transaction sees one moment. */
export async function readPetRows(client: Reader, after: bigint | undefined): Promise<PetRowsPart> {
  const { sequence } = await readChainHead(client);
  if (after === MAX_INT64) return { sequence, text: '' };
  const first = String(after === undefined ? MIN_INT64 : after + 1n);
  const [bound] = await client.all<{ last: string | null }>(READ_PETS.lastOfRange, [first, PETS_PER_PART]);
  const last = bound?.last ?? undefined;
  if (last === undefined) return { sequence, text: '' };
  const rows = await client.all<PetRow>(READ_PETS.range, [first, last]);
  const part = { sequence, text: rows.map(petRowLine).join('') };
  return rows.length === PETS_PER_PART ? { ...part, next: BigInt(last) } : part;
}
