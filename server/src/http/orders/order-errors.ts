import {
  BAD_WRITE_CODES,
  type ErrorResponses,
  errorComponent,
  WRITE_NOT_FOUND,
} from '../openapi/error-responses.ts';
import { CURRENT_STOCK_HEADERS, header, REPLAYED, RETRY_AFTER_OF_KEY } from '../openapi/headers.ts';
import { ENTITY_TAG } from '../openapi/value-schemas.ts';
import { EXAMPLE_TAG } from './order-views.ts';

/** The errors of operations on orders, where they differ from those of other writes. */

const CURRENT_ORDER = header('ETag', 'CurrentOrderETag', {
  description: 'The entity tag of the order now; send it in `If-Match`.',
  schema: ENTITY_TAG,
  example: EXAMPLE_TAG,
});

const IN_PROGRESS = 'a request with the same `Idempotency-Key` is in progress (`idempotency_in_progress`)';

/** The errors of `placeOrder`. */
export const PLACEMENT: ErrorResponses = {
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
};

/** The errors of a step. */
export const STEP: ErrorResponses = {
  404: { ...WRITE_NOT_FOUND, description: 'There is no such order.' },
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
};
