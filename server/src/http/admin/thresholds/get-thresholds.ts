import { z } from '@hono/zod-openapi';
import { responses } from '../../openapi/responses.ts';
import { requireNoQuery } from '../../request/query-parameters.ts';
import { ADMIN_ERRORS, adminOperation, respondJson } from '../admin-operation.ts';
import { THRESHOLD_MEMBERS } from './threshold-schema.ts';

const ThresholdsSchema = z
  .object(THRESHOLD_MEMBERS)
  .openapi('DefaultThresholds', { description: 'The thresholds of pets without their own.' });

export const getThresholds = adminOperation({
  route: {
    operationId: 'getThresholds',
    method: 'get',
    path: '/thresholds',
    tags: ['Inventory'],
    summary: 'Get the default thresholds',
    description: 'Returns when pets without thresholds of their own are low on stock.',
    'x-stability': 'beta',
    responses: responses({
      success: { schema: ThresholdsSchema, description: 'The thresholds.' },
      errors: ADMIN_ERRORS,
    }),
  },
  role: 'viewer',
  create:
    ({ management }) =>
    async (context) => {
      requireNoQuery(context);
      const { lowStockAt, restockAt } = await management.defaultThresholds();
      return respondJson(context, 200, { lowStockAt, restockAt });
    },
});
