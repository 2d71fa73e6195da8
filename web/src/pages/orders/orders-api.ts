import { MAX_NAMED_PETS, MAX_PAGE_ORDERS } from '@petstore-inventory/shared/limits';
import { api, send } from '../../api/client.ts';
import { type Page, readPage } from '../../api/pages.ts';
import type {
  ManagedPet,
  Movement,
  Order,
  OrderApproval,
  OrderPart,
  OrderPlacement,
} from '../../api/schemas.ts';
import type { OrderFilters } from './url-filters.ts';

export type Step = 'approve' | 'deliver' | 'cancel' | 'return';

/** An order as the person saw it. */
export interface SeenOrder {
  readonly order: Order;
  /** Sent with the next step, so that it changes nothing that the person has not seen. */
  readonly etag: string | undefined;
}

const ORDERS = '/store/orders';
const PAGE_ORDERS = 50;
const HISTORY_LINES = 10;
const HISTORY_MOVEMENTS = 200;

export const readOrders = (
  filters: OrderFilters,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Page<Order>> => readPage<Order>(ORDERS, { ...filters, cursor, limit: PAGE_ORDERS }, signal);

/** Counts the orders of a status; a full page means at least as many. */
export async function countOrders(status: string, signal: AbortSignal): Promise<number> {
  const { items } = await readPage<Order>(ORDERS, { status, limit: MAX_PAGE_ORDERS }, signal);
  return items.length;
}

export async function readOrder(orderId: string, signal?: AbortSignal): Promise<SeenOrder> {
  const { value, headers } = await send<Order>('GET', `${ORDERS}/${encodeURIComponent(orderId)}`, { signal });
  return { order: value, etag: headers.get('ETag') ?? undefined };
}

export const placeOrder = (body: OrderPlacement, idempotencyKey: string) =>
  api<Order>('POST', ORDERS, { body, idempotencyKey });

export async function takeStep(
  { order, etag }: SeenOrder,
  step: Step,
  body: OrderPart,
  idempotencyKey: string,
): Promise<SeenOrder> {
  const { value, headers } = await send<Order>('POST', `${ORDERS}/${order.orderId}/${step}`, {
    body,
    idempotencyKey,
    ifMatch: etag,
  });
  return { order: value, etag: headers.get('ETag') ?? undefined };
}

/** The named pets that exist. */
export async function readPets(
  petIds: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, ManagedPet>> {
  const parts: string[][] = [];
  for (let i = 0; i < petIds.length; i += MAX_NAMED_PETS) parts.push(petIds.slice(i, i + MAX_NAMED_PETS));
  const pages = await Promise.all(
    parts.map((part) =>
      api<readonly ManagedPet[]>('GET', '/pets', { query: { petId: part.join(',') }, signal }),
    ),
  );
  return new Map(pages.flat().map((pet) => [pet.petId, pet]));
}

interface OrderHistory {
  readonly movements: readonly Movement[];
  /** An approval moves no stock, so it is no movement. */
  readonly approval: OrderApproval;
  /** Other movements of the same time hide some, or the order has more lines than are read. */
  readonly isPart: boolean;
}

/** The approval of an order, and its movements, the newest first, from those of its pets between its first and its last step. */
export async function readHistory(order: Order, signal: AbortSignal): Promise<OrderHistory> {
  const lines = order.lines.slice(0, HISTORY_LINES);
  const until = new Date(new Date(order.updatedAt).getTime() + 1).toISOString();
  const [approval, ...pages] = await Promise.all([
    api<OrderApproval>('GET', `${ORDERS}/${order.orderId}/approval`, { signal }),
    ...lines.map(({ petId }) =>
      readPage<Movement>(
        `/inventory/${petId}/movements`,
        { since: order.createdAt, until, limit: HISTORY_MOVEMENTS },
        signal,
      ),
    ),
  ]);
  const movements = pages.flatMap(({ items }) => items).filter(({ orderId }) => orderId === order.orderId);
  return {
    approval,
    movements: movements.toSorted((a, b) => b.sequence - a.sequence),
    isPart: lines.length < order.lines.length || pages.some(({ next }) => next !== undefined),
  };
}
