import { z } from '@hono/zod-openapi';
import { MAX_QUANTITY } from '@petstore-inventory/shared/limits';

/** The rule of a quantity. */
export const quantityRule = (maxQuantity: number) => `must be a whole number from 0 to ${maxQuantity}.`;

/**
 * A quantity of stock in a request body. What is above `maxQuantity`, but can be stored, is left to the write, because a
 * repeated request may be of before the limit was lowered.
 */
export function quantitySchema(maxQuantity: number, description: string) {
  const rule = quantityRule(maxQuantity);
  return z
    .int(rule)
    .min(0, rule)
    .max(MAX_QUANTITY, rule)
    .openapi({ format: 'int64', maximum: maxQuantity, description, example: 12 });
}

const DELTA_RULE = `must be a whole number from -${MAX_QUANTITY} to ${MAX_QUANTITY}, and not 0.`;

/** The change of a quantity. */
export const DeltaSchema = z
  .int(DELTA_RULE)
  .refine((delta) => delta !== 0, DELTA_RULE)
  .openapi({
    format: 'int64',
    minimum: -MAX_QUANTITY,
    maximum: MAX_QUANTITY,
    not: { const: 0 },
    description: 'The change of the quantity: above 0 adds, below 0 takes away.',
    example: -2,
  });

/** The members of a body that state a precondition. */
export const CONDITION_MEMBERS = {
  changeFromQuantity: quantitySchema(
    MAX_QUANTITY,
    'The quantity that you have seen. If it is another one now, nothing changes and the response is 409 `conflict`.',
  )
    .openapi('SeenQuantity')
    .optional(),
};

/** Whether a change may take reserved units. */
export const TakeReservedSchema = z.boolean('must be true or false.').openapi('TakeReserved', {
  default: false,
  description:
    'Whether the change may take units that open orders reserve. Then fewer are available than are reserved. Without it such a change is 409 `insufficient_stock`.',
});
