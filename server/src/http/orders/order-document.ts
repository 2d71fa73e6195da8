import { schemaAt } from '../openapi/components.ts';
import {
  BAD_WRITE_CODES,
  BODY_TOO_LARGE,
  type ErrorResponses,
  errorComponent,
  ITEM_WRITE,
  NOT_FOUND,
  WRITE_NOT_FOUND,
} from '../openapi/error-responses.ts';
import { CURRENT_STOCK_HEADERS, header, REPLAYED, RETRY_AFTER_OF_KEY } from '../openapi/headers.ts';
import { success } from '../openapi/responses.ts';
import { ENTITY_TAG } from '../openapi/value-schemas.ts';

/** What the descriptions of operations on orders have in common. */

const EXAMPLE_TAG = '"order-1042-3-mqxz0p3k"';

export const ORDER_TAG = header('ETag', 'OrderETag', {
  description: 'The entity tag of the order; send it in `If-None-Match`, or in `If-Match` of a step.',
  required: true,
  schema: ENTITY_TAG,
  example: EXAMPLE_TAG,
});
const CURRENT_ORDER = header('ETag', 'CurrentOrderETag', {
  description: 'The entity tag of the order now; send it in `If-Match`.',
  schema: ENTITY_TAG,
  example: EXAMPLE_TAG,
});
export const ORDER_LOCATION = header('Location', 'OrderLocation', {
  description: 'The address of the order.',
  required: true,
  schema: { type: 'string', format: 'uri' },
});

const NO_SUCH_ORDER = 'There is no such order.';
export const ORDER_NOT_FOUND: ErrorResponses = { 404: { ...NOT_FOUND, description: NO_SUCH_ORDER } };

const IN_PROGRESS = 'a request with the same `Idempotency-Key` is in progress (`idempotency_in_progress`)';
const { 412: _changed, ...WRITE } = ITEM_WRITE;
const LINES_TOO_LARGE = { ...BODY_TOO_LARGE, description: 'The body is larger than 64 KiB.' };

/** The errors of `placeOrder`. */
export const PLACEMENT: ErrorResponses = {
  ...WRITE,
  400: errorComponent('BadOrder', {
    description:
      'The request is malformed, or a parameter or the body is invalid; or `expiresAt` has passed.',
    codes: BAD_WRITE_CODES,
    headers: REPLAYED,
  }),
  404: { ...WRITE_NOT_FOUND, description: 'A line names no pet; nothing changed.' },
  409: errorComponent('OrderRefused', {
    description: `Fewer units of a pet are available than its line orders (\`insufficient_stock\`; the headers describe the pet); or ${IN_PROGRESS}.`,
    codes: ['insufficient_stock', 'idempotency_in_progress'],
    headers: { ...CURRENT_STOCK_HEADERS, ...RETRY_AFTER_OF_KEY, ...REPLAYED },
  }),
  413: LINES_TOO_LARGE,
};

/** The errors of a step. */
export const STEP: ErrorResponses = {
  ...WRITE,
  404: { ...WRITE_NOT_FOUND, description: NO_SUCH_ORDER },
  409: errorComponent('StepRefused', {
    description: `The status of the order does not allow the step (\`invalid_transition\`); or ${IN_PROGRESS}.`,
    codes: ['invalid_transition', 'idempotency_in_progress'],
    headers: { ...CURRENT_ORDER, ...RETRY_AFTER_OF_KEY, ...REPLAYED },
  }),
  412: errorComponent('OrderChanged', {
    description: 'The order is not one that `If-Match` names, or is one that `If-None-Match` names.',
    headers: { ...CURRENT_ORDER, ...REPLAYED },
  }),
};

/** The errors of a step with lines. */
export const PARTIAL_STEP: ErrorResponses = {
  ...STEP,
  404: {
    ...WRITE_NOT_FOUND,
    description: 'There is no such order, or a line names a pet that is not in it.',
  },
  409: errorComponent('PartRefused', {
    description: `The status of the order does not allow the step (\`invalid_transition\`); a line has more units than are left (\`conflict\`); the stock of a pet does not allow it (\`insufficient_stock\`, or \`conflict\` above the ceiling; \`ETag\` is then that of the pet); or ${IN_PROGRESS}.`,
    codes: ['invalid_transition', 'conflict', 'insufficient_stock', 'idempotency_in_progress'],
    headers: {
      ...CURRENT_STOCK_HEADERS,
      ...header('ETag', 'CurrentOrderOrItemETag', {
        description: 'The entity tag of the order now, or of the pet whose stock does not allow the step.',
        schema: ENTITY_TAG,
        example: EXAMPLE_TAG,
      }),
      ...RETRY_AFTER_OF_KEY,
      ...REPLAYED,
    },
  }),
  413: LINES_TOO_LARGE,
};

export const CHANGED_ORDER = success('ChangedOrder', 'The order after the step.', schemaAt('Order'), {
  ...ORDER_TAG,
  ...REPLAYED,
});
