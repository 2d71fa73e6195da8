import { z } from '@hono/zod-openapi';
import type { OrderStep, StepLine } from '../../domain/orders/orders.ts';
import { orderETag, orderJson } from '../../wire/order-json.ts';
import { readPreconditions } from '../request/entity-tags.ts';
import { type BodyOptions, MAX_BODY_BYTES, readOptionalJsonBody } from '../request/json-body.ts';
import type { Handler } from '../request/operation.ts';
import { orderIdParameter } from '../request/path-parameters.ts';
import { requireNoQuery } from '../request/query-parameters.ts';
import { EXPLANATION_MEMBERS, type ExplanationBody, explanationOf } from '../schemas/explanation.ts';
import { LINES_BODY, linesSchema, OrderedUnitsSchema } from '../schemas/order.ts';
import { ExactPetIdSchema } from '../schemas/pet-id.ts';
import { readIdempotencyKey } from '../writes/idempotency-key.ts';
import { type WriteExecutor, written } from '../writes/write-executor.ts';
import { refusedOrder } from './order-refusals.ts';

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

/** How to read the body of a step without an explanation: nothing, or an object without members. */
export const BARE = { schema: z.strictObject({}, BODY_RULE), maxBytes: MAX_BODY_BYTES };
/** How to read the body of a step with and without lines. */
export const WHOLE = { schema: OrderExplanationSchema, maxBytes: MAX_BODY_BYTES };
export const PART = { schema: OrderPartSchema, ...LINES_BODY };

interface StepBody extends ExplanationBody {
  readonly lines?: readonly StepLine[] | undefined;
}

/** The body of a step in the document. */
export function stepBody({ schema }: { readonly schema: z.ZodType }) {
  return { body: { required: false, content: { 'application/json': { schema } } } };
}

/** A handler of a step of an order: reads the request, writes the step and responds with the order after it. */
export function stepHandler(writer: WriteExecutor, step: OrderStep, options: BodyOptions<StepBody>): Handler {
  return async (context, parameter) => {
    requireNoQuery(context);
    const orderId = orderIdParameter(parameter('orderId'));
    const preconditions = readPreconditions(context);
    const key = readIdempotencyKey(context);
    const body = await readOptionalJsonBody(context, options);
    const explanation = body && explanationOf(body);
    const command = {
      kind: 'step',
      step,
      orderId,
      // The service itself expires what is due.
      isForced: step === 'expire' || undefined,
      ...preconditions,
      lines: body?.lines,
      explanation,
    } as const;
    const one = written('order', await writer.write(context, command, key));
    const { code, order } = one.result;
    if (code !== 'done' || !order) throw await refusedOrder(writer, command, one);
    one.headers.ETag = orderETag(order);
    return context.respond(200, orderJson(order), one.headers);
  };
}
