import { MAX_PET_TEXT } from '@petstore-inventory/shared/limits';
import { isTooLong } from '@petstore-inventory/shared/pet-file/values';
import { isStorableLine } from '@petstore-inventory/shared/storable-text';
import { OperatorError } from '../errors.ts';

/** A name or category as an import stores it: without spaces at its ends. @throws OperatorError `validation_failed`. */
export function requirePetText(field: 'name' | 'category', text: string | null): string | null {
  const trimmed = text?.trim() ?? '';
  if (isTooLong(trimmed)) throw invalid(`${field}: it is longer than ${MAX_PET_TEXT} characters.`);
  if (!isStorableLine(trimmed)) {
    throw invalid(`${field}: it has a control character or half a character in it.`);
  }
  return trimmed === '' ? null : trimmed;
}

function invalid(message: string): OperatorError {
  return new OperatorError(message, { code: 'validation_failed' });
}
