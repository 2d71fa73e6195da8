import { memo } from 'react';
import { Link } from 'wouter';
import type { ManagedPet, Order } from '../../../api/schemas.ts';
import { OrderBadge } from '../../../components/badge.tsx';
import { useHotkeys } from '../../../components/hotkeys/hotkey-provider.tsx';
import { Quantity } from '../../../components/quantity.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { useTexts } from '../../../texts/texts-context.tsx';
import { totalOf } from '../order-units.ts';
import styles from '../orders.module.css';
import { Expiry } from './expiry.tsx';

interface Props {
  readonly orders: readonly Order[];
  readonly pets: ReadonlyMap<string, ManagedPet>;
  readonly addressOfOrder: (orderId: number) => string;
  readonly openId: string | undefined;
  readonly isStale: boolean;
}

const NAMED_LINES = 2;

export function OrdersTable({ orders, pets, addressOfOrder, openId, isStale }: Props) {
  const texts = useTexts();
  const { columns, keys } = texts.orders;
  useHotkeys(texts.app.pages.orders, [
    { keys: 'j', label: keys.move, run: () => moveFocus(1) },
    { keys: 'ArrowDown', run: () => moveFocus(1) },
    { keys: 'k', run: () => moveFocus(-1) },
    { keys: 'ArrowUp', run: () => moveFocus(-1) },
  ]);
  return (
    <table className={styles.table} aria-label={texts.orders.table} data-stale={isStale || undefined}>
      <thead>
        <tr>
          <th scope="col">{columns.order}</th>
          <th scope="col">{columns.status}</th>
          <th scope="col" className={styles.wide}>
            {columns.items}
          </th>
          <th scope="col" className={styles.right}>
            {columns.units}
          </th>
          <th scope="col">{columns.reference}</th>
          <th scope="col">{columns.placed}</th>
          <th scope="col">{columns.expires}</th>
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <OrderRow
            key={order.orderId}
            order={order}
            names={namesOf(order, pets, texts.shared.unnamed)}
            address={addressOfOrder(order.orderId)}
            isOpen={openId === String(order.orderId)}
          />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  readonly order: Order;
  readonly names: string;
  readonly address: string;
  readonly isOpen: boolean;
}

const OrderRow = memo(function OrderRow({ order, names, address, isOpen }: RowProps) {
  const { orders } = useTexts();
  const others = order.lines.length - NAMED_LINES;
  return (
    <tr className={styles.row} data-open={isOpen || undefined}>
      <td>
        <Link href={address} className={styles.link} data-order-link>
          {order.orderId}
        </Link>
      </td>
      <td>
        <OrderBadge status={order.status} />
      </td>
      <td className={styles.items}>
        <span className={styles.itemsText}>
          <span className={styles.names}>{names}</span>
          {others > 0 && <span className={styles.dim}>{orders.more(String(others))}</span>}
        </span>
      </td>
      <td className={`${styles.units} ${styles.right}`}>
        <Quantity value={totalOf(order.lines, ({ quantity }) => quantity)} />
      </td>
      <td className={styles.reference}>
        <span className={styles.cut}>{order.referenceId}</span>
      </td>
      <td className={styles.placed}>
        <RelativeTime at={order.createdAt} />
      </td>
      <td className={styles.expires}>
        <Expiry order={order} />
      </td>
    </tr>
  );
});

function namesOf(
  { lines }: Order,
  pets: ReadonlyMap<string, ManagedPet>,
  unnamed: (petId: string) => string,
): string {
  return lines
    .slice(0, NAMED_LINES)
    .map(({ petId }) => pets.get(petId)?.name ?? unnamed(petId))
    .join(', ');
}

/** Moves the focus to the link of the next or previous row; Enter opens it. */
function moveFocus(step: 1 | -1): boolean {
  const links = [...document.querySelectorAll<HTMLElement>('[data-order-link]')];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? (step > 0 ? links[0] : links.at(-1)) : links[at + step];
  next?.focus();
  return next !== undefined;
}
