import { MAX_PAGE_ORDERS } from '@petstore-inventory/shared/limits';
import type { OrderStore } from '../../domain/orders/order-store.ts';
import { orderJson } from '../../wire/order-json.ts';
import { schemaAt } from '../openapi/components.ts';
import { FORBIDDEN } from '../openapi/error-responses.ts';
import { CACHE_CONTROL, NEXT_PAGE } from '../openapi/headers.ts';
import { notModified, responses, success } from '../openapi/responses.ts';
import { encodeCursor } from '../request/cursor.ts';
import { JSON_TYPE } from '../request/error-response.ts';
import type { OperationDefinition } from '../request/operation.ts';
import { ORDER_PARAMETERS, readOrderQuery } from './order-query.ts';

const HEADERS = { ...NEXT_PAGE, ...CACHE_CONTROL };

interface Services {
  readonly store: { readonly orders: Pick<OrderStore, 'listOrders'> };
  readonly baseUrl: string;
}

export const listOrders: OperationDefinition<Services> = {
  route: {
    operationId: 'listOrders',
    method: 'get',
    path: '/store/orders',
    tags: ['Orders'],
    summary: 'List orders',
    description:
      'Returns orders, the newest first. The parameters filter them, and all must match. Follow `Link` with `rel="next"` until it is missing: it keeps the parameters. A page may have fewer orders than `limit`, or none, and not be the last page.',
    'x-stability': 'beta',
    parameters: Object.values(ORDER_PARAMETERS),
    responses: responses({
      success: success(
        'OrderPage',
        'Orders.',
        { type: 'array', items: schemaAt('Order'), maxItems: MAX_PAGE_ORDERS },
        HEADERS,
      ),
      notModified: notModified('OrdersNotModified', HEADERS),
      errors: FORBIDDEN,
    }),
  },
  scope: 'orders:read',
  create:
    ({ store, baseUrl }) =>
    async (context) => {
      const { parameters, ...query } = readOrderQuery(context.query);
      const { orders, next } = await store.orders.listOrders(query);
      const headers: Record<string, string> = {
        'Content-Type': JSON_TYPE,
        'Cache-Control': 'private, no-cache',
      };
      if (next !== undefined) {
        parameters.set('cursor', encodeCursor(next));
        headers.Link = `<${baseUrl}/store/orders?${parameters}>; rel="next"`;
      }
      return context.respond(200, `[${orders.map(orderJson).join(',')}]`, headers);
    },
};
