import { z } from '@hono/zod-openapi';
import { MAX_ORDER_LINES, MAX_QUANTITY } from '@petstore-inventory/shared/limits';
import { ORDER_STATUSES } from '@petstore-inventory/shared/words';
import type { OrderApproval } from '../../domain/orders/order-store.ts';
import { timestamp } from '../../domain/timestamps.ts';
import { actorMembers } from '../../wire/actor-json.ts';
import { orderJson } from '../../wire/order-json.ts';
import { header } from '../openapi/headers.ts';
import { ENTITY_TAG } from '../openapi/value-schemas.ts';
import { textView, view } from '../operation/output.ts';
import { ActorSchema } from '../schemas/actor.ts';
import { NoteSchema, ReferenceIdSchema } from '../schemas/explanation.ts';
import { moment, OrderIdSchema, PetIdSchema, QuantitySchema, ReservedSchema } from '../schemas/values.ts';

const OrderStatusSchema = z.enum(ORDER_STATUSES).openapi('OrderStatus', {
  description: 'The state of an order: its units are reserved while it is `placed` or `approved`.',
});

const UNITS_RULE = `must be a whole number from 1 to ${MAX_QUANTITY}.`;

export const OrderedUnitsSchema = z
  .int(UNITS_RULE)
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

export const ORDER = textView(
  'Order',
  z
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
    .openapi({ description: 'A request for units of one or more pets.' }),
  orderJson,
);

export const EXAMPLE_TAG = '"order-1042-3-mqxz0p3k"';

export const ORDER_TAG = header('ETag', 'OrderETag', {
  description: 'The entity tag of the order; send it in `If-None-Match`, or in `If-Match` of a step.',
  required: true,
  schema: ENTITY_TAG,
  example: EXAMPLE_TAG,
});

/** `undefined`: not approved, or no longer known. */
export const APPROVAL = view(
  'OrderApproval',
  z
    .object({
      approvedAt: moment('When it was approved.').nullable(),
      actor: z.union([ActorSchema, z.null()]),
    })
    .openapi({
      description: 'Who approved an order. `null`: the order was not approved, or the record is pruned.',
    }),
  (approval: OrderApproval | undefined) => ({
    approvedAt: approval ? timestamp(approval.atMs) : null,
    actor: approval ? actorMembers(approval) : null,
  }),
);
