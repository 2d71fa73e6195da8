import { MAX_PAGE_ORDERS } from '@petstore-inventory/shared/limits';
import { parseWholeNumber } from '@petstore-inventory/shared/numeral';
import { ORDER_STATES, ORDER_STATUSES, type OrderStep } from '@petstore-inventory/shared/words';
import { MOVEMENT_ORDERS } from '../../domain/ledger-store.ts';
import { onlySet } from '../../domain/only-set.ts';
import { type OrderFilter, type OrderStore, ordersInState } from '../../domain/orders/order-store.ts';
import type { Order } from '../../domain/orders/orders.ts';
import { orderETag } from '../../wire/order-json.ts';
import { schemaAt } from '../openapi/components.ts';
import type { ErrorResponses } from '../openapi/error-responses.ts';
import { header } from '../openapi/headers.ts';
import type { Access } from '../operation/access.ts';
import { type Body, EMPTY } from '../operation/body.ts';
import { type Call, operationsWith } from '../operation/operation.ts';
import { located, one, page, type ResponseHeader, revalidated, tagged } from '../operation/output.ts';
import { choice, cursor, limit, moment, Parameter, PET_ID_FILTER, positive } from '../operation/parameter.ts';
import { explanationOf, ReferenceIdSchema } from '../schemas/explanation.ts';
import { type WriteExecutor, written } from '../writes/write-executor.ts';
import { CONDITIONAL, idempotent, type Key, replayed } from '../writes/write-headers.ts';
import { PART, PLACED, placementOf, type StepBody, WHOLE } from './order-bodies.ts';
import { PARTIAL_STEP, PLACEMENT, STEP } from './order-errors.ts';
import { noSuchOrder, type OrderCommand, refusedOrder } from './order-refusals.ts';
import { APPROVAL, ORDER, ORDER_TAG } from './order-views.ts';

interface OrderServices {
  readonly store: { readonly orders: Pick<OrderStore, 'findOrder' | 'listOrders'> };
  readonly management: { readonly orders: Pick<OrderStore, 'findOrder' | 'findApproval'> };
  readonly writer: WriteExecutor;
}

const operation = operationsWith<OrderServices>({ tag: 'Orders' });

const ONE = {
  orderId: positive({
    description: 'The id of the order.',
    required: true,
    schema: schemaAt('OrderId'),
    example: 1042,
  }),
};

const DEFAULT_PAGE_ORDERS = 20;

export const listOrders = operation({
  id: 'listOrders',
  at: 'GET /store/orders',
  summary: 'List orders',
  description:
    'Returns orders, the newest first. The parameters filter them, and all must match. Follow `Link` with `rel="next"` until it is missing: it keeps the parameters. A page may have fewer orders than `limit`, or none, and not be the last page.',
  access: { scope: 'orders:read' },
  query: {
    status: choice(ORDER_STATUSES, {
      component: 'OrderStatusFilter',
      description: 'Only orders of this status.',
      schema: schemaAt('OrderStatus'),
    }).optional(),
    state: choice(ORDER_STATES, {
      component: 'OrderStateFilter',
      description:
        'Only orders that need attention: `expiring`, placed orders that expire within 15 minutes; `partly_delivered`, approved orders of which units are delivered.',
      schema: { type: 'string', enum: [...ORDER_STATES] },
    }).optional(),
    petId: PET_ID_FILTER,
    referenceId: new Parameter<string>(
      {
        component: 'ReferenceIdFilter',
        description: 'Only orders with exactly this `referenceId`.',
        schema: { type: 'string', pattern: '^[^\\x00]*$', maxLength: 200 },
        example: 'cart-815',
      },
      {
        rule: 'must be a text of 200 characters at most, without U+0000.',
        parse: (text) => (ReferenceIdSchema.safeParse(text).success ? text : undefined),
      },
    ).optional(),
    createdSince: moment('Only orders placed at this moment or later.').optional(),
    order: choice(MOVEMENT_ORDERS, {
      component: 'OrderOfOrders',
      description: 'Oldest first (`asc`), or newest first (`desc`, the default).',
      schema: schemaAt('MovementOrder'),
    }).orElse('desc'),
    limit: limit(
      {
        component: 'OrderLimit',
        description: `Orders per page; ${DEFAULT_PAGE_ORDERS} by default.`,
        schema: { type: 'integer', format: 'int32', minimum: 1, maximum: MAX_PAGE_ORDERS },
        example: DEFAULT_PAGE_ORDERS,
      },
      { byDefault: DEFAULT_PAGE_ORDERS, max: MAX_PAGE_ORDERS },
    ),
    // The last orderId of the page before.
    cursor: cursor<number>({ parse: (text) => parseWholeNumber(text) || undefined }),
  },
  output: page(ORDER, {
    response: 'OrderPage',
    description: 'Orders.',
    maxItems: MAX_PAGE_ORDERS,
    headers: [revalidated],
    notModified: 'OrdersNotModified',
  }),
  handle: async ({ store }, { query, context }) => {
    const { state, createdSince, order, limit, cursor, ...filters } = query;
    const { orders, next } = await store.orders.listOrders({
      filter: onlySet<OrderFilter>({
        ...filters,
        ...ordersInState(state, context.nowMs),
        createdSinceMs: createdSince,
        ...(order === 'asc' ? { after: cursor } : { before: cursor }),
      }),
      order,
      limit,
    });
    return { items: orders, next: next === undefined ? undefined : { cursor: next } };
  },
});

export const getOrder = operation({
  id: 'getOrder',
  at: 'GET /store/orders/{orderId}',
  summary: 'Get an order',
  description:
    'Returns one order with its lines. The `ETag` names its state. With `If-None-Match` an unchanged order returns 304. With `If-Match` a step succeeds only if the order is unchanged.',
  access: { scope: 'orders:read' },
  path: ONE,
  output: one(ORDER, {
    description: 'The order.',
    headers: [tagged(orderETag, ORDER_TAG)],
    notModified: 'OrderNotModified',
  }),
  missing: 'order',
  handle: ({ store }, { path }) => requireOrder(store.orders, path.orderId),
});

export const getOrderApproval = operation({
  id: 'getOrderApproval',
  at: 'GET /store/orders/{orderId}/approval',
  summary: 'Get the approval of an order',
  description:
    'Returns when an order was approved and by whom. Its other steps are movements of its pets. A prune deletes the record.',
  access: { role: 'viewer' },
  path: ONE,
  output: one(APPROVAL, { description: 'The approval.' }),
  missing: 'order',
  handle: async ({ management: { orders } }, { path }) => {
    await requireOrder(orders, path.orderId);
    return orders.findApproval(path.orderId);
  },
});

async function requireOrder(orders: Pick<OrderStore, 'findOrder'>, orderId: number): Promise<Order> {
  const order = await orders.findOrder(orderId);
  if (!order) throw noSuchOrder(orderId);
  return order;
}

/** An order after a write. */
interface WrittenOrder {
  readonly order: Order;
  readonly headers: Readonly<Record<string, string>>;
}

const WRITTEN_ORDER = { ...ORDER, json: ({ order }: WrittenOrder) => ORDER.json(order) };
const TAG: ResponseHeader<WrittenOrder> = {
  documented: ORDER_TAG,
  of: ({ order }) => ({ ETag: orderETag(order) }),
};

async function write(
  { writer }: OrderServices,
  { context, headers: { key } }: Pick<Call, 'context'> & { readonly headers: Key },
  command: OrderCommand,
): Promise<WrittenOrder> {
  const { result, headers } = written('order', await writer.write(context, command, key));
  const { code, order } = result;
  if (code !== 'done' || !order) throw await refusedOrder(writer, command, { result, headers });
  return { order, headers };
}

export const placeOrder = operation({
  id: 'placeOrder',
  at: 'POST /store/orders',
  summary: 'Place an order',
  description: [
    'Reserves the units of all lines, or of none. Reserved units stay in the stock, but are not available to other orders. The order expires at `expiresAt`, and releases its units, unless it is approved before.',
    'A request that is sent twice without an `Idempotency-Key` places two orders. `If-Match` and `If-None-Match` are refused, because a new order has no state yet.',
  ].join('\n\n'),
  access: { scope: 'orders:place' },
  headers: idempotent('names one order, and a new order has no state yet.'),
  body: PLACED,
  output: one(WRITTEN_ORDER, {
    status: 201,
    description: 'The order that was placed.',
    headers: [
      TAG,
      located(
        ({ order }) => `/store/orders/${order.orderId}`,
        header('Location', 'OrderLocation', {
          description: 'The address of the order.',
          required: true,
          schema: { type: 'string', format: 'uri' },
        }),
      ),
      replayed,
    ],
  }),
  errors: PLACEMENT,
  handle: (services, call) => write(services, call, placementOf(call.body)),
});

/** Declares a step of an order. */
function step({
  step,
  body,
  errors,
  ...declared
}: {
  readonly id: string;
  readonly step: OrderStep;
  readonly summary: string;
  readonly description: string;
  readonly access: Access;
  readonly body: Body<StepBody | undefined>;
  readonly errors: ErrorResponses;
}) {
  return operation({
    ...declared,
    at: `POST /store/orders/{orderId}/${step}`,
    path: ONE,
    headers: CONDITIONAL,
    body,
    output: one(WRITTEN_ORDER, {
      response: 'ChangedOrder',
      description: 'The order after the step.',
      headers: [TAG, replayed],
    }),
    errors,
    handle: (services, call) => {
      const { ifMatch, ifNoneMatch } = call.headers;
      return write(services, call, {
        kind: 'step',
        step,
        orderId: call.path.orderId,
        // The service itself expires what is due.
        isForced: step === 'expire' || undefined,
        ifMatch,
        ifNoneMatch,
        lines: call.body?.lines,
        explanation: call.body && explanationOf(call.body),
      });
    },
  });
}

export const approveOrder = step({
  id: 'approveOrder',
  step: 'approve',
  summary: 'Approve an order',
  description:
    'Accepts a placed order before it expires. From then on it never expires, and its units stay reserved until they are delivered or the order is cancelled. An approval moves no stock, so there is no movement that could record an explanation, and no body.',
  access: { scope: 'orders:approve' },
  body: EMPTY,
  errors: STEP,
});

export const deliverOrder = step({
  id: 'deliverOrder',
  step: 'deliver',
  summary: 'Deliver an order',
  description:
    'Takes units of an approved order from the stock, and their reservation with them: all that are left, or those of `lines`. When all units are delivered, so is the order. Without a body no `Content-Type` is needed.',
  access: { scope: 'orders:deliver' },
  body: PART,
  errors: PARTIAL_STEP,
});

export const cancelOrder = step({
  id: 'cancelOrder',
  step: 'cancel',
  summary: 'Cancel an order',
  description:
    'Releases the reserved units of a placed or approved order. Units that were delivered before stay delivered, and can still be returned. Without a body no `Content-Type` is needed.',
  access: { scope: 'orders:cancel' },
  body: WHOLE,
  errors: STEP,
});

export const returnOrder = step({
  id: 'returnOrder',
  step: 'return',
  summary: 'Return units of an order',
  description:
    'Puts delivered units back into the stock: all that are left, or those of `lines`. The status of the order stays. Without a body no `Content-Type` is needed.',
  access: { scope: 'orders:return' },
  body: PART,
  errors: PARTIAL_STEP,
});

export const expireOrder = step({
  id: 'expireOrder',
  step: 'expire',
  summary: 'Expire an order before its time',
  description:
    'Releases the reserved units of a placed order, also before `expiresAt`. The service itself expires orders whose time has passed. No body is needed.',
  access: { role: 'staff' },
  body: EMPTY,
  errors: STEP,
});
