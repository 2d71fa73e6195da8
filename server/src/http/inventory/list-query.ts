import { MAX_LISTED_PETS } from '@petstore-inventory/shared/limits';
import { parsePetId } from '@petstore-inventory/shared/pet-id';
import { ALERT_LEVELS, PET_STATUSES } from '@petstore-inventory/shared/words';
import type { StockFilter } from '../../domain/ledger/stock.ts';
import {
  CURSOR,
  choiceParameter,
  LIMIT,
  momentParameter,
  queryParameter,
  wholeNumberParameter,
} from '../openapi/parameters.ts';
import { decodeCursor } from '../request/cursor.ts';
import {
  invalidParameter,
  onlySet,
  readChoice,
  readChoices,
  readInteger,
  readLimit,
  readQuery,
  readSignedInteger,
  readTimestamp,
} from '../request/query-parameters.ts';

const LEVEL = ALERT_LEVELS.join('|');

/** The query parameters of the list. */
export const LIST_PARAMETERS = {
  limit: LIMIT,
  cursor: CURSOR,
  asOf: momentParameter(
    'asOf',
    'The stock at this moment, which must not be in the future. Excludes `atSequence`.',
  ),
  atSequence: wholeNumberParameter('atSequence', 'The stock after this movement. Excludes `asOf`.', 4711),
  status: choiceParameter('status', 'PetStatus', 'Only pets of this status.'),
  quantityLte: wholeNumberParameter('quantityLte', 'Only pets with this quantity or less.', 5),
  quantityGte: wholeNumberParameter('quantityGte', 'Only pets with this quantity or more.', 1),
  availableLte: queryParameter('availableLte', {
    description: 'Only pets with this many available units or fewer; may be below 0.',
    schema: {
      type: 'integer',
      format: 'int64',
      minimum: -Number.MAX_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
    },
    example: 3,
  }),
  alert: queryParameter('alert', {
    description: 'Only pets of these alert levels, separated by commas.',
    schema: { type: 'string', pattern: `^(${LEVEL})(,(${LEVEL}))*$` },
    example: 'low,out',
  }),
  updatedSince: momentParameter('updatedSince', 'Pets whose stock changed at this moment or later.'),
  petId: queryParameter('petId', {
    component: 'PetIds',
    description: 'Only these pets: up to 1,000 petIds, separated by commas.',
    schema: { type: 'string', pattern: '^-?[0-9]+(,-?[0-9]+)*$', maxLength: 21_000 },
    example: '1,2,7',
  }),
};

const PAGE_NAMES = ['limit', 'cursor'];
const MOMENT_NAMES = ['asOf', 'atSequence'];
const NAMES = Object.keys(LIST_PARAMETERS);
const FILTER_NAMES = NAMES.filter((name) => !PAGE_NAMES.includes(name) && !MOMENT_NAMES.includes(name));

export interface PageParameters {
  readonly after: bigint | undefined;
  readonly limit: number;
}

/** A moment and a filter of pets. Without a moment it is now. */
export interface AsOfQuery {
  readonly asOfMs: number | undefined;
  readonly atSequence: number | undefined;
  readonly filter: StockFilter;
}

export interface ListQuery {
  readonly parameters: URLSearchParams;
  readonly page: PageParameters | undefined;
  /** Set for everything except the current list and its pages. */
  readonly asOf: AsOfQuery | undefined;
}

export function readListQuery(query: string): ListQuery {
  const parameters = readQuery(query, NAMES);
  const isPage = PAGE_NAMES.some((name) => parameters.has(name));
  const isAsOf = [...MOMENT_NAMES, ...FILTER_NAMES].some((name) => parameters.has(name));
  return {
    parameters,
    page: isPage ? readPage(parameters) : undefined,
    asOf: isAsOf ? readAsOf(parameters) : undefined,
  };
}

function readPage(parameters: URLSearchParams): PageParameters {
  const limit = readLimit(parameters);
  const cursor = parameters.get('cursor');
  return { after: cursor === null ? undefined : decodeCursor(cursor), limit };
}

function readAsOf(parameters: URLSearchParams): AsOfQuery {
  if (MOMENT_NAMES.every((name) => parameters.has(name))) {
    throw invalidParameter('Send asOf or atSequence, not both.');
  }
  const asOfMs = readTimestamp(parameters, 'asOf');
  const updatedSinceMs = readTimestamp(parameters, 'updatedSince');
  return {
    asOfMs: asOfMs === undefined ? undefined : Math.floor(asOfMs),
    atSequence: readInteger(parameters, 'atSequence'),
    filter: onlySet<StockFilter>({
      status: readChoice(parameters, 'status', PET_STATUSES),
      quantityLte: readInteger(parameters, 'quantityLte'),
      quantityGte: readInteger(parameters, 'quantityGte'),
      availableLte: readSignedInteger(parameters, 'availableLte'),
      alertLevels: readChoices(parameters, 'alert', ALERT_LEVELS),
      updatedSinceMs: updatedSinceMs === undefined ? undefined : Math.ceil(updatedSinceMs),
      petIds: readPetIds(parameters.get('petId')),
    }),
  };
}

/** Ascending, without duplicates. */
export function readPetIds(text: string | null, max = MAX_LISTED_PETS): readonly bigint[] | undefined {
  if (text === null) return undefined;
  const petIds = text.split(',', max + 1).map(parsePetId);
  const known = petIds.filter((petId) => petId !== undefined);
  if (known.length < petIds.length || known.length > max) {
    throw invalidParameter(
      `petId must be 1 to ${max} 64-bit integers in plain decimal with commas between them, such as 1,2,7.`,
    );
  }
  return [...new Set(known)].sort((a, b) => (a < b ? -1 : 1));
}
