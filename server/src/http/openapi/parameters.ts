import { MAX_PAGE_ITEMS } from '@petstore-inventory/shared/limits';
import { DEFAULT_PAGE_ITEMS } from '../request/query-parameters.ts';
import { component, type ParameterObject, type Reference, schemaAt } from './components.ts';
import { DATE_TIME } from './value-schemas.ts';

type Definition = Omit<ParameterObject, 'in' | 'name'> & { readonly component?: string };

/** Generators make a type of each parameter and each schema, in one namespace. */
const NAME_PREFIX = { path: 'Path', query: 'Query', header: '', cookie: '' } as const;

/** A parameter component. Its name is its place and name, unless `component` gives one. */
function parameter(place: ParameterObject['in'], name: string, definition: Definition): Reference {
  const { component: componentName = NAME_PREFIX[place] + capitalized(name), ...described } = definition;
  return component('parameters', componentName, { name, in: place, ...described });
}

function capitalized(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

export function queryParameter(name: string, definition: Definition): Reference {
  return parameter('query', name, definition);
}

/** A place in the ledger, or another whole number. */
export function wholeNumberParameter(name: string, description: string, example: number): Reference {
  return queryParameter(name, { description, schema: schemaAt('WholeNumber'), example });
}

/** @param owner Begins the name of the component where another operation has a parameter of this name. */
export function momentParameter(name: string, description: string, owner?: string): Reference {
  return queryParameter(name, {
    ...(owner !== undefined && { component: owner + capitalized(name) }),
    description,
    schema: DATE_TIME,
    example: '2026-07-01T12:00:00Z',
  });
}

/** One value of an enumeration that is a schema component. */
export function choiceParameter(name: string, schema: string, description: string): Reference {
  return queryParameter(name, { description, schema: schemaAt(schema) });
}

export const PET_ID = parameter('path', 'petId', {
  description: 'The id of the pet, an exact 64-bit integer in plain decimal.',
  required: true,
  schema: schemaAt('PetId'),
  example: 7,
});
export const CURSOR = queryParameter('cursor', {
  description: 'The start of the page, from the `Link` header of the page before.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$', maxLength: 100 },
});
export const LIMIT = queryParameter('limit', {
  description: `Items per page; ${DEFAULT_PAGE_ITEMS} by default.`,
  schema: { type: 'integer', format: 'int32', minimum: 1, maximum: MAX_PAGE_ITEMS },
  example: DEFAULT_PAGE_ITEMS,
});

/** Headers of a read that has an entity tag. */
export const READ_HEADERS: readonly Reference[] = [
  parameter('header', 'If-None-Match', {
    component: 'IfNoneMatch',
    description: '`ETag`s of representations that the client has, or `*`.',
    schema: schemaAt('EntityTags'),
  }),
  parameter('header', 'If-Match', {
    component: 'IfMatch',
    description: '`ETag`s, or `*`: the response is 412 unless one matches.',
    schema: schemaAt('EntityTags'),
  }),
];

export const IDEMPOTENCY_KEY = parameter('header', 'Idempotency-Key', {
  component: 'IdempotencyKey',
  description:
    'Makes it safe to send the request again: visible ASCII characters, bare or between quotes. The same request with the same key gets the same response for 24 hours. A key belongs to the account, the method and the path.',
  // Between quotes, a quote or a backslash takes two characters.
  schema: {
    type: 'string',
    pattern: '^(?:[!#-~][!-~]{0,254}|"(?:[!#-\\[\\]-~]|\\\\["\\\\]){1,255}")$',
    maxLength: 512,
  },
  example: '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
});

export const LAST_EVENT_ID = parameter('header', 'Last-Event-ID', {
  component: 'LastEventId',
  description: 'The `id` of the last event that the client has.',
  schema: schemaAt('WholeNumber'),
  example: 41,
});
