import type { OrderStore } from '../../domain/orders/order-store.ts';
import { orderETag, orderJson } from '../../wire/order-json.ts';
import { FORBIDDEN } from '../openapi/error-responses.ts';
import { CACHE_CONTROL } from '../openapi/headers.ts';
import { ORDER_ID, READ_HEADERS } from '../openapi/parameters.ts';
import { notModified, responses } from '../openapi/responses.ts';
import { isNoneMatchMet } from '../request/content-negotiation.ts';
import { JSON_TYPE } from '../request/error-response.ts';
import type { OperationDefinition } from '../request/operation.ts';
import { orderIdParameter } from '../request/path-parameters.ts';
import { requireNoQuery } from '../request/query-parameters.ts';
import { OrderSchema } from '../schemas/order.ts';
import { ORDER_NOT_FOUND, ORDER_TAG } from './order-document.ts';
import { noSuchOrder } from './order-refusals.ts';

const HEADERS = { ...ORDER_TAG, ...CACHE_CONTROL };

interface Services {
  readonly store: { readonly orders: Pick<OrderStore, 'findOrder'> };
}

export const getOrder: OperationDefinition<Services> = {
  route: {
    operationId: 'getOrder',
    method: 'get',
    path: '/store/orders/{orderId}',
    tags: ['Orders'],
    summary: 'Get an order',
    description:
      'Returns one order with its lines. The `ETag` names its state. With `If-None-Match` an unchanged order returns 304. With `If-Match` a step succeeds only if the order is unchanged.',
    'x-stability': 'beta',
    parameters: [ORDER_ID, ...READ_HEADERS],
    responses: responses({
      success: { schema: OrderSchema, description: 'The order.', headers: HEADERS },
      notModified: notModified('OrderNotModified', HEADERS),
      errors: { ...FORBIDDEN, ...ORDER_NOT_FOUND },
    }),
  },
  scope: 'orders:read',
  create:
    ({ store }) =>
    async (context, parameter) => {
      requireNoQuery(context);
      const orderId = orderIdParameter(parameter('orderId'));
      const order = await store.orders.findOrder(orderId);
      if (!order) throw noSuchOrder(orderId);
      const tag = orderETag(order);
      const headers: Record<string, string> = { ETag: tag, 'Cache-Control': 'private, no-cache' };
      const ifNoneMatch = context.header('if-none-match');
      if (ifNoneMatch !== null && isNoneMatchMet(ifNoneMatch, tag))
        return context.respond(304, null, headers);
      headers['Content-Type'] = JSON_TYPE;
      return context.respond(200, orderJson(order), headers);
    },
};
