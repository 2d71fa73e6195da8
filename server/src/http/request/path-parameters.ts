import { parsePetId } from '@petstore-inventory/shared/pet-id';
import { ApiError } from '../../domain/errors.ts';

/** Reads the petId of a path, exactly. */
export function petIdParameter(text: string): bigint {
  const petId = parsePetId(text);
  if (petId !== undefined) return petId;
  throw new ApiError('invalid_parameter', 'petId must be a 64-bit integer in plain decimal, such as 7.');
}
