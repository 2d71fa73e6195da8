import { ITEM_WRITE } from '../openapi/error-responses.ts';
import { REPLAYED } from '../openapi/headers.ts';
import { IDEMPOTENCY_KEY, WRITE_HEADERS } from '../openapi/parameters.ts';
import type { RequestHeaders } from '../operation/operation.ts';
import type { ResponseHeader } from '../operation/output.ts';
import { readPreconditions, requireNoPreconditions } from '../request/entity-tags.ts';
import { readIdempotencyKey } from './idempotency-key.ts';

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
  documented: WRITE_HEADERS,
  errors: { ...UNCONDITIONAL, ...(PRECONDITION_FAILED && { 412: PRECONDITION_FAILED }) },
  read: (context) => ({ ...readPreconditions(context), key: readIdempotencyKey(context) }),
};

/** The headers of every response to a write, from `written`. */
export const replayed: ResponseHeader<{ readonly headers: Readonly<Record<string, string>> }> = {
  documented: REPLAYED,
  of: ({ headers }) => headers,
};
