import type { ManagedPet, Order } from '../../../api/schemas.ts';
import { OrderBadge } from '../../../components/badge.tsx';
import { useIsPhone } from '../../../components/density.ts';
import { Quantity } from '../../../components/quantity.tsx';
import { RecordsTable } from '../../../components/records/records-table.tsx';
import type { Column } from '../../../components/records/table.tsx';
import { RelativeTime, useNow } from '../../../components/relative-time.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { shownState } from '../../../components/shown-state.ts';
import { totalOf } from '../order-units.ts';
import styles from '../orders.module.css';
import type { OrderColumn } from '../url-filters.ts';

interface Props {
  readonly orders: readonly Order[];
  readonly pets: ReadonlyMap<string, ManagedPet>;
  readonly hidden: readonly OrderColumn[];
  readonly addressOfOrder: (orderId: number) => string;
  readonly openId: string | undefined;
  readonly isStale: boolean;
  readonly onMore: (() => void) | undefined;
  readonly isLoadingMore: boolean;
}

const NAMED_LINES = 2;

export function OrdersTable({ orders, pets, hidden, addressOfOrder, openId, isStale, ...more }: Props) {
  const isPhone = useIsPhone();
  const { orders: texts, shared } = useTexts();
  const { columns } = texts;
  const nameOf = ({ petId }: { petId: string }) => pets.get(petId)?.name ?? shared.unnamed(petId);
  const all: readonly (Column<Order> & { readonly key?: OrderColumn })[] = [
    { name: columns.order, className: styles.order, cell: ({ orderId }) => orderId },
    { key: 'status', name: columns.status, cell: (order) => <OrderState order={order} /> },
    {
      key: 'items',
      name: columns.items,
      className: styles.items,
      cell: ({ lines }) => (
        <span className={styles.itemsText} title={lines.map(nameOf).join(', ')}>
          <span className={styles.names}>{lines.slice(0, NAMED_LINES).map(nameOf).join(', ')}</span>
          {lines.length > NAMED_LINES && (
            <span className={styles.dim}>{texts.more(String(lines.length - NAMED_LINES))}</span>
          )}
        </span>
      ),
    },
    {
      key: 'units',
      name: columns.units,
      className: styles.units,
      cell: ({ lines }) => <Quantity value={totalOf(lines, ({ quantity }) => quantity)} />,
    },
    {
      key: 'reference',
      name: columns.reference,
      className: styles.reference,
      cell: ({ referenceId }) =>
        referenceId !== null && (
          <span className={styles.cut} title={referenceId}>
            {referenceId}
          </span>
        ),
    },
    {
      key: 'placed',
      name: columns.placed,
      className: styles.placed,
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
    {
      key: 'expires',
      name: columns.expires,
      className: styles.expires,
      cell: (order) => <Expiry order={order} />,
    },
  ];
  // A phone has no menu of columns: it shows each in its own place.
  const table = isPhone ? all : all.filter(({ key }) => key === undefined || !hidden.includes(key));
  return (
    <RecordsTable
      {...more}
      label={texts.table}
      moreLabel={texts.loadMore}
      columns={table}
      records={orders}
      keyOf={({ orderId }) => orderId}
      hrefOf={({ orderId }) => addressOfOrder(orderId)}
      stateOf={({ orderId }) => ({
        'data-open': openId === String(orderId) || undefined,
        'data-stale': isStale || undefined,
      })}
      className={styles.table}
    />
  );
}

function OrderState({ order }: { order: Order }) {
  return <OrderBadge state={shownState(order, useNow())} />;
}

/** When a placed order expires; nothing for others, which do not. */
function Expiry({ order }: { order: Order }) {
  const now = useNow();
  const { status, expiresAt } = order;
  if (status !== 'placed' || expiresAt === null) return null;
  const isSoon = shownState(order, now) === 'expiring';
  return (
    <span className={styles.expiry} data-soon={isSoon || undefined}>
      <RelativeTime at={expiresAt} />
    </span>
  );
}
