import { z } from '@hono/zod-openapi';
import { MAX_ORDER_LINES, MAX_QUANTITY } from '@petstore-inventory/shared/limits';
import { ORDER_STATUSES } from '@petstore-inventory/shared/words';
import type { JsonLimits } from '../request/json-limits.ts';
import { ActorSchema } from './actor.ts';
import { NoteSchema, ReferenceIdSchema } from './explanation.ts';
import { moment, OrderIdSchema, PetIdSchema, QuantitySchema, ReservedSchema } from './values.ts';

export const OrderStatusSchema = z.enum(ORDER_STATUSES).openapi('OrderStatus', {
  description: 'The state of an order: its units are reserved while it is `placed` or `approved`.',
});

const UNITS_RULE = `must be a whole number from 1 to ${MAX_QUANTITY}.`;

export const OrderedUnitsSchema = z
  .int({ error: (issue) => (issue.input === undefined ? 'is required.' : UNITS_RULE) })
  .min(1, UNITS_RULE)
  .max(MAX_QUANTITY, UNITS_RULE)
  .openapi('OrderedUnits', { format: 'int64', description: 'Units of a pet, at least one.', example: 2 });

const OrderLineSchema = z
  .object({
    petId: PetIdSchema,
    quantity: OrderedUnitsSchema.openapi({ description: 'Units ordered.' }),
    delivered: QuantitySchema.openapi({
      description: 'Units delivered, also those that came back.',
      example: 2,
    }),
    returned: QuantitySchema.openapi({ description: 'Delivered units that came back.', example: 0 }),
    reserved: ReservedSchema.openapi({ description: 'Units that the order still reserves.', example: 0 }),
  })
  .openapi('OrderLine', { description: 'The units of one pet in an order.' });

export const OrderSchema = z
  .object({
    orderId: OrderIdSchema,
    status: OrderStatusSchema,
    version: z.int().openapi({
      format: 'int64',
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: '1 when placed, and one more for each step.',
      example: 3,
    }),
    lines: z
      .array(OrderLineSchema)
      .min(1)
      .max(MAX_ORDER_LINES)
      .openapi({ description: 'One line per pet, in the order of the request.' }),
    referenceId: ReferenceIdSchema,
    note: NoteSchema,
    expiresAt: moment('When the order expires unless it is approved before; `null`: never.').nullable(),
    createdAt: moment('When it was placed.'),
    updatedAt: moment('When it was last changed.'),
    actor: ActorSchema,
  })
  .openapi('Order', { description: 'A request for units of one or more pets.' });

const LINES_RULE = `must be an array of 1 to ${MAX_ORDER_LINES} lines.`;

/** Fits 100 lines and the longest explanation, also with escapes and line breaks. */
const MAX_LINES_BYTES = 64 * 1024;

/** Limits that no valid body with lines exceeds: its lines with two members each, the other members, and the body. */
const LINES_LIMITS: JsonLimits = {
  values: MAX_ORDER_LINES * (1 + 2) + 8,
  elements: MAX_ORDER_LINES,
  elementsRule: `lines ${LINES_RULE}`,
};

/** How to read a body with lines. */
export const LINES_BODY = { maxBytes: MAX_LINES_BYTES, petIdsIn: 'lines', limits: LINES_LIMITS };

/** The lines of a body, each of another pet. */
export function linesSchema<T extends { readonly petId: bigint }>(line: z.ZodType<T>) {
  return z
    .array(line, LINES_RULE)
    .min(1, LINES_RULE)
    .max(MAX_ORDER_LINES, LINES_RULE)
    .superRefine((lines, context) => {
      const seen = new Map<bigint, number>();
      for (const [i, { petId }] of lines.entries()) {
        const earlier = seen.get(petId);
        if (earlier !== undefined) {
          const message = `is ${petId} as in lines[${earlier}]. Send one line per pet.`;
          context.addIssue({ code: 'custom', path: [i, 'petId'], message });
          return;
        }
        seen.set(petId, i);
      }
    });
}
