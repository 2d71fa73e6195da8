import { z } from '@hono/zod-openapi';
import { MAX_ORDER_LINES } from '@petstore-inventory/shared/limits';
import { parseTimestamp } from '@petstore-inventory/shared/timestamp';
import { UNEXPLAINED } from '../../domain/ledger/ledger.ts';
import type { PlaceOrderCommand, StepLine } from '../../domain/orders/orders.ts';
import { body, optionalBody } from '../operation/body.ts';
import type { JsonLimits } from '../request/json-limits.ts';
import {
  EXPLANATION_MEMBERS,
  type ExplanationBody,
  explanationOf,
  timeSchema,
} from '../schemas/explanation.ts';
import { ExactPetIdSchema } from '../schemas/pet-id.ts';
import { OrderedUnitsSchema } from './order-views.ts';

const LINES_RULE = `must be an array of 1 to ${MAX_ORDER_LINES} lines.`;

/** Fits 100 lines and the longest explanation, also with escapes and line breaks. */
const MAX_LINES_BYTES = 64 * 1024;

/** Limits that no valid body with lines exceeds: its lines with two members each, the other members, and the body. */
const LINES_LIMITS: JsonLimits = {
  values: MAX_ORDER_LINES * (1 + 2) + 8,
  elements: MAX_ORDER_LINES,
  elementsRule: `lines ${LINES_RULE}`,
};

const WITH_LINES = { maxBytes: MAX_LINES_BYTES, petIdsIn: 'lines', limits: LINES_LIMITS };

/** The lines of a body, each of another pet. */
function linesSchema<T extends { readonly petId: bigint }>(line: z.ZodType<T>) {
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

const PlacementLineSchema = z
  .strictObject(
    {
      petId: ExactPetIdSchema,
      quantity: OrderedUnitsSchema.openapi({ description: 'The units to reserve.' }),
    },
    { error: 'must be a JSON object with the members petId and quantity.' },
  )
  .openapi('OrderPlacementLine', { description: 'The units of one pet to order.' });

const PlacementSchema = z
  .strictObject(
    {
      lines: linesSchema(PlacementLineSchema).openapi({ description: 'One line per pet.' }),
      expiresAt: timeSchema()
        .nullable()
        .openapi({
          format: 'date-time',
          description:
            'When the order expires unless it is approved before; `null`: never. Without it, after the hold time of the shop.',
          example: '2027-12-31T12:30:00Z',
        })
        .optional(),
      ...EXPLANATION_MEMBERS,
    },
    { error: 'must be a JSON object with the member lines.' },
  )
  .openapi('OrderPlacement', {
    description: 'The lines of an order, and its explanation.',
    example: {
      lines: [
        { petId: 7, quantity: 2 },
        { petId: 8, quantity: 1 },
      ],
      referenceId: 'cart-815',
    },
  });

/** The body of `placeOrder`. */
export const PLACED = body(PlacementSchema, WITH_LINES);

export function placementOf(placement: z.output<typeof PlacementSchema>): PlaceOrderCommand {
  const { lines, expiresAt } = placement;
  const expiresAtMs = typeof expiresAt === 'string' ? Math.floor(parseTimestamp(expiresAt) ?? 0) : expiresAt;
  return { kind: 'place', lines, expiresAtMs, explanation: explanationOf(placement) ?? UNEXPLAINED };
}

const BODY_RULE = { error: 'must be a JSON object, or missing.' };

const OrderExplanationSchema = z.strictObject(EXPLANATION_MEMBERS, BODY_RULE).openapi('OrderExplanation', {
  description: 'The explanation of a step. The movements of the step record it.',
  example: { note: 'The customer phoned.' },
});

const PartLineSchema = z
  .strictObject(
    {
      petId: ExactPetIdSchema,
      quantity: OrderedUnitsSchema.openapi({
        description: 'The units to move; without it, all that are left.',
      }).optional(),
    },
    { error: 'must be a JSON object with the member petId.' },
  )
  .openapi('PartLine', { description: 'Units of one line of an order.' });

const OrderPartSchema = z
  .strictObject(
    {
      lines: linesSchema(PartLineSchema)
        .openapi({ description: 'The units to move, one line per pet; without it, all units that are left.' })
        .optional(),
      ...EXPLANATION_MEMBERS,
    },
    BODY_RULE,
  )
  .openapi('OrderPart', {
    description: 'A part of an order, and the explanation of the step.',
    example: { lines: [{ petId: 7, quantity: 1 }], note: 'The other one follows.' },
  });

/** The body of a step. */
export interface StepBody extends ExplanationBody {
  readonly lines?: readonly StepLine[] | undefined;
}

/** The body of a step that moves the whole order. */
export const WHOLE = optionalBody(OrderExplanationSchema);
/** The body of a step that may move a part of the order. */
export const PART = optionalBody(OrderPartSchema, WITH_LINES);
