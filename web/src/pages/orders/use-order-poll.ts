import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Order } from '../../api/schemas.ts';
import { type OrderFilters, readOrder, readOrders } from './orders-api.ts';
import { type OrderPages, ordersOf, POLL_MS, useShowOrder } from './use-orders.ts';

const MAX_READ = 10;

/** Keeps the newest orders of a list current while the page is visible. Rows change in place, and none appears. */
export function useOrderPoll(filters: OrderFilters): void {
  const queries = useQueryClient();
  const show = useShowOrder();
  useQuery({
    queryKey: ['order-poll', filters],
    queryFn: async ({ signal }) => {
      const { items, next } = await readOrders(filters, undefined, signal);
      const oldest = next === undefined ? 0 : (items.at(-1)?.orderId ?? Number.POSITIVE_INFINITY);
      const versions = new Map(items.map(({ orderId, version }) => [orderId, version]));
      const hasChanged = ({ orderId, version, status }: Order) =>
        orderId >= oldest &&
        // One that left the filter was read already.
        (filters.status === undefined || status === filters.status) &&
        versions.get(orderId) !== version;
      const shown = ordersOf(queries.getQueryData<OrderPages>(['orders', filters]));
      for (const { orderId } of shown.filter(hasChanged).slice(0, MAX_READ)) {
        show(await readOrder(String(orderId), signal));
      }
      return null;
    },
    refetchInterval: POLL_MS,
  });
}
