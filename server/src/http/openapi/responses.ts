import type { RouteConfig, z } from '@hono/zod-openapi';
import { component, definitionOf, type Reference } from './components.ts';
import {
  BAD_ACTION_REQUEST,
  BAD_REQUEST,
  BAD_WRITE_REQUEST,
  type ErrorResponses,
  EVERY_OPERATION,
  UNMATCHED,
} from './error-responses.ts';
import { EVERY_RESPONSE, type Headers, NEXT_PAGE } from './headers.ts';

/** A 304: the headers of the 200, and no body (RFC 9110 section 15.4.5). */
export function notModified(name: string, headers: Headers = {}): Reference {
  return component('responses', name, {
    description: 'The client has these bytes already.',
    headers: { ...EVERY_RESPONSE, ...headers },
  });
}

const NOT_MODIFIED = notModified('NotModified');
const PAGE_NOT_MODIFIED = notModified('PageNotModified', NEXT_PAGE);

/** A successful response that several operations return. */
export function success(name: string, description: string, schema: object, headers: Headers): Reference {
  return component('responses', name, {
    description,
    headers: { ...EVERY_RESPONSE, ...headers },
    content: { 'application/json': { schema } },
  });
}

interface OwnSuccess {
  readonly schema: z.ZodType;
  readonly description: string;
  /** `application/json` by default. */
  readonly mediaType?: string;
  readonly headers?: Headers;
}

export interface DocumentedResponses {
  /** 200 by default. */
  readonly status?: 200 | 201 | 202 | 204;
  /** Whether the operation is a change that takes no `Idempotency-Key`. */
  readonly isAction?: boolean;
  readonly success: Reference | OwnSuccess;
  /** The 304 of a read whose successful response has headers of its own. */
  readonly notModified?: Reference;
  /** Errors besides those of any operation. */
  readonly errors?: ErrorResponses;
}

/** The responses of an operation: success, and each error that it can return. */
export function responses(documented: DocumentedResponses): RouteConfig['responses'] {
  const { success, status = 200, isAction = false, errors = {} } = documented;
  // Only writes take an Idempotency-Key; `withPreconditions` serves the others.
  const isWrite = errors[422] !== undefined;
  return {
    [status]: '$ref' in success ? success : ownResponse(success),
    ...(!isWrite && !isAction && { 304: documented.notModified ?? ownNotModified(success), ...UNMATCHED }),
    400: badRequest(isWrite, isAction),
    ...EVERY_OPERATION,
    ...errors,
  };
}

function badRequest(isWrite: boolean, isAction: boolean): Reference {
  if (isAction) return BAD_ACTION_REQUEST;
  return isWrite ? BAD_WRITE_REQUEST : BAD_REQUEST;
}

/** The 304 of a list has the link to the next page. */
function ownNotModified(success: Reference | OwnSuccess): Reference {
  const { headers }: { headers?: Headers } = ('$ref' in success ? definitionOf(success) : success) ?? {};
  return headers?.Link === NEXT_PAGE.Link ? PAGE_NOT_MODIFIED : NOT_MODIFIED;
}

function ownResponse({ schema, description, mediaType = 'application/json', headers }: OwnSuccess) {
  return {
    description,
    headers: { ...EVERY_RESPONSE, ...headers },
    content: { [mediaType]: { schema } },
  };
}
