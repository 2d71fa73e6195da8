import type { Order } from '../../../api/schemas.ts';
import { RelativeTime, useNow } from '../../../components/relative-time.tsx';
import styles from '../orders.module.css';

const SOON_MS = 15 * 60_000;

/** When a placed order expires; nothing for others, which do not. */
export function Expiry({ order: { status, expiresAt } }: { order: Order }) {
  const now = useNow();
  if (status !== 'placed' || expiresAt === null) return null;
  const isSoon = new Date(expiresAt).getTime() - now < SOON_MS;
  return (
    <span className={styles.expiry} data-soon={isSoon || undefined}>
      <RelativeTime at={expiresAt} />
    </span>
  );
}
