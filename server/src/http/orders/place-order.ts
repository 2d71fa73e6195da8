import { z } from '@hono/zod-openapi';
import { UNEXPLAINED } from '../../domain/ledger/ledger.ts';
import type { PlaceOrderCommand } from '../../domain/orders/orders.ts';
import { parseTimestamp } from '../../domain/timestamps.ts';
import { orderETag, orderJson } from '../../wire/order-json.ts';
import { REPLAYED } from '../openapi/headers.ts';
import { IDEMPOTENCY_KEY } from '../openapi/parameters.ts';
import { responses } from '../openapi/responses.ts';
import { requireNoPreconditions } from '../request/entity-tags.ts';
import { readJsonBody } from '../request/json-body.ts';
import type { OperationDefinition } from '../request/operation.ts';
import { requireNoQuery } from '../request/query-parameters.ts';
import { EXPLANATION_MEMBERS, explanationOf, timeSchema } from '../schemas/explanation.ts';
import { LINES_BODY, linesSchema, OrderedUnitsSchema, OrderSchema } from '../schemas/order.ts';
import { ExactPetIdSchema } from '../schemas/pet-id.ts';
import { readIdempotencyKey } from '../writes/idempotency-key.ts';
import { type WriteExecutor, written } from '../writes/write-executor.ts';
import { ORDER_LOCATION, ORDER_TAG, PLACEMENT } from './order-document.ts';
import { refusedOrder } from './order-refusals.ts';

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
          example: '2026-07-01T12:30:00Z',
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

const BODY = { schema: PlacementSchema, ...LINES_BODY };

type Placement = z.infer<typeof PlacementSchema>;

export const placeOrder: OperationDefinition<{ readonly writer: WriteExecutor }> = {
  route: {
    operationId: 'placeOrder',
    method: 'post',
    path: '/store/orders',
    tags: ['Orders'],
    summary: 'Place an order',
    description: [
      'Reserves the units of all lines, or of none. Reserved units stay in the stock, but are not available to other orders. The order expires at `expiresAt`, and releases its units, unless it is approved before.',
      'A request that is sent twice without an `Idempotency-Key` places two orders. `If-Match` and `If-None-Match` are refused, because a new order has no state yet.',
    ].join('\n\n'),
    'x-stability': 'beta',
    parameters: [IDEMPOTENCY_KEY],
    request: { body: { required: true, content: { 'application/json': { schema: PlacementSchema } } } },
    responses: responses({
      status: 201,
      success: {
        schema: OrderSchema,
        description: 'The order that was placed.',
        headers: { ...ORDER_TAG, ...ORDER_LOCATION, ...REPLAYED },
      },
      errors: PLACEMENT,
    }),
  },
  scope: 'orders:place',
  create:
    ({ writer }) =>
    async (context) => {
      requireNoQuery(context);
      requireNoPreconditions(context, 'names one order, and a new order has no state yet.');
      const key = readIdempotencyKey(context);
      const command = commandOf(await readJsonBody(context, BODY));
      const one = written('order', await writer.write(context, command, key));
      const { code, order } = one.result;
      if (code !== 'done' || !order) throw await refusedOrder(writer, command, one);
      one.headers.ETag = orderETag(order);
      one.headers.Location = `${writer.baseUrl}/store/orders/${order.orderId}`;
      return context.respond(201, orderJson(order), one.headers);
    },
};

function commandOf(body: Placement): PlaceOrderCommand {
  const { lines, expiresAt } = body;
  const expiresAtMs = typeof expiresAt === 'string' ? Math.floor(parseTimestamp(expiresAt) ?? 0) : expiresAt;
  return { kind: 'place', lines, expiresAtMs, explanation: explanationOf(body) ?? UNEXPLAINED };
}
