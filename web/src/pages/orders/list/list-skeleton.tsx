import { Skeleton } from '@mantine/core';
import { useTexts } from '../../../texts/texts-context.tsx';
import styles from '../orders.module.css';

/** Rows without content, while the first page loads. */
export function ListSkeleton({ rows = 10 }: { rows?: number }) {
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
