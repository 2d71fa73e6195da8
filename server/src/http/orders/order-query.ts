import { MAX_PAGE_ORDERS } from '@petstore-inventory/shared/limits';
import { ORDER_STATUSES } from '@petstore-inventory/shared/words';
import { MOVEMENT_ORDERS } from '../../domain/ledger-store.ts';
import type { OrderFilter, OrderQuery } from '../../domain/orders/order-store.ts';
import { schemaAt } from '../openapi/components.ts';
import { CURSOR, momentParameter, PET_ID_FILTER, queryParameter } from '../openapi/parameters.ts';
import { decodeCursor } from '../request/cursor.ts';
import { petIdParameter } from '../request/path-parameters.ts';
import {
  invalidParameter,
  onlySet,
  readChoice,
  readLimit,
  readQuery,
  readTimestamp,
} from '../request/query-parameters.ts';
import { ReferenceIdSchema } from '../schemas/explanation.ts';

const DEFAULT_PAGE_ORDERS = 20;

/** The query parameters of the list of orders. */
export const ORDER_PARAMETERS = {
  status: queryParameter('status', {
    component: 'OrderStatusFilter',
    description: 'Only orders of this status.',
    schema: schemaAt('OrderStatus'),
  }),
  petId: PET_ID_FILTER,
  referenceId: queryParameter('referenceId', {
    component: 'ReferenceIdFilter',
    description: 'Only orders with exactly this `referenceId`.',
    schema: { type: 'string', pattern: '^[^\\x00]*$', maxLength: 200 },
    example: 'cart-815',
  }),
  createdSince: momentParameter('createdSince', 'Only orders placed at this moment or later.'),
  order: queryParameter('order', {
    component: 'OrderOfOrders',
    description: 'Oldest first (`asc`), or newest first (`desc`, the default).',
    schema: schemaAt('MovementOrder'),
  }),
  limit: queryParameter('limit', {
    component: 'OrderLimit',
    description: `Orders per page; ${DEFAULT_PAGE_ORDERS} by default.`,
    schema: { type: 'integer', format: 'int32', minimum: 1, maximum: MAX_PAGE_ORDERS },
    example: DEFAULT_PAGE_ORDERS,
  }),
  cursor: CURSOR,
};

const NAMES = Object.keys(ORDER_PARAMETERS);

/** A query of orders, with its parameters as sent. */
export interface OrdersQuery extends OrderQuery {
  readonly parameters: URLSearchParams;
}

export function readOrderQuery(query: string): OrdersQuery {
  const parameters = readQuery(query, NAMES);
  const order = readChoice(parameters, 'order', MOVEMENT_ORDERS) ?? 'desc';
  const petId = parameters.get('petId');
  const createdSinceMs = readTimestamp(parameters, 'createdSince');
  const cursor = readCursor(parameters);
  return {
    parameters,
    filter: onlySet<OrderFilter>({
      status: readChoice(parameters, 'status', ORDER_STATUSES),
      petId: petId === null ? undefined : petIdParameter(petId),
      referenceId: readReferenceId(parameters),
      createdSinceMs: createdSinceMs === undefined ? undefined : Math.ceil(createdSinceMs),
      ...(order === 'asc' ? { after: cursor } : { before: cursor }),
    }),
    order,
    limit: readLimit(parameters, { byDefault: DEFAULT_PAGE_ORDERS, max: MAX_PAGE_ORDERS }),
  };
}

/** The last orderId of the page before. */
function readCursor(parameters: URLSearchParams): number | undefined {
  const text = parameters.get('cursor');
  if (text === null) return undefined;
  const orderId = Number(decodeCursor(text));
  if (orderId >= 1 && Number.isSafeInteger(orderId)) return orderId;
  throw invalidParameter('cursor must come from the Link header of the page before.');
}

function readReferenceId(parameters: URLSearchParams): string | undefined {
  const text = parameters.get('referenceId');
  if (text === null || ReferenceIdSchema.safeParse(text).success) return text ?? undefined;
  throw invalidParameter('referenceId must be a text of 200 characters at most, without U+0000.');
}
