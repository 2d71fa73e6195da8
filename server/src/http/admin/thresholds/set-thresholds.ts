import { z } from '@hono/zod-openapi';
import type { Thresholds } from '@petstore-inventory/shared/thresholds';
import { responses } from '../../openapi/responses.ts';
import { MAX_BODY_BYTES, readJsonBody } from '../../request/json-body.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import { wholeNumber } from '../../schemas/values.ts';
import { ACTION_ERRORS, adminOperation, authorOf, respondJson } from '../admin-operation.ts';
import { bodyObject } from '../fields.ts';
import { THRESHOLD_MEMBERS } from './threshold-schema.ts';

const schema = bodyObject(THRESHOLD_MEMBERS)
  .refine(isConsistent, {
    path: ['restockAt'],
    message: 'must be greater than lowStockAt, and null without it.',
  })
  .openapi('NewThresholds', {
    description: 'The new thresholds.',
    example: { lowStockAt: 100, restockAt: 150 },
  });

function isConsistent({ lowStockAt, restockAt }: Thresholds): boolean {
  return restockAt === null || (lowStockAt !== null && restockAt > lowStockAt);
}

const ChangedThresholdsSchema = z
  .object({ ...THRESHOLD_MEMBERS, movements: wholeNumber('The pets whose alert level changed.', 12) })
  .openapi('ChangedThresholds', { description: 'The thresholds, and what they changed.' });

export const setThresholds = adminOperation({
  route: {
    operationId: 'setThresholds',
    method: 'put',
    path: '/thresholds',
    tags: ['Inventory'],
    summary: 'Set the default thresholds',
    description:
      'Sets when pets without thresholds of their own are low on stock. Each pet whose alert level changes gets a movement; the response is sent after all of them. After an interruption the same request completes the rest.',
    'x-stability': 'beta',
    request: { body: { required: true, content: { 'application/json': { schema } } } },
    responses: responses({
      isAction: true,
      success: { schema: ChangedThresholdsSchema, description: 'The new thresholds.' },
      errors: ACTION_ERRORS,
    }),
  },
  role: 'staff',
  isCostly: true,
  create:
    ({ jobs }) =>
    async (context) => {
      requireNoQuery(context);
      const thresholds = await readJsonBody(context, { schema, maxBytes: MAX_BODY_BYTES });
      const movements = await jobs.setDefaultThresholds(thresholds, authorOf(context));
      return respondJson(context, 200, { ...thresholds, movements });
    },
});
