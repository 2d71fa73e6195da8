import { Skeleton } from '@mantine/core';
import { useTexts } from '../../texts/texts-context.tsx';
import styles from './stock-page.module.css';

const ROWS = Array.from({ length: 16 }, (_, row) => `row-${row}`);

/** The shape of the table while the first rows load. */
export function TableSkeleton() {
  const { loading } = useTexts().app.states;
  return (
    <div className={styles.table} aria-busy="true">
      <span className="visually-hidden" role="status">
        {loading}
      </span>
      {ROWS.map((key) => (
        <div key={key} className={styles.row}>
          <Skeleton height={12} width={48} />
          <Skeleton height={12} className={styles.wide} />
          <Skeleton height={12} width={96} />
          <Skeleton height={12} width={64} />
        </div>
      ))}
    </div>
  );
}
