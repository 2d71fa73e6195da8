import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { MAX_PAGE_ORDERS, MAX_REFERENCE_ID } from '@petstore-inventory/shared/limits';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { isApiError } from '../../api/api-error.ts';
import { api } from '../../api/client.ts';
import { readPage } from '../../api/pages.ts';
import type { ManagedPet, Order } from '../../api/schemas.ts';
import { serviceNow } from '../../api/service-clock.ts';
import { useCommands } from '../../components/commands.ts';
import { shownState } from '../../components/shown-state.ts';
import { bestFirst, findPets } from '../../components/pets/find-pets.ts';
import { KeyCaps } from '../../components/hotkeys/key-caps.tsx';
import { IconSearch, IconShoppingBag } from '../../icons/icons.tsx';
import { isCodeOf } from '../../stock/codes.ts';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { ENTRIES } from '../pages.ts';
import styles from './palette.module.css';
import { withPart } from './palette-order.ts';

const [store, spotlight] = createSpotlight();
export const openPalette = (): void => spotlight.open();
const SHOWN_PETS = 6;
const SHOWN_ORDERS = 3;
/** The service finds an order by its whole reference. Parts match among the newest orders, which are read again after this time. */
const RECENT_MS = 30_000;
const MIN_PART = 3;
/** As many characters as a reference has. */
const ORDER_ID = /^[1-9]\d{0,15}$/;

/** Ctrl-K: pages, commands and pets by a few letters, orders by number or reference. Every command shows its key. */
export function Palette({ onShowKeys }: { onShowKeys: () => void }) {
  const { app } = useTexts();
  const format = useFormat();
  const [query, setQuery] = useState('');
  const commands = useCommands();
  const [, navigate] = useLocation();
  const words = query.trim().toLowerCase();
  const matches = (label: string) => words.split(/\s+/).every((word) => label.toLowerCase().includes(word));
  const found = [
    ...commands.filter(({ label }) => matches(label)),
    ...[{ label: app.account.keys, keys: '?', run: onShowKeys }].filter(({ label }) => matches(label)),
  ];
  const { pets, isFetching } = useFoundPets(query.trim());
  const orders = useFoundOrders(query.trim());
  useFirstSelected([...pets.map(({ petId }) => petId), ...orders.map(({ orderId }) => `order ${orderId}`)]);
  const pages = ENTRIES.filter(({ name }) => matches(app.pages[name]));
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      scrollable
      maxHeight={440}
      overlayProps={{ backgroundOpacity: 0.3, blur: 0 }}
      centered={false}
      yOffset="12vh"
      radius={10}
      // The palette opens immediately, so that no key is lost.
      transitionProps={{ duration: 0 }}
      attributes={{ content: { 'aria-label': app.search.label } }}
    >
      <Spotlight.Search
        placeholder={app.search.placeholder}
        aria-label={app.search.label}
        autoFocus
        leftSection={<IconSearch size={18} stroke={1.75} />}
      />
      <Spotlight.ActionsList>
        <FoundPets pets={pets} />
        <FoundOrders orders={orders} />
        {found.length > 0 && (
          <Spotlight.ActionsGroup label={app.search.commands}>
            {found.map(({ label, keys, run }) => (
              <Spotlight.Action
                key={label}
                className={styles.action}
                label={label}
                onClick={run}
                rightSection={keys !== undefined && <KeyCaps keys={keys} />}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {pages.length > 0 && (
          <Spotlight.ActionsGroup label={app.search.pages}>
            {pages.map(({ name, entry: { href, icon: Icon, keys } }) => (
              <Spotlight.Action
                key={name}
                className={styles.action}
                label={app.pages[name]}
                leftSection={<Icon size={18} stroke={1.75} />}
                rightSection={<KeyCaps keys={keys} />}
                onClick={() => navigate(href)}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {!isFetching && pets.length + orders.length + found.length + pages.length === 0 && (
          <Spotlight.Empty>
            {app.search.empty}
            <span className={styles.limit}>{app.search.limit(format.quantity(MAX_PAGE_ORDERS))}</span>
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

/** Pets for these words; until they are there, those of the ones before that fit. */
function useFoundPets(words: string): { readonly pets: readonly ManagedPet[]; readonly isFetching: boolean } {
  const {
    data = [],
    isFetching,
    isPlaceholderData,
  } = useQuery({
    queryKey: ['palette', words],
    queryFn: ({ signal }) => findPets(words, signal),
    placeholderData: (before) => before,
    enabled: words !== '',
  });
  if (words === '') return { pets: [], isFetching };
  // Enter must never open a pet of another search.
  const pets = isPlaceholderData ? data.filter((pet) => hasWords(pet, words)) : data;
  return { pets: bestFirst(pets, words).slice(0, SHOWN_PETS), isFetching };
}

/** The order with this number, those with this reference, and new ones with these words in theirs. */
function useFoundOrders(words: string): readonly Order[] {
  const isReference = words.length <= MAX_REFERENCE_ID;
  const { data: recent = [] } = useQuery({
    queryKey: ['palette-recent-orders'],
    queryFn: async ({ signal }) =>
      (await readPage<Order>('/store/orders', { limit: MAX_PAGE_ORDERS }, signal)).items,
    staleTime: RECENT_MS,
    enabled: words.length >= MIN_PART && isReference,
  });
  const { data = [] } = useQuery({
    queryKey: ['palette-orders', words],
    queryFn: async ({ signal }) => {
      const [one, { items }] = await Promise.all([
        ORDER_ID.test(words)
          ? api<Order>('GET', `/store/orders/${words}`, { signal }).catch(noOrder)
          : undefined,
        readPage<Order>('/store/orders', { referenceId: words, limit: SHOWN_ORDERS }, signal),
      ]);
      const others = items.filter(({ orderId }) => orderId !== one?.orderId);
      return one ? [one, ...others] : others;
    },
    enabled: words !== '' && isReference,
  });
  if (words === '') return [];
  const parts = words.length < MIN_PART ? [] : withPart(recent, words);
  const others = parts.filter(({ orderId }) => data.every((order) => order.orderId !== orderId));
  return [...data, ...others].slice(0, SHOWN_ORDERS);
}

function noOrder(error: unknown): undefined {
  if (!isApiError(error, 'not_found')) throw error;
}

/** Selects the first line again when results arrive, unless the person chose another one. */
function useFirstSelected(results: readonly string[]): void {
  const found = results.join();
  useEffect(() => {
    const { opened, selected, listId } = store.getState();
    if (found === '' || !opened || selected > 0) return;
    // Mantine marks the selected line itself, but only when the person types.
    const list = document.getElementById(listId);
    list?.querySelector('[data-selected]')?.removeAttribute('data-selected');
    list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
    store.setState({ ...store.getState(), selected: 0 });
  }, [found]);
}

function hasWords(pet: ManagedPet, typed: string): boolean {
  if (isCodeOf(pet, typed)) return true;
  const words = typed.toLowerCase();
  const { petId, name, category } = pet;
  const text = `${petId} ${name ?? ''} ${category ?? ''}`.toLowerCase();
  return words.split(/\s+/).every((word) => text.includes(word));
}

function FoundPets({ pets }: { pets: readonly ManagedPet[] }) {
  const { app, shared } = useTexts();
  const format = useFormat();
  const [, navigate] = useLocation();
  if (pets.length === 0) return null;
  return (
    <Spotlight.ActionsGroup label={app.search.pets}>
      {pets.map(({ petId, name, category, sku, quantity }) => (
        <Spotlight.Action
          key={petId}
          label={name ?? shared.unnamed(petId)}
          className={styles.action}
          classNames={{ actionDescription: styles.detail }}
          description={[category, sku, petId].filter((part) => part !== null).join(' · ')}
          rightSection={<span className={`${styles.detail} number`}>{format.quantity(quantity)}</span>}
          onClick={() => navigate(`/pets/${petId}`)}
        />
      ))}
    </Spotlight.ActionsGroup>
  );
}

function FoundOrders({ orders }: { orders: readonly Order[] }) {
  const { app, movements, shared } = useTexts();
  const [, navigate] = useLocation();
  if (orders.length === 0) return null;
  return (
    <Spotlight.ActionsGroup label={app.pages.orders}>
      {orders.map((order) => (
        <Spotlight.Action
          key={order.orderId}
          className={styles.action}
          classNames={{ actionDescription: styles.detail }}
          label={movements.order(String(order.orderId))}
          description={order.referenceId === null ? undefined : movements.reference(order.referenceId)}
          leftSection={<IconShoppingBag size={18} stroke={1.75} />}
          rightSection={
            <span className={styles.detail}>{shared.order[shownState(order, serviceNow())]}</span>
          }
          onClick={() => navigate(`/orders/${order.orderId}`)}
        />
      ))}
    </Spotlight.ActionsGroup>
  );
}
