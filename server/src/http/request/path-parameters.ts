import { parseWholeNumber } from '@petstore-inventory/shared/numeral';
import { parsePetId } from '@petstore-inventory/shared/pet-id';
import { ApiError } from '../../domain/errors.ts';

/** Reads the petId of a path, exactly. */
export function petIdParameter(text: string): bigint {
  const petId = parsePetId(text);
  if (petId !== undefined) return petId;
  throw new ApiError('invalid_parameter', 'petId must be a 64-bit integer in plain decimal, such as 7.');
}

/** Reads the sequence of a movement from a path. */
export function sequenceParameter(text: string): number {
  return positive('sequence', text);
}

function positive(name: string, text: string): number {
  const value = parseWholeNumber(text);
  if (value) return value;
  throw new ApiError('invalid_parameter', `${name} must be a whole number from 1 in plain decimal.`);
}
