import { MAX_PAGE_ORDERS } from '@petstore-inventory/shared/limits';
import { useLocation, useParams, useSearch } from 'wouter';
import { useOfferedCommands } from '../../components/commands.ts';
import { useHotkeys } from '../../components/hotkeys/hotkey-provider.tsx';
import { PageBody } from '../../components/page/page-body.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { IconPlus, IconShoppingBag } from '../../icons/icons.tsx';
import { useLiveStatus } from '../../live/use-live.ts';
import { RoleButton } from '../../session/role-button.tsx';
import { useMay } from '../../session/session-context.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { OrderFilterBar } from './list/order-filters.tsx';
import { OrdersExport } from './list/orders-export.tsx';
import { OrdersList } from './list/orders-list.tsx';
import { NewOrderDrawer } from './new-order.tsx';
import { OrderDrawer } from './order/order-drawer.tsx';
import styles from './orders.module.css';
import { addressOf, type FilterChanges, filtersOf } from './url-filters.ts';
import { useIsGone, useLiveOrders, useOrderCount, usePets } from './use-orders.ts';

const NEW = 'new';

/** All orders, with one of them, or a new one, in a drawer. */
export default function OrdersPage() {
  const { app, orders } = useTexts();
  const [, navigate] = useLocation();
  const filters = filtersOf(new URLSearchParams(useSearch()));
  const { orderId } = useParams<{ orderId?: string }>();
  const isStaff = useMay('staff');
  const { newOrders, showNew } = useLiveOrders();
  const isLive = useLiveStatus().state === 'live';
  const filteredPets = usePets(filters.petId === undefined ? [] : [filters.petId]);
  const isPetGone = useIsGone(filters.petId);
  const petName =
    filters.petId === undefined ? undefined : (filteredPets.get(filters.petId)?.name ?? undefined);

  const change = (changes: FilterChanges) => navigate(addressOf('/orders', { ...filters, ...changes }));
  const openNew = () => (isStaff ? navigate(addressOf(`/orders/${NEW}`, filters)) : undefined);
  useHotkeys(app.pages.orders, [{ keys: 'n', label: orders.keys.place, run: openNew }]);
  useOfferedCommands(isStaff ? [{ label: orders.newOrder, keys: 'n', run: openNew }] : []);
  const closeTo = addressOf('/orders', filters);

  return (
    <>
      <PageHeader
        title={app.pages.orders}
        facts={<OpenOrders />}
        actions={
          <>
            <OrdersExport filters={filters} />
            <RoleButton needs="staff" leftSection={<IconPlus size={16} aria-hidden />} onClick={openNew}>
              {orders.newOrder}
            </RoleButton>
          </>
        }
      />
      <PageBody>
        <div className={styles.page}>
          <OrderFilterBar filters={filters} petName={petName} onChange={change} />
          {isPetGone && filters.petId !== undefined && (
            <p role="status" className={styles.gone}>
              {app.views.missingPet(filters.petId)}
            </p>
          )}
          <OrdersList
            filters={filters}
            petName={petName}
            openId={orderId}
            newOrders={newOrders}
            onShowNew={showNew}
            isStale={!isLive}
            emptyIcon={IconShoppingBag}
            onClearFilters={() => navigate(addressOf('/orders', { hide: filters.hide }))}
          />
        </div>
      </PageBody>
      {orderId === NEW && <NewOrderDrawer closeTo={closeTo} />}
      {orderId !== undefined && orderId !== NEW && <OrderDrawer orderId={orderId} closeTo={closeTo} />}
    </>
  );
}

function OpenOrders() {
  const { orders } = useTexts();
  const { quantity } = useFormat();
  const placed = useOrderCount('placed');
  const approved = useOrderCount('approved');
  if (placed === undefined || approved === undefined) return null;
  const shown = (count: number) =>
    count >= MAX_PAGE_ORDERS ? `${quantity(MAX_PAGE_ORDERS - 1)}+` : quantity(count);
  return orders.facts(shown(placed), shown(approved));
}
