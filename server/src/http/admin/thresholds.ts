import { z } from '@hono/zod-openapi';
import type { Thresholds } from '@petstore-inventory/shared/thresholds';
import type { ManagementStore } from '../../domain/admin-store.ts';
import { answerSlowly } from '../movements/slow-response.ts';
import { CONFLICT } from '../openapi/error-responses.ts';
import { body } from '../operation/body.ts';
import { operationsWith } from '../operation/operation.ts';
import { answered, one, view } from '../operation/output.ts';
import { wholeNumber } from '../schemas/values.ts';
import { bodyObject } from './fields.ts';

const operation = operationsWith<{
  readonly management: ManagementStore;
  readonly jobs: ManagementStore;
  /** Milliseconds without a byte after which a space is sent. */
  readonly quietMs?: number;
}>({ tag: 'Inventory' });

const UNITS_RULE = `must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}, or null.`;

const units = (description: string, example: number) =>
  z
    .int(UNITS_RULE)
    .min(0, UNITS_RULE)
    .max(Number.MAX_SAFE_INTEGER, UNITS_RULE)
    .nullable()
    .openapi({ format: 'int64', description, example });

const THRESHOLD_MEMBERS = {
  lowStockAt: units('A pet is low at this number of available units, or fewer; `null`: never.', 100),
  restockAt: units(
    'A pet is no longer low at this number of available units, or more; `null`: at one more than `lowStockAt`.',
    150,
  ),
};

const THRESHOLDS = view(
  'DefaultThresholds',
  z.object(THRESHOLD_MEMBERS).openapi({ description: 'The thresholds of pets without their own.' }),
  ({ lowStockAt, restockAt }: Thresholds) => ({ lowStockAt, restockAt }),
);

export const getThresholds = operation({
  id: 'getThresholds',
  at: 'GET /thresholds',
  summary: 'Get the default thresholds',
  description: 'Returns when pets without thresholds of their own are low on stock.',
  access: { role: 'viewer' },
  output: one(THRESHOLDS, { description: 'The thresholds.' }),
  handle: ({ management }) => management.defaultThresholds(),
});

const NewThresholdsSchema = bodyObject(THRESHOLD_MEMBERS)
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

export const setThresholds = operation({
  id: 'setThresholds',
  at: 'PUT /thresholds',
  summary: 'Set the default thresholds',
  description: [
    'Sets when pets without thresholds of their own are low on stock. Each pet whose alert level changes gets a movement; the response is sent after all of them. After an interruption the same request completes the rest.',
    'After 10 seconds the response begins with a space, and another follows every 10 seconds. A change that fails later aborts the connection.',
  ].join('\n\n'),
  access: { role: 'staff' },
  isCostly: true,
  body: body(NewThresholdsSchema),
  output: answered({ schema: ChangedThresholdsSchema, description: 'The new thresholds.' }),
  errors: CONFLICT,
  handle: ({ jobs, quietMs }, { context, body: { lowStockAt, restockAt }, author }) =>
    answerSlowly(
      context,
      jobs
        .setDefaultThresholds({ lowStockAt, restockAt }, author)
        .then((movements) => JSON.stringify({ lowStockAt, restockAt, movements })),
      quietMs,
    ),
});
