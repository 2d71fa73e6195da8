import { MAX_NAMED_PETS, MAX_PET_TEXT } from '@petstore-inventory/shared/limits';
import { parsePetId } from '@petstore-inventory/shared/pet-id';
import { ALERT_LEVELS, PET_STATUSES } from '@petstore-inventory/shared/words';
import { MAX_QUERY_CHARACTERS } from '../../../domain/management/pet-words.ts';
import {
  ARCHIVED_FILTERS,
  type ArchivedFilter,
  type PetPosition,
  type PetQuery,
} from '../../../domain/management/pets.ts';
import { LIST_PARAMETERS } from '../../inventory/list-query.ts';
import { queryParameter } from '../../openapi/parameters.ts';
import { invalidParameter, onlySet, readChoice, readChoices } from '../../request/query-parameters.ts';

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

/** The filters of a list besides its words. A page of them may be short, because it reads a bounded number of pets. */
export const FILTERS = [
  ARCHIVED,
  LIST_PARAMETERS.status,
  LIST_PARAMETERS.alert,
  queryParameter('category', {
    component: 'ExactCategory',
    description: 'Only pets of exactly this category.',
    schema: { type: 'string', minLength: 1, maxLength: MAX_PET_TEXT },
    example: 'Dogs',
  }),
];

export const NAMED_PETS = queryParameter('petId', {
  component: 'NamedPets',
  description: `Only these pets: up to ${MAX_NAMED_PETS} petIds, separated by commas. It excludes all other parameters.`,
  schema: { type: 'string', pattern: '^-?[0-9]+(,-?[0-9]+)*$', maxLength: 21 * MAX_NAMED_PETS },
  example: '1,2,7',
});

export const PET_CURSOR = queryParameter('cursor', {
  component: 'PetCursor',
  description: 'The start of the page, from the `Link` header of the page before.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: 300 },
});

export function readArchived(parameters: URLSearchParams): ArchivedFilter {
  return readChoice(parameters, 'archived', ARCHIVED_FILTERS) ?? 'exclude';
}

/** @throws ApiError `invalid_parameter`. */
export function readFilters(parameters: URLSearchParams) {
  return onlySet<Pick<PetQuery, 'archived' | 'status' | 'alertLevels' | 'category'>>({
    archived: readArchived(parameters),
    status: readChoice(parameters, 'status', PET_STATUSES),
    alertLevels: readChoices(parameters, 'alert', ALERT_LEVELS),
    category: readCategory(parameters),
  });
}

function readCategory(parameters: URLSearchParams): string | undefined {
  const category = parameters.get('category') ?? undefined;
  if (category === undefined || (category !== '' && [...category].length <= MAX_PET_TEXT)) return category;
  throw invalidParameter(`category must have 1 to ${MAX_PET_TEXT} characters.`);
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
