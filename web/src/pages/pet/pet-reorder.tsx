import { Link } from 'wouter';
import type { Reorder } from '../../api/schemas.ts';
import { useOrderedText } from '../../components/reorder.ts';
import { IconTruckDelivery } from '../../icons/icons.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './archived-banner.module.css';

/** What is ordered of a pet, with the way to the list. */
export function PetReorder({ reorder }: { reorder: Reorder }) {
  const { reorders } = useTexts();
  const format = useFormat();
  const text = useOrderedText()(reorder);
  if (text === undefined) return null;
  const { ordered, received, supplier } = reorder;
  const arrived =
    ordered !== null && received > 0
      ? reorders.arrived(format.quantity(received), format.quantity(ordered))
      : undefined;
  return (
    <p className={styles.banner}>
      <IconTruckDelivery size={16} stroke={1.75} aria-hidden />
      <span>
        {[text, arrived, supplier].filter((part) => typeof part === 'string').join(' · ')}
        {' · '}
        <Link href="/reorders?state=ordered" className="tap">
          {reorders.seeList}
        </Link>
      </span>
    </p>
  );
}
