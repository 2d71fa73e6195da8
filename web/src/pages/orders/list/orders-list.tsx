import { Button, Skeleton } from '@mantine/core';
import { HOUR_MS } from '@petstore-inventory/shared/durations';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, useEffect } from 'react';
import type { Order } from '../../../api/schemas.ts';
import { serviceNow } from '../../../api/service-clock.ts';
import { useNow } from '../../../components/relative-time.tsx';
import { EmptyState } from '../../../components/states/empty-state.tsx';
import { ErrorState } from '../../../components/states/error-state.tsx';
import type { IconProps } from '../../../icons/icons.tsx';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { shownState } from '../../../components/shown-state.ts';
import styles from '../orders.module.css';
import { readOrder, readOrders } from '../orders-api.ts';
import {
  ADDRESS_FILTERS,
  type AddressFilter,
  addressOf,
  hiddenOf,
  type OrderFilters,
  queryOf,
  type SINCE,
  type UrlFilters,
} from '../url-filters.ts';
import {
  ORDER_LIST,
  type OrderPages,
  ordersOf,
  POLL_MS,
  useOrderPets,
  useOrders,
  useShowOrder,
} from '../use-orders.ts';
import { OrdersTable } from './orders-table.tsx';

/** A list with fewer orders reads on by itself, up to so many pages: a page of few orders looked through 128. */
const MIN_SHOWN = 20;
const MAX_OWN_PAGES = 20;

interface Props {
  readonly filters: UrlFilters;
  readonly petName: string | undefined;
  readonly openId: string | undefined;
  /** Ids of new orders, which the list may have meanwhile, such as after an order of this person. */
  readonly newOrders: ReadonlySet<number>;
  readonly isStale: boolean;
  readonly emptyIcon: ComponentType<IconProps>;
  readonly onShowNew: () => void;
  readonly onClearFilters: () => void;
}

export function OrdersList(props: Props) {
  const { filters, newOrders, onShowNew, openId, isStale } = props;
  const { orders: texts } = useTexts();
  const format = useFormat();
  const nowMs = Math.floor(useNow() / HOUR_MS) * HOUR_MS;
  const query = queryOf(filters, nowMs);
  useOrderPoll(query);
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useOrders(query);
  const orders = ordersOf(data);
  const unseen = [...newOrders].filter((id) => !orders.some(({ orderId }) => orderId === id)).length;
  const isShort = orders.length < MIN_SHOWN && (data?.pages.length ?? 0) < MAX_OWN_PAGES;
  // A page of the service may have few orders, or none, and not be the last one.
  useEffect(() => {
    if (isShort && hasNextPage && !isFetchingNextPage && !error) void fetchNextPage();
  }, [isShort, hasNextPage, isFetchingNextPage, error, fetchNextPage]);
  const pets = useOrderPets(orders);
  if (!data) return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <ListSkeleton />;
  return (
    <div className={styles.list}>
      <div role="status">
        {unseen > 0 && (
          <div className={styles.news}>
            {texts.newOnes(format.count(unseen))}
            <Button variant="subtle" size="compact-sm" onClick={onShowNew}>
              {texts.showNew}
            </Button>
          </div>
        )}
      </div>
      {orders.length === 0 && !hasNextPage ? (
        <NoOrders {...props} />
      ) : (
        <OrdersTable
          orders={orders}
          pets={pets}
          hidden={hiddenOf(filters)}
          addressOfOrder={(orderId) => addressOf(`/orders/${orderId}`, filters)}
          openId={openId}
          isStale={isStale}
          onMore={hasNextPage ? () => void fetchNextPage() : undefined}
          isLoadingMore={isFetchingNextPage}
        />
      )}
    </div>
  );
}

/** Why nothing is shown: no orders at all, or filters that exclude them. */
function NoOrders({ filters, petName, emptyIcon, onClearFilters }: Props) {
  const { app, orders, shared } = useTexts();
  const texts: Readonly<Record<AddressFilter, (value: string) => string>> = {
    status: (value) =>
      app.filters.chip(shared.fields.status, shared.order[value as keyof typeof shared.order]),
    state: (value) =>
      app.filters.chip(shared.fields.status, shared.order[value as keyof typeof shared.order]),
    petId: (value) => app.filters.chip(orders.petFilter, petName ?? value),
    ref: (value) => app.filters.chip(orders.referenceFilter, value),
    since: (value) => orders.since[value as keyof typeof SINCE],
  };
  const named = ADDRESS_FILTERS.flatMap((name) => {
    const value = filters[name];
    return value === undefined ? [] : [texts[name](value)];
  });
  if (named.length === 0) {
    return (
      <EmptyState icon={emptyIcon} title={orders.empty}>
        {orders.emptyHint}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={emptyIcon}
      title={orders.noMatch}
      actions={
        <Button variant="default" onClick={onClearFilters}>
          {app.filters.clear}
        </Button>
      }
    >
      {orders.noMatchHint(named.join(', '))}
      {filters.ref !== undefined && ` ${orders.wholeReference}`}
    </EmptyState>
  );
}

/** Rows without content, while the first page loads. */
function ListSkeleton({ rows = 10 }: { rows?: number }) {
  const { loading } = useTexts().app.states;
  return (
    <div aria-busy="true" className={styles.skeleton}>
      <span className="visually-hidden" role="status">
        {loading}
      </span>
      {Array.from({ length: rows }, (_, row) => `row-${row}`).map((key) => (
        <Skeleton key={key} height={20} />
      ))}
    </div>
  );
}

const MAX_READ = 10;

/** Keeps the newest orders of a list current while the page is visible. Rows change in place, and none appears. */
function useOrderPoll(filters: OrderFilters): void {
  const queries = useQueryClient();
  const show = useShowOrder();
  useQuery({
    queryKey: ['order-poll', filters],
    queryFn: async ({ signal }) => {
      const { items, next } = await readOrders(filters, undefined, signal);
      const oldest = next === undefined ? 0 : (items.at(-1)?.orderId ?? Number.POSITIVE_INFINITY);
      const versions = new Map(items.map(({ orderId, version }) => [orderId, version]));
      const hasChanged = (order: Order) =>
        order.orderId >= oldest &&
        // An order that left the filter was read already.
        (filters.status === undefined || order.status === filters.status) &&
        (filters.state === undefined || shownState(order, serviceNow()) === filters.state) &&
        versions.get(order.orderId) !== order.version;
      const shown = ordersOf(queries.getQueryData<OrderPages>([ORDER_LIST, filters]));
      for (const { orderId } of shown.filter(hasChanged).slice(0, MAX_READ)) {
        show(await readOrder(String(orderId), signal));
      }
      return null;
    },
    refetchInterval: POLL_MS,
  });
}
