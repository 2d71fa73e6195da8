import { z } from '@hono/zod-openapi';
import { ruled } from '../fields.ts';

const RULE = `must be a whole number from 0 to ${Number.MAX_SAFE_INTEGER}, or null.`;

const units = (description: string, example: number) =>
  z
    .int(ruled(RULE))
    .min(0, RULE)
    .max(Number.MAX_SAFE_INTEGER, RULE)
    .nullable()
    .openapi({ format: 'int64', description, example });

export const THRESHOLD_MEMBERS = {
  lowStockAt: units('A pet is low at this number of available units, or fewer; `null`: never.', 100),
  restockAt: units(
    'A pet is no longer low at this number of available units, or more; `null`: at one more than `lowStockAt`.',
    150,
  ),
};
