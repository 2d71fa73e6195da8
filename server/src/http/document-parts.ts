import { type RouteConfig, z } from '@hono/zod-openapi';
import { ErrorSchema } from './schemas.ts';

interface HeaderText {
  readonly type: 'string' | 'integer';
  readonly description: string;
  readonly example?: string | number;
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

function headerObjects(additional: Readonly<Record<string, HeaderText>>, required: readonly string[] = []) {
  const headers = Object.entries({ ...EVERY_RESPONSE, ...additional });
  return Object.fromEntries(
    headers.map(([name, { type, description, example }]) => [
      name,
      {
        description,
        required: name in EVERY_RESPONSE || required.includes(name),
        schema: { type },
        ...(example === undefined ? {} : { example }),
      },
    ]),
  );
}

const ERROR_CONDITIONS: Readonly<Record<number, string>> = {
  400: 'The request is malformed, or a parameter or the body holds invalid values.',
  401: 'The API key is missing or invalid.',
  403: 'The API key lacks the scope.',
  404: 'There is no such pet.',
  405: 'The path has no such method.',
  406: 'The client does not accept application/json.',
  408: 'The body did not arrive in time.',
  410: 'The operation is past its sunset.',
  413: 'The body is larger than 16 KiB.',
  415: 'The body is not application/json.',
  429: 'Over a limit, or the API key is banned.',
  431: 'The request line and headers are too large together.',
  500: 'Something went wrong on our side.',
  503: 'It cannot be done now; try again.',
};

/** Errors that any operation can answer with. */
const ALWAYS = [400, 401, 406, 429, 431, 500, 503];
const RETRY_AFTER: HeaderText = {
  type: 'integer',
  description: 'Whole seconds to wait; a client that waits is not refused for the same window again.',
  example: 42,
};
const EXTRA_HEADERS: Readonly<Record<number, Readonly<Record<string, HeaderText>>>> = {
  401: { 'WWW-Authenticate': { type: 'string', description: 'How to authenticate (RFC 6750).' } },
  403: { 'WWW-Authenticate': { type: 'string', description: 'The scope that is needed (RFC 6750).' } },
  415: { 'Accept-Patch': { type: 'string', description: 'The media types that are understood (RFC 5789).' } },
  429: { 'Retry-After': RETRY_AFTER },
  503: { 'Retry-After': { ...RETRY_AFTER, description: 'Whole seconds to wait.', example: 5 } },
};

function texts(descriptions: Readonly<Record<string, string>>): Record<string, HeaderText> {
  return Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [name, { type: 'string', description }]),
  );
}

/** The responses of an operation: its 200 and every error it can answer with, each with its headers. */
export function answers(
  schema: z.ZodType,
  description: string,
  errors: readonly number[],
  headers: Readonly<Record<string, string>> = {},
): RouteConfig['responses'] {
  const responses: RouteConfig['responses'] = {
    200: { description, headers: headerObjects(texts(headers)), content: { 'application/json': { schema } } },
  };
  for (const status of [...new Set([...errors, ...ALWAYS])].toSorted((a, b) => a - b)) {
    responses[status] = {
      description: ERROR_CONDITIONS[status] as string,
      headers: headerObjects(
        { ...texts(headers), ...EXTRA_HEADERS[status] },
        Object.keys(EXTRA_HEADERS[status] ?? {}),
      ),
      content: { 'application/json': { schema: ErrorSchema } },
    };
  }
  return responses;
}

/** A 304: the headers, and no body (RFC 9110 section 15.4.5). */
export function notModified(headers: Readonly<Record<string, string>>) {
  return {
    304: { description: 'The client has these bytes already.', headers: headerObjects(texts(headers)) },
  };
}

export const PetIdParameter = z.object({
  petId: z.string().openapi({
    type: 'integer',
    format: 'int64',
    description: 'Identifier of the pet, an exact 64-bit integer in plain decimal.',
    example: 7,
  }),
});
