import { parsePetId } from '../../../domain/inventory.ts';
import { MAX_QUERY_CHARACTERS } from '../../../domain/management/pet-words.ts';
import { ARCHIVED_FILTERS, type ArchivedFilter, type PetPosition } from '../../../domain/management/pets.ts';
import { queryParameter } from '../../openapi/parameters.ts';
import { invalidParameter, readChoice } from '../../request/query-parameters.ts';

export const ARCHIVED = queryParameter('archived', {
  description: 'Whether archived pets are left out (the default), included, or alone in the result.',
  schema: { type: 'string', enum: ARCHIVED_FILTERS },
});

export const WORDS = queryParameter('q', {
  component: 'PetWords',
  description:
    'Words of name or category, in any order; the beginnings of words are enough. A number also finds the pet with this petId, first.',
  schema: { type: 'string', maxLength: MAX_QUERY_CHARACTERS },
  example: 'gold retr',
});

export const PET_CURSOR = queryParameter('cursor', {
  component: 'PetCursor',
  description: 'The start of the page, from the `Link` header of the page before.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: 300 },
});

export function readArchived(parameters: URLSearchParams): ArchivedFilter {
  return readChoice(parameters, 'archived', ARCHIVED_FILTERS) ?? 'exclude';
}

/** The words of a search; `undefined` without any. @throws ApiError `invalid_parameter`. */
export function readWords(parameters: URLSearchParams): string | undefined {
  const text = parameters.get('q') ?? '';
  if (text.length > MAX_QUERY_CHARACTERS) {
    throw invalidParameter(`q must have at most ${MAX_QUERY_CHARACTERS} characters.`);
  }
  return text.trim() === '' ? undefined : text;
}

/** The end of a page, as a text that is opaque to clients. */
export function encodePosition({ petId, word }: PetPosition): string {
  return Buffer.from(word === undefined ? `${petId}` : `${petId} ${word}`).toString('base64url');
}

/** @throws ApiError `invalid_parameter`. */
export function readPosition(parameters: URLSearchParams): PetPosition | undefined {
  const cursor = parameters.get('cursor');
  if (cursor === null) return undefined;
  const [id = '', word] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
  const petId = parsePetId(id);
  if (petId !== undefined) {
    const position = word === undefined ? { petId } : { petId, word };
    if (!word?.includes('\0') && encodePosition(position) === cursor) return position;
  }
  throw invalidParameter('cursor must come from the Link header of the page before.');
}
