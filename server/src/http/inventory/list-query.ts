import { MAX_LISTED_PETS, MAX_PAGE_ITEMS } from '@petstore-inventory/shared/limits';
import { parseWholeNumber } from '@petstore-inventory/shared/numeral';
import { parsePetId } from '@petstore-inventory/shared/pet-id';
import { ALERT_LEVELS, PET_STATUSES } from '@petstore-inventory/shared/words';
import type { StockFilter } from '../../domain/ledger/stock.ts';
import { onlySet } from '../../domain/only-set.ts';
import { schemaAt } from '../openapi/components.ts';
import {
  choice,
  choices,
  cursor,
  DEFAULT_PAGE_ITEMS,
  invalidParameter,
  limit,
  moment,
  Parameter,
  type ParameterFacts,
  parseQuery,
  readQuery,
  wholeNumber,
} from '../operation/parameter.ts';

const LEVEL = ALERT_LEVELS.join('|');
const { MAX_SAFE_INTEGER } = Number;

/** Pets by their ids: ascending, without duplicates. */
export function petIds(
  max: number,
  facts: Pick<ParameterFacts, 'component' | 'description'>,
): Parameter<readonly bigint[]> {
  return new Parameter<readonly bigint[]>(
    {
      ...facts,
      schema: { type: 'string', pattern: '^-?[0-9]+(,-?[0-9]+)*$', maxLength: 21 * max },
      example: '1,2,7',
    },
    {
      rule: `must be 1 to ${max} 64-bit integers in plain decimal with commas between them, such as 1,2,7.`,
      parse: (text) => {
        const sent = text.split(',', max + 1).map(parsePetId);
        const known = sent.filter((petId) => petId !== undefined);
        if (known.length < sent.length || known.length > max) return undefined;
        return [...new Set(known)].sort((a, b) => (a < b ? -1 : 1));
      },
    },
  );
}

const count = (description: string, example: number) =>
  wholeNumber({ description, schema: schemaAt('WholeNumber'), example }).optional();

const PAGE = {
  limit: limit(
    {
      component: 'StockLimit',
      description: `Items per page. Without it and \`cursor\` the response has all items; with \`cursor\` alone a page has ${DEFAULT_PAGE_ITEMS}.`,
      schema: { type: 'integer', format: 'int32', minimum: 1, maximum: MAX_PAGE_ITEMS },
      example: DEFAULT_PAGE_ITEMS,
    },
    { byDefault: DEFAULT_PAGE_ITEMS, max: MAX_PAGE_ITEMS },
  ),
  cursor: cursor<bigint>({ parse: parsePetId }),
};

/** What makes the list one of a moment, or of some pets. */
const SELECTION = {
  asOf: moment(
    'The stock at this moment, which must not be in the future. Excludes `atSequence`.',
  ).optional(),
  atSequence: count('The stock after this movement. Excludes `asOf`.', 4711),
  status: choice(PET_STATUSES, {
    description: 'Only pets of this status.',
    schema: schemaAt('PetStatus'),
  }).optional(),
  quantityLte: count('Only pets with this quantity or less.', 5),
  quantityGte: count('Only pets with this quantity or more.', 1),
  availableLte: new Parameter<number>(
    {
      description: 'Only pets with this many available units or fewer; may be below 0.',
      schema: { type: 'integer', format: 'int64', minimum: -MAX_SAFE_INTEGER, maximum: MAX_SAFE_INTEGER },
      example: 3,
    },
    {
      rule: `must be a whole number from -${MAX_SAFE_INTEGER} to ${MAX_SAFE_INTEGER}.`,
      parse: (text) => {
        const size = parseWholeNumber(text.replace(/^-(?=[1-9])/, ''));
        return size !== undefined && text.startsWith('-') ? -size : size;
      },
    },
  ).optional(),
  alert: choices(ALERT_LEVELS, {
    description: 'Only pets of these alert levels, separated by commas.',
    schema: { type: 'string', pattern: `^(${LEVEL})(,(${LEVEL}))*$` },
    example: 'low,out',
  }).optional(),
  updatedSince: moment('Pets whose stock changed at this moment or later.').optional(),
  petId: petIds(MAX_LISTED_PETS, {
    component: 'PetIds',
    description: 'Only these pets: up to 1,000 petIds in plain decimal, separated by commas.',
  }).optional(),
};

/** The query parameters of the list. */
export const LIST_PARAMETERS = { ...PAGE, ...SELECTION };

/** A moment and a filter of pets. Without a moment it is now. */
export interface AsOfQuery {
  readonly asOfMs: number | undefined;
  readonly atSequence: number | undefined;
  readonly filter: StockFilter;
}

export interface PageParameters {
  readonly after: bigint | undefined;
  readonly limit: number;
}

export interface ListQuery {
  /** As sent. */
  readonly sent: URLSearchParams;
  readonly page: PageParameters | undefined;
  /** Set for everything except the current list and its pages. */
  readonly asOf: AsOfQuery | undefined;
}

export function readListQuery(query: string): ListQuery {
  const sent = parseQuery(query, LIST_PARAMETERS);
  const names = [...sent.keys()];
  return {
    sent,
    page: names.some((name) => name in PAGE) ? readPage(sent) : undefined,
    asOf: names.some((name) => name in SELECTION) ? readAsOf(sent) : undefined,
  };
}

function readPage(sent: URLSearchParams): PageParameters {
  const { limit, cursor: after } = readQuery(PAGE, sent);
  return { limit, after };
}

function readAsOf(sent: URLSearchParams): AsOfQuery {
  const { asOf, atSequence, alert, updatedSince, petId, ...filter } = readQuery(SELECTION, sent);
  if (asOf !== undefined && atSequence !== undefined) {
    throw invalidParameter('Send asOf or atSequence, not both.');
  }
  return {
    asOfMs: asOf && Math.floor(asOf),
    atSequence,
    filter: onlySet<StockFilter>({
      ...filter,
      alertLevels: alert,
      updatedSinceMs: updatedSince && Math.ceil(updatedSince),
      petIds: petId,
    }),
  };
}
