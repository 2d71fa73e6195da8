import { OperatorError } from '../errors.ts';
import { isStorableLine } from '../storable-text.ts';

/** Characters of a name or a category. */
export const MAX_PET_TEXT = 200;

/** What is wrong with the name or category of a pet, without spaces at its ends; `undefined` when nothing is. */
export function petTextFault(text: string): string | undefined {
  if (text.length > MAX_PET_TEXT && [...text].length > MAX_PET_TEXT) {
    return `it is longer than ${MAX_PET_TEXT} characters.`;
  }
  return isStorableLine(text) ? undefined : 'it has a control character or half a character in it.';
}

/** A name or category as an import stores it: without spaces at its ends. @throws OperatorError `validation_failed`. */
export function requirePetText(field: 'name' | 'category', text: string | null): string | null {
  const trimmed = text?.trim() ?? '';
  const fault = petTextFault(trimmed);
  if (fault) throw new OperatorError(`${field}: ${fault}`, { code: 'validation_failed' });
  return trimmed === '' ? null : trimmed;
}
