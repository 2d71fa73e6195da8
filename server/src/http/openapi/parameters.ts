import { DEFAULT_PAGE_ITEMS, MAX_PAGE_ITEMS } from '../request/query-parameters.ts';
import { component, type ParameterObject, type Reference, schemaAt } from './components.ts';
import { DATE_TIME, HEADER_TEXT } from './value-schemas.ts';

type Definition = Omit<ParameterObject, 'in' | 'name'> & { readonly component?: string };

/** A parameter component. Its name is that of the parameter, unless `component` gives one. */
function parameter(place: ParameterObject['in'], name: string, definition: Definition): Reference {
  const { component: componentName = name.slice(0, 1).toUpperCase() + name.slice(1), ...described } =
    definition;
  return component('parameters', componentName, { name, in: place, ...described });
}

export function pathParameter(name: string, definition: Definition): Reference {
  return parameter('path', name, { required: true, ...definition });
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
    ...(owner !== undefined && { component: `${owner}${name.slice(0, 1).toUpperCase()}${name.slice(1)}` }),
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
export const PET_ID_FILTER = queryParameter('petId', {
  component: 'PetIdFilter',
  description: 'Only those of this pet, an exact 64-bit integer in plain decimal.',
  schema: schemaAt('PetId'),
  example: 7,
});
export const SEQUENCE = parameter('path', 'sequence', {
  description: 'The sequence of the movement.',
  required: true,
  schema: schemaAt('Sequence'),
  example: 4711,
});

export const ORDER_ID = parameter('path', 'orderId', {
  description: 'The id of the order.',
  required: true,
  schema: schemaAt('OrderId'),
  example: 1042,
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
    description: 'The `ETag` of the representation that the client has.',
    schema: HEADER_TEXT,
  }),
  parameter('header', 'If-Match', {
    component: 'IfMatch',
    description: 'One or more `ETag`s, or `*`. The response is 412 unless one of them matches.',
    schema: HEADER_TEXT,
  }),
];

export const IDEMPOTENCY_KEY = parameter('header', 'Idempotency-Key', {
  component: 'IdempotencyKey',
  description:
    'Makes it safe to send the request again: 1 to 255 visible ASCII characters, bare or between quotes. The same request with the same key gets the same response for 24 hours. A key belongs to the account, the method and the path.',
  // Between quotes, a quote or a backslash takes two characters.
  schema: { type: 'string', minLength: 1, maxLength: 512 },
  example: '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
});

/** Headers of a write to one pet or order. */
export const WRITE_HEADERS: readonly Reference[] = [
  parameter('header', 'If-Match', {
    component: 'WriteIfMatch',
    description:
      'One or more `ETag`s of the item or order, or `*`. If it matches none of them, nothing changes and the response is 412.',
    schema: HEADER_TEXT,
    example: '"3-4711-mqxz0p3k"',
  }),
  parameter('header', 'If-None-Match', {
    component: 'WriteIfNoneMatch',
    description:
      'One or more `ETag`s of the item or order, or `*`. If it matches one of them, nothing changes and the response is 412.',
    schema: HEADER_TEXT,
    example: '"3-4711-mqxz0p3k"',
  }),
  IDEMPOTENCY_KEY,
];

export const LAST_EVENT_ID = parameter('header', 'Last-Event-ID', {
  component: 'LastEventId',
  description: 'The `id` of the last event that the client has.',
  schema: schemaAt('WholeNumber'),
  example: 41,
});
