import { ITEM_WRITE } from '../openapi/error-responses.ts';
import { IDEMPOTENCY_KEY, WRITE_HEADERS } from '../openapi/parameters.ts';
import type { RequestHeaders } from '../operation/operation.ts';
import { readPreconditions } from '../request/entity-tags.ts';
import { readIdempotencyKey } from './idempotency-key.ts';

const { 412: PRECONDITION_FAILED, ...UNCONDITIONAL } = ITEM_WRITE;

/** The key of a write that makes a new thing, or changes several. */
export const IDEMPOTENT: RequestHeaders<{ readonly key: string | undefined }> = {
  documented: [IDEMPOTENCY_KEY],
  errors: UNCONDITIONAL,
  read: (context) => ({ key: readIdempotencyKey(context) }),
};

/** The preconditions and the key of a write to one pet or order. */
export const CONDITIONAL: RequestHeaders<
  ReturnType<typeof readPreconditions> & { readonly key: string | undefined }
> = {
  documented: WRITE_HEADERS,
  errors: { ...UNCONDITIONAL, ...(PRECONDITION_FAILED && { 412: PRECONDITION_FAILED }) },
  read: (context) => ({ ...readPreconditions(context), key: readIdempotencyKey(context) }),
};
