import { component, type Reference, schemaAt } from '../openapi/components.ts';
import { ITEM_WRITE } from '../openapi/error-responses.ts';
import { REPLAYED } from '../openapi/headers.ts';
import type { RequestHeaders } from '../operation/operation.ts';
import type { ResponseHeader } from '../operation/output.ts';
import { readPreconditions, requireNoPreconditions } from '../request/entity-tags.ts';
import { readIdempotencyKey } from './idempotency-key.ts';

const IDEMPOTENCY_KEY = component('parameters', 'IdempotencyKey', {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Makes it safe to send the request again: visible ASCII characters, bare or between quotes. The same request with the same key gets the same response for 24 hours. A key belongs to the account, or to the management key and those that replace it by rotation, and to the method and the path.',
  // Between quotes, a quote or a backslash takes two characters.
  schema: {
    type: 'string',
    pattern: '^(?:[!#-~][!-~]{0,254}|"(?:[!#-\\[\\]-~]|\\\\["\\\\]){1,255}")$',
    maxLength: 512,
  },
  example: '"8e03978e-40d5-43e8-bc93-6894a57f9324"',
});

/** The preconditions of a write to one pet or order. */
export const PRECONDITIONS: readonly Reference[] = [
  component('parameters', 'WriteIfMatch', {
    name: 'If-Match',
    in: 'header',
    description:
      '`ETag`s of the item or order, or `*`: unless one matches, nothing changes and the response is 412.',
    schema: schemaAt('EntityTags'),
    example: '"3-4711-mqxz0p3k"',
  }),
  component('parameters', 'WriteIfNoneMatch', {
    name: 'If-None-Match',
    in: 'header',
    description:
      '`ETag`s of the item or order, or `*`: if one matches, nothing changes and the response is 412.',
    schema: schemaAt('EntityTags'),
    example: '"3-4711-mqxz0p3k"',
  }),
];

const { 412: PRECONDITION_FAILED, ...UNCONDITIONAL } = ITEM_WRITE;

/** What `Idempotency-Key` names; `undefined` without it. */
export interface Key {
  readonly key: string | undefined;
}

/**
 * The key of a write to which no single state belongs, which refuses preconditions.
 * @param why The sentence after the name of a refused header.
 */
export function idempotent(why: string): RequestHeaders<Key> {
  return {
    documented: [IDEMPOTENCY_KEY],
    errors: UNCONDITIONAL,
    read: (context) => {
      requireNoPreconditions(context, why);
      return { key: readIdempotencyKey(context) };
    },
  };
}

/** The preconditions and the key of a write to one pet or order. */
export const CONDITIONAL: RequestHeaders<ReturnType<typeof readPreconditions> & Key> = {
  documented: [...PRECONDITIONS, IDEMPOTENCY_KEY],
  errors: { ...UNCONDITIONAL, ...(PRECONDITION_FAILED && { 412: PRECONDITION_FAILED }) },
  read: (context) => ({ ...readPreconditions(context), key: readIdempotencyKey(context) }),
};

/** The headers of every response to a write, from `written`. */
export const replayed: ResponseHeader<{ readonly headers: Readonly<Record<string, string>> }> = {
  documented: REPLAYED,
  of: ({ headers }) => headers,
};
