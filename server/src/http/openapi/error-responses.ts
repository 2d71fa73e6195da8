import type { ErrorCode } from '../../domain/errors.ts';
import { component, type Reference, schemaAt } from './components.ts';
import {
  ACCEPT,
  ACCEPT_PATCH,
  CURRENT_STOCK_HEADERS,
  EVERY_RESPONSE,
  EXHAUSTED_LIMIT,
  type Headers,
  REPLAYED,
  RETRY_AFTER,
  RETRY_AFTER_OF_KEY,
  WWW_AUTHENTICATE,
} from './headers.ts';

/** Error responses of an operation, by status. */
export type ErrorResponses = Readonly<Record<number, Reference>>;

interface ErrorDetails {
  readonly description: string;
  /** Headers besides those of every response. */
  readonly headers?: Headers;
  /** The codes it can carry, where not every code of its status can. */
  readonly codes?: readonly ErrorCode[];
}

/** Describes an error response once; operations refer to it. */
export function errorComponent(name: string, { description, headers, codes }: ErrorDetails): Reference {
  return component('responses', name, {
    description,
    headers: { ...EVERY_RESPONSE, ...headers },
    content: { 'application/json': { schema: schemaAt('Error') } },
    ...(codes && { 'x-error-codes': codes }),
  });
}

export const BAD_REQUEST = errorComponent('BadRequest', {
  description: 'The request is malformed, or a parameter is invalid.',
  codes: ['malformed_request', 'invalid_parameter'],
});
export const BAD_WRITE_CODES: readonly ErrorCode[] = [
  'malformed_request',
  'invalid_parameter',
  'malformed_json',
  'validation_failed',
  'invalid_idempotency_key',
];
export const BAD_WRITE_REQUEST = errorComponent('BadWriteRequest', {
  description: 'The request is malformed, or a parameter or the body is invalid.',
  codes: BAD_WRITE_CODES,
});

/** 400 of an action of the operator. */
export const BAD_ACTION_REQUEST = errorComponent('BadActionRequest', {
  description: 'The request is malformed, or a parameter or the body is invalid.',
  codes: ['malformed_request', 'invalid_parameter', 'malformed_json', 'validation_failed'],
});

export const NOT_ACCEPTABLE = errorComponent('NotAcceptable', {
  description: 'The client does not accept `application/json`.',
});

/** Errors of any operation, besides 406. */
export const EVERY_OPERATION: ErrorResponses = {
  401: errorComponent('Unauthorized', {
    description: 'The API key is missing or invalid.',
    headers: WWW_AUTHENTICATE,
  }),
  429: errorComponent('TooManyRequests', {
    description: 'A limit is exceeded, or the API key is banned temporarily.',
    headers: { ...EXHAUSTED_LIMIT, ...RETRY_AFTER },
  }),
  431: errorComponent('HeadersTooLarge', {
    description: 'The request line and the headers are too large together.',
  }),
  500: errorComponent('InternalError', { description: 'An error of the service.' }),
  503: errorComponent('ServiceUnavailable', {
    description: 'The service cannot do it now; try again.',
    headers: RETRY_AFTER,
  }),
};

/** The refusal of a restricted key. */
export const FORBIDDEN: ErrorResponses = {
  403: errorComponent('Forbidden', {
    description: 'The API key lacks the scope.',
    headers: WWW_AUTHENTICATE,
  }),
};

/** The refusal of a management key. */
export const ROLE_FORBIDDEN: ErrorResponses = {
  403: errorComponent('RoleForbidden', {
    description:
      'The management key lacks the role; or the cookie of a session came with a request that another site may have made.',
    codes: ['insufficient_scope', 'cross_site_request'],
    headers: WWW_AUTHENTICATE,
  }),
};

export const NOT_FOUND = errorComponent('NotFound', {
  description: 'There is no such pet, movement or order.',
});
/** 409 of an action. */
export const ACTION_CONFLICT = errorComponent('ActionConflict', {
  description: 'The present state does not allow the action.',
  codes: ['conflict'],
});
/** An action that the present state may forbid. */
export const CONFLICT: ErrorResponses = { 409: ACTION_CONFLICT };

/** 412 of a read. */
export const UNMATCHED: ErrorResponses = {
  412: errorComponent('Unmatched', { description: 'The resource is not one that `If-Match` names.' }),
};
export const HISTORY_PRUNED = errorComponent('HistoryPruned', {
  description: 'The operator has pruned this part of the ledger.',
  codes: ['history_pruned'],
  headers: REPLAYED,
});

const CONFLICT_HEADERS = { ...CURRENT_STOCK_HEADERS, ...RETRY_AFTER_OF_KEY, ...REPLAYED };
const SET_CONFLICT = errorComponent('SetConflict', {
  description:
    'The quantity is not `changeFromQuantity` (`conflict`); or a request with the same `Idempotency-Key` is in progress (`idempotency_in_progress`).',
  codes: ['conflict', 'idempotency_in_progress'],
  headers: CONFLICT_HEADERS,
});
const CHANGE_CONFLICT = errorComponent('ChangeConflict', {
  description: 'The change contradicts the stock.',
  codes: ['conflict', 'insufficient_stock', 'idempotency_in_progress'],
  headers: CONFLICT_HEADERS,
});

/** 409 of a write that takes stock, under the condition that `description` states. */
export function changeConflict(condition: string): ErrorResponses {
  const description = `${condition}; or a request with the same \`Idempotency-Key\` is in progress (\`idempotency_in_progress\`).`;
  return { 409: { ...CHANGE_CONFLICT, description } };
}

export const WRITE_NOT_FOUND = errorComponent('WriteNotFound', {
  description: 'There is no such pet, movement or order; nothing changed.',
  headers: REPLAYED,
});
const PRECONDITION_FAILED = errorComponent('PreconditionFailed', {
  description: 'The item is not one that `If-Match` names, or is one that `If-None-Match` names.',
  headers: { ...CURRENT_STOCK_HEADERS, ...REPLAYED },
});
export const BODY_TOO_LARGE = errorComponent('BodyTooLarge', {
  description: 'The body is larger than 16 KiB.',
});

/** Errors of any request with a body. */
export const WITH_BODY: ErrorResponses = {
  408: errorComponent('RequestTimeout', { description: 'The body did not arrive in time.' }),
  413: BODY_TOO_LARGE,
  415: errorComponent('UnsupportedMediaType', {
    description: 'The body is not `application/json`.',
    headers: ACCEPT,
  }),
};

/** The errors of a write to one pet; 409 as of a write that sets a value. */
export const ITEM_WRITE: ErrorResponses = {
  ...FORBIDDEN,
  ...WITH_BODY,
  404: { ...WRITE_NOT_FOUND, description: 'There is no such pet.' },
  409: SET_CONFLICT,
  412: PRECONDITION_FAILED,
  422: errorComponent('IdempotencyKeyReused', {
    description: 'The `Idempotency-Key` was used for another request.',
  }),
};
/** 415 of a merge patch. */
export const UNSUPPORTED_PATCH_TYPE: ErrorResponses = {
  415: errorComponent('UnsupportedPatchType', {
    description: 'The body is neither `application/json` nor `application/merge-patch+json`.',
    headers: ACCEPT_PATCH,
  }),
};
export const BATCH: ErrorResponses = {
  ...ITEM_WRITE,
  404: {
    ...WRITE_NOT_FOUND,
    description: 'The first refused row names no pet, or no movement of its pet to revert; nothing changed.',
  },
  412: {
    ...PRECONDITION_FAILED,
    description: 'The item of the first refused row is not its `ifMatch`; nothing changed.',
  },
  413: { ...BODY_TOO_LARGE, description: 'The body is larger than 1 MiB.' },
};
