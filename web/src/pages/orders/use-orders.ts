import {
  type InfiniteData,
  type QueryClient,
  keepPreviousData,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Page } from '../../api/pages.ts';
import type { ManagedPet, Movement, Order } from '../../api/schemas.ts';
import { readAgain } from '../../live/read-again.ts';
import { onceLive, useLiveMovements } from '../../live/use-live.ts';
import { countOrders, readOrder, readOrders, readPets, type SeenOrder } from './orders-api.ts';
import type { OrderFilters } from './url-filters.ts';

export type OrderPages = InfiniteData<Page<Order>, string | undefined>;

/** The lists of orders in the cache; their filters follow it in a key. */
export const ORDER_LIST = 'orders';
const COUNTS = 'order-counts';
const ONE = 'order';
const PETS = 'order-pets';
const HISTORY = 'order-history';
/** Between two looks at what no event reports. */
const REFRESH_MS = 30_000;
/** Approvals by others move no stock, so the live stream has none of them. */
export const POLL_MS = 4_000;
/** Changes of others are collected for so long. */
const COLLECT_MS = 400;
const MAX_READ_ONE_BY_ONE = 10;

export function useOrders(filters: OrderFilters) {
  return useInfiniteQuery({
    queryKey: [ORDER_LIST, filters],
    queryFn: ({ pageParam, signal }) => onceLive(() => readOrders(filters, pageParam, signal)),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
}

export function useOrderCount(status: 'placed' | 'approved'): number | undefined {
  return useQuery({
    queryKey: [COUNTS, status],
    queryFn: ({ signal }) => countOrders(status, signal),
    refetchInterval: REFRESH_MS,
  }).data;
}

export const useOrder = (orderId: string) =>
  useQuery({
    queryKey: [ONE, orderId],
    queryFn: ({ signal }) => readOrder(orderId, signal),
    refetchInterval: POLL_MS,
  });

const NO_PETS: ReadonlyMap<string, ManagedPet> = new Map();

/** The pets of these orders, with their stock. */
export const useOrderPets = (orders: readonly Order[]): ReadonlyMap<string, ManagedPet> =>
  usePets(orders.flatMap(({ lines }) => lines.map(({ petId }) => petId)));

/** The pets of these ids with their stock, kept current. */
export function usePets(all: readonly string[]): ReadonlyMap<string, ManagedPet> {
  const petIds = [...new Set(all)].sort();
  const { data = NO_PETS } = useQuery({
    queryKey: [PETS, petIds],
    queryFn: ({ signal }) => readPets(petIds, signal),
    enabled: petIds.length > 0,
    placeholderData: keepPreviousData,
  });
  return data;
}

/** Whether the service has no pet of this id, such as one that was deleted. */
export function useIsGone(petId: string | undefined): boolean {
  const petIds = petId === undefined ? [] : [petId];
  const { data, isPlaceholderData } = useQuery({
    queryKey: [PETS, petIds],
    queryFn: ({ signal }) => readPets(petIds, signal),
    enabled: petIds.length > 0,
  });
  return petId !== undefined && data !== undefined && !isPlaceholderData && !data.has(petId);
}

/** Puts an order that was read or changed everywhere it is shown. */
export function useShowOrder() {
  const queries = useQueryClient();
  return (seen: SeenOrder) => {
    const { order } = seen;
    queries.setQueryData([ONE, String(order.orderId)], seen);
    queries.setQueriesData<OrderPages>({ queryKey: [ORDER_LIST] }, (data) => data && withOrder(data, order));
    // The order may belong to other lists now, which are read again when they are shown.
    void queries.invalidateQueries({ queryKey: [ORDER_LIST], type: 'inactive', refetchType: 'none' });
    for (const key of [[COUNTS], [PETS], [HISTORY, order.orderId]]) void readAgain(queries, key);
  };
}

function withOrder(data: OrderPages, order: Order): OrderPages {
  const isHere = data.pages.some(({ items }) => items.some(({ orderId }) => orderId === order.orderId));
  if (!isHere) return data;
  const replaced = (item: Order) => (item.orderId === order.orderId ? order : item);
  return { ...data, pages: data.pages.map((page) => ({ ...page, items: page.items.map(replaced) })) };
}

/** Keeps what is shown current. @returns Orders that were newer than the list, and what shows them. */
export function useLiveOrders(): { readonly newOrders: ReadonlySet<number>; readonly showNew: () => void } {
  const queries = useQueryClient();
  const show = useShowOrder();
  const [newIds, setNewIds] = useState<ReadonlySet<number>>(new Set());
  const collected = useRef(new Set<number>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      // The page may come back, after another sign-in.
      timer.current = undefined;
    },
    [],
  );

  const reload = () => {
    setNewIds(new Set());
    for (const key of [ORDER_LIST, COUNTS, ONE, PETS, HISTORY]) void readAgain(queries, [key]);
  };

  const readCollected = () => {
    timer.current = undefined;
    const shown = shownIds(queries.getQueriesData<OrderPages>({ queryKey: [ORDER_LIST] }));
    const changed = [...collected.current];
    collected.current.clear();
    const unknown = changed.filter((orderId) => !shown.has(orderId));
    const newest = Math.max(0, ...shown);
    setNewIds((ids) => new Set([...ids, ...unknown.filter((orderId) => orderId > newest)]));
    const open = changed.filter(
      (id) => shown.has(id) || queries.getQueryData([ONE, String(id)]) !== undefined,
    );
    if (open.length > MAX_READ_ONE_BY_ONE) return reload();
    void readAgain(queries, [COUNTS]);
    for (const orderId of open) void readOrder(String(orderId)).then(show, () => {});
  };

  useLiveMovements({
    onMovements: (movements) => {
      queries.setQueriesData<ReadonlyMap<string, ManagedPet>>({ queryKey: [PETS] }, (pets) =>
        pets ? withMovements(pets, movements) : pets,
      );
      readUnreadPets(queries, movements);
      for (const { orderId } of movements) if (orderId !== null) collected.current.add(orderId);
      if (collected.current.size > 0) timer.current ??= setTimeout(readCollected, COLLECT_MS);
    },
    onGap: reload,
  });
  return { newOrders: newIds, showNew: reload };
}

/** Pets whose first reading is under way are read again where they changed meanwhile: there is nothing to change yet. */
function readUnreadPets(queries: QueryClient, movements: readonly Movement[]): void {
  const reading = queries.getQueryCache().findAll({ queryKey: [PETS], fetchStatus: 'fetching' });
  for (const { queryKey, state } of reading) {
    const [, petIds] = queryKey as readonly [string, readonly string[]];
    if (state.data === undefined && movements.some(({ petId }) => petIds.includes(petId)))
      void readAgain(queries, queryKey);
  }
}

export function ordersOf(data: Pick<OrderPages, 'pages'> | undefined): readonly Order[] {
  return data?.pages.flatMap(({ items }) => items) ?? [];
}

function shownIds(lists: readonly (readonly [unknown, OrderPages | undefined])[]): ReadonlySet<number> {
  const items = lists.flatMap(([, data]) => ordersOf(data));
  return new Set(items.map(({ orderId }) => orderId));
}

function withMovements(
  pets: ReadonlyMap<string, ManagedPet>,
  movements: readonly Movement[],
): ReadonlyMap<string, ManagedPet> {
  const next = new Map(pets);
  for (const { petId, version, quantityAfter, reservedAfter, statusAfter } of movements) {
    const pet = next.get(petId);
    if (!pet || pet.version >= version) continue;
    const available = quantityAfter - reservedAfter;
    next.set(petId, {
      ...pet,
      version,
      quantity: quantityAfter,
      reserved: reservedAfter,
      available,
      status: statusAfter,
    });
  }
  return next;
}
