import { type RouteConfig, z } from '@hono/zod-openapi';
import { ErrorSchema } from './schemas.ts';

/** Headers that every response of the interface carries, as the document describes them. */
const EVERY_RESPONSE = {
  'X-Request-Id': ['string', 'Names this request in our logs.'],
  'X-RateLimit-Limit': ['integer', 'Requests the binding window admits.'],
  'X-RateLimit-Remaining': ['integer', 'Requests still admitted in that window.'],
  'X-RateLimit-Reset': ['integer', 'When that window resets, in Unix seconds.'],
  'RateLimit-Policy': ['string', 'All windows and their quotas (draft-ietf-httpapi-ratelimit-headers).'],
  RateLimit: ['string', 'What remains of all windows, and the seconds until each resets.'],
} as const;

type HeaderObjects = Record<
  string,
  { description: string; required: boolean; schema: { type: 'string' | 'integer' } }
>;

function headerObjects(additional: Readonly<Record<string, string>>): HeaderObjects {
  const every = Object.entries(EVERY_RESPONSE).map(([name, [type, description]]) => [
    name,
    { description, required: true, schema: { type } },
  ]);
  const others = Object.entries(additional).map(([name, description]) => [
    name,
    { description, required: false, schema: { type: 'string' } },
  ]);
  return Object.fromEntries([...every, ...others]) as HeaderObjects;
}

const ERROR_CONDITIONS: Readonly<Record<number, string>> = {
  400: 'The request is malformed, or a parameter or the body holds invalid values.',
  401: 'The API key is missing or invalid.',
  403: 'The API key lacks the scope.',
  404: 'There is no such pet.',
  405: 'The path has no such method.',
  406: 'The client does not accept application/json.',
  410: 'The operation is past its sunset.',
  413: 'The body is larger than 16 KiB.',
  415: 'The body is not application/json.',
  429: 'Over a limit, or the API key is banned.',
  500: 'Something went wrong on our side.',
  503: 'The change cannot be made now; nothing was changed.',
};

/** Errors that any operation can answer with. */
const ALWAYS = [401, 406, 429, 500, 503];
const EXTRA_HEADERS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'WWW-Authenticate': 'How to authenticate (RFC 6750).' },
  403: { 'WWW-Authenticate': 'The scope that is needed (RFC 6750).' },
  415: { 'Accept-Patch': 'The media types that are understood (RFC 5789).' },
  429: {
    'Retry-After': 'Whole seconds to wait; a client that waits is not refused for the same window again.',
  },
  503: { 'Retry-After': 'Whole seconds to wait.' },
};

/** The responses of an operation: its 200 and every error it can answer with, each with its headers. */
export function answers(
  schema: z.ZodType,
  description: string,
  errors: readonly number[],
  headers: Readonly<Record<string, string>> = {},
): RouteConfig['responses'] {
  const responses: RouteConfig['responses'] = {
    200: { description, headers: headerObjects(headers), content: { 'application/json': { schema } } },
  };
  for (const status of [...errors, ...ALWAYS].toSorted((a, b) => a - b)) {
    responses[status] = {
      description: ERROR_CONDITIONS[status] as string,
      headers: headerObjects({ ...headers, ...EXTRA_HEADERS[status] }),
      content: { 'application/json': { schema: ErrorSchema } },
    };
  }
  return responses;
}

/** A 304: the headers, and no body (RFC 9110 section 15.4.5). */
export function notModified(headers: Readonly<Record<string, string>>) {
  return { 304: { description: 'The client has these bytes already.', headers: headerObjects(headers) } };
}

export const PetIdParameter = z.object({
  petId: z.string().openapi({
    type: 'integer',
    format: 'int64',
    description: 'Identifier of the pet, an exact 64-bit integer in plain decimal.',
    example: '7',
  }),
});
