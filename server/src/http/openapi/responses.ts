import type { RouteConfig, z } from '@hono/zod-openapi';
import type { ErrorCode } from '../../domain/errors.ts';
import { ErrorSchema } from '../schemas/inventory.ts';

export interface HeaderText {
  readonly type: 'string' | 'integer';
  readonly description: string;
  readonly example?: string | number;
  /** Whether the response always carries it. */
  readonly isRequired?: boolean;
}

/** Headers that every response of the interface carries, as the document describes them. */
const EVERY_RESPONSE: Readonly<Record<string, HeaderText>> = {
  'X-Request-Id': { type: 'string', description: 'Names this request in our logs.', example: 'mxmjw-up-2s' },
  'X-RateLimit-Limit': { type: 'integer', description: 'Requests the binding window admits.', example: 300 },
  'X-RateLimit-Remaining': {
    type: 'integer',
    description: 'Requests still admitted in that window.',
    example: 299,
  },
  'X-RateLimit-Reset': {
    type: 'integer',
    description: 'When that window resets, in Unix seconds.',
    example: 1795230060,
  },
  'RateLimit-Policy': {
    type: 'string',
    description: 'All windows and their quotas (draft-ietf-httpapi-ratelimit-headers).',
    example: '"minute";q=300;w=60, "day";q=10000;w=86400',
  },
  RateLimit: {
    type: 'string',
    description: 'What remains of all windows, and the seconds until each resets.',
    example: '"minute";r=299;t=42, "day";r=9940;t=51234',
  },
};

type HeaderTexts = Readonly<Record<string, HeaderText>>;

function headerObjects(additional: HeaderTexts) {
  const headers = Object.entries({ ...EVERY_RESPONSE, ...additional });
  return Object.fromEntries(
    headers.map(([name, { type, description, example, isRequired }]) => [
      name,
      {
        description,
        required: name in EVERY_RESPONSE || isRequired === true,
        schema: { type },
        ...(example === undefined ? {} : { example }),
      },
    ]),
  );
}

const RETRY_AFTER: HeaderText = {
  type: 'integer',
  description: 'Whole seconds to wait; a client that waits is not refused for the same window again.',
  example: 42,
  isRequired: true,
};

/** What an operation answers when something is wrong: in which case, and with what beside the error body. */
export interface ErrorAnswer {
  readonly description: string;
  readonly headers?: HeaderTexts;
  /** The codes it can carry, where not every code of its status can. */
  readonly codes?: readonly ErrorCode[];
}

/** Errors that any operation can answer with. */
const ALWAYS: Readonly<Record<number, ErrorAnswer>> = {
  400: { description: 'The request is malformed, or a parameter or the body holds invalid values.' },
  401: {
    description: 'The API key is missing or invalid.',
    headers: {
      'WWW-Authenticate': {
        type: 'string',
        description: 'How to authenticate (RFC 6750).',
        isRequired: true,
      },
    },
  },
  406: { description: 'The client does not accept application/json.' },
  429: {
    description: 'A limit is exceeded, or the API key is banned for a while.',
    headers: { 'Retry-After': RETRY_AFTER },
  },
  431: { description: 'The request line and headers are too large together.' },
  500: { description: 'Something went wrong on our side.' },
  503: {
    description: 'It cannot be done now; try again.',
    headers: { 'Retry-After': { ...RETRY_AFTER, description: 'Whole seconds to wait.', example: 5 } },
  },
};

/** The refusal of a key that is restricted. */
export const FORBIDDEN: Readonly<Record<403, ErrorAnswer>> = {
  403: {
    description: 'The API key lacks the scope.',
    headers: {
      'WWW-Authenticate': {
        type: 'string',
        description: 'The scope that is needed (RFC 6750).',
        isRequired: true,
      },
    },
  },
};

const UNMATCHED: ErrorAnswer = { description: 'The resource is not what `If-Match` names.' };

/** Which codes of 400 an operation can answer with follows from what else it can. */
function codesOf400(errors: Readonly<Record<number, ErrorAnswer>>): readonly ErrorCode[] {
  return [
    'malformed_request',
    'invalid_parameter',
    ...(errors[415] ? (['malformed_json', 'validation_failed'] as const) : []),
    ...(errors[422] ? (['invalid_idempotency_key'] as const) : []),
  ];
}

function texts(descriptions: Readonly<Record<string, string>>): HeaderTexts {
  return Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [name, { type: 'string', description }]),
  );
}

export interface DocumentedAnswers {
  readonly schema: z.ZodType;
  readonly description: string;
  /** application/json where it is left out. */
  readonly mediaType?: string;
  /** 200 where it is left out. */
  readonly status?: 200 | 201;
  /** Headers of that answer alone. */
  readonly headers?: HeaderTexts;
  /** Headers that each answer may carry, errors included. */
  readonly headersOfAll?: Readonly<Record<string, string>>;
  /** By status, beside those that any operation can answer with. */
  readonly errors?: Readonly<Record<number, ErrorAnswer>>;
}

/** The responses of an operation: what it answers, and every error it can answer with, each with its headers. */
export function answers(documented: DocumentedAnswers): RouteConfig['responses'] {
  const { schema, description, mediaType = 'application/json', status = 200 } = documented;
  const { headers = {}, errors = {} } = documented;
  const ofAll = texts(documented.headersOfAll ?? {});
  const responses: RouteConfig['responses'] = {
    [status]: {
      description,
      headers: headerObjects({ ...ofAll, ...headers }),
      content: { [mediaType]: { schema } },
    },
  };
  // What takes no Idempotency-Key is a read; `withPreconditions` answers for it.
  const isRead = errors[422] === undefined;
  if (isRead) Object.assign(responses, notModified(documented.headersOfAll ?? {}, headers));
  const all: Record<number, ErrorAnswer> = { ...ALWAYS, ...(isRead && { 412: UNMATCHED }), ...errors };
  all[400] = { codes: codesOf400(all), ...(all[400] as ErrorAnswer) };
  for (const [errorStatus, error] of Object.entries(all)) {
    const response = {
      description: error.description,
      headers: headerObjects({ ...ofAll, ...error.headers }),
      content: { 'application/json': { schema: ErrorSchema } },
      ...(error.codes && { 'x-error-codes': error.codes }),
    };
    responses[errorStatus] = response;
  }
  return responses;
}

/** A 304: the headers, and no body (RFC 9110 section 15.4.5). */
export function notModified(headersOfAll: Readonly<Record<string, string>>, headers: HeaderTexts = {}) {
  return {
    304: {
      description: 'The client has these bytes already.',
      headers: headerObjects({ ...texts(headersOfAll), ...headers }),
    },
  };
}
