import { z } from '@hono/zod-openapi';
import type { ErrorCode } from '../../domain/errors.ts';
import { type ErrorAnswer, FORBIDDEN, type HeaderText } from './responses.ts';

/** What the operations that write have in common, as the document describes them. */

const IDEMPOTENCY_KEY = z.string().optional().openapi({
  description:
    'Names this request, so that sending it again does not carry it out again: 1 to 255 visible ASCII characters, bare or between quotes. The same request with the same key gets the same answer for 24 hours. A key belongs to the account, the method and the path.',
  example: '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
});

const IF_MATCH = z.string().optional().openapi({
  description:
    'The `ETag` of the item that you have seen, or several, or `*`. When the item is another one, nothing is changed, and the answer is 412.',
  example: '"3-4711-mqxz0p3k"',
});

const IF_NONE_MATCH = z.string().optional().openapi({
  description:
    'One or several `ETag`s of the item, or `*`. When the item is one of them, or with `*` when it exists, nothing is changed, and the answer is 412.',
  example: '"3-4711-mqxz0p3k"',
});

/** The headers of a request that writes. */
export const WriteHeaders = z.object({
  'If-Match': IF_MATCH,
  'If-None-Match': IF_NONE_MATCH,
  'Idempotency-Key': IDEMPOTENCY_KEY,
});
/** The same where conditions stand in the body. */
export const BatchHeaders = z.object({ 'Idempotency-Key': IDEMPOTENCY_KEY });

const REPLAYED: HeaderText = {
  type: 'string',
  description: '`true` when this is the stored answer to an earlier request with the same `Idempotency-Key`.',
};
const ITEM_TAG: HeaderText = {
  type: 'string',
  description: 'Names the item as it is now; send it in `If-Match` (RFC 9110 section 8.8.3).',
  example: '"3-4711-mqxz0p3k"',
};

/** Headers of what a write answers when it is done. */
export const WRITTEN_HEADERS = {
  ETag: { ...ITEM_TAG, isRequired: true },
  'Idempotency-Replayed': REPLAYED,
};
export const LOCATION: HeaderText = {
  type: 'string',
  description: 'The movement that was recorded.',
  isRequired: true,
};

/** What a refusal tells of the stock that stands against it. */
export const CURRENT_STOCK_HEADERS = {
  ETag: ITEM_TAG,
  'Inventory-Quantity': { type: 'integer', description: 'The quantity that is there.', example: 5 },
  'Inventory-Version': { type: 'integer', description: 'The version of the item.', example: 7 },
  Link: {
    type: 'string',
    description:
      'The movements since what the request names, `rel="version-history"` (RFC 5829); or `rel="related"`, the movement that is in the way.',
  },
} as const satisfies Record<string, HeaderText>;

const IN_PROGRESS =
  'or a request with the same `Idempotency-Key` is still being carried out, and `Retry-After` says when to ask again';

/** 409 of a write. */
export function conflict(condition: string, codes: readonly ErrorCode[]): ErrorAnswer {
  return {
    description: `${condition}; ${IN_PROGRESS}.`,
    codes: [...codes, 'idempotency_in_progress'],
    headers: {
      ...CURRENT_STOCK_HEADERS,
      'Retry-After': { type: 'integer', description: 'Whole seconds to wait.', example: 1 },
      'Idempotency-Replayed': REPLAYED,
    },
  };
}

export const KEY_REUSED: Readonly<Record<422, ErrorAnswer>> = {
  422: { description: 'The `Idempotency-Key` was used for another request.' },
};

/** A body that is missing, too large or of another type. */
export function bodyErrors(largest: string, accept: 'Accept' | 'Accept-Patch' = 'Accept') {
  const rfc = accept === 'Accept' ? 'RFC 9110 section 12.5.1' : 'RFC 5789';
  return {
    408: { description: 'The body did not arrive in time.' },
    413: { description: `The body is larger than ${largest}.` },
    415: {
      description: 'The body is not application/json.',
      headers: {
        [accept]: {
          type: 'string',
          description: `The media types that are understood (${rfc}).`,
          isRequired: true,
        },
      },
    },
  } as const satisfies Record<number, ErrorAnswer>;
}

/** The errors of a write to one pet. */
export function writeErrors(
  condition: string,
  codes: readonly ErrorCode[],
  accept?: 'Accept' | 'Accept-Patch',
): Readonly<Record<number, ErrorAnswer>> {
  return {
    ...FORBIDDEN,
    ...bodyErrors('16 KiB', accept),
    ...KEY_REUSED,
    404: { description: 'There is no such pet.', headers: { 'Idempotency-Replayed': REPLAYED } },
    409: conflict(condition, codes),
    412: {
      description: 'The item is not one that `If-Match` names, or is one that `If-None-Match` names.',
      headers: { ...CURRENT_STOCK_HEADERS, 'Idempotency-Replayed': REPLAYED },
    },
  };
}

export const REPLAYED_HEADER = { 'Idempotency-Replayed': REPLAYED };
