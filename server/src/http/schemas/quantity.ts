import { z } from '@hono/zod-openapi';
import { MAX_QUANTITY } from '../../domain/inventory.ts';

/** A quantity of stock, as a body holds it. */
export function quantitySchema(maxQuantity: number, description: string) {
  const rule = `must be a whole number from 0 to ${maxQuantity}.`;
  return z
    .int({ error: (issue) => (issue.input === undefined ? 'is required.' : rule) })
    .min(0, rule)
    .max(maxQuantity, rule)
    .openapi({ description, example: 12 });
}

const DELTA_RULE = `must be a whole number from -${MAX_QUANTITY} to ${MAX_QUANTITY}, and not 0.`;

/** By how much stock is changed. */
export const DeltaSchema = z
  .int({ error: (issue) => (issue.input === undefined ? 'is required.' : DELTA_RULE) })
  .refine((delta) => delta !== 0, DELTA_RULE)
  .openapi({
    minimum: -MAX_QUANTITY,
    maximum: MAX_QUANTITY,
    not: { const: 0 },
    description: 'By how much the quantity changes: more than 0 adds, less takes away.',
    example: -2,
  });

/** The members of a body that must hold of the stock for it to be changed. */
export const CONDITION_MEMBERS = {
  changeFromQuantity: quantitySchema(
    MAX_QUANTITY,
    'The quantity you believe is there; with another one nothing is changed, and the answer is 409 `conflict`.',
  )
    .optional()
    .openapi({ example: 14 }),
};
