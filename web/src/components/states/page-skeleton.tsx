import { Skeleton } from '@mantine/core';
import { useTexts } from '../../texts/texts-context.tsx';
import styles from './page-skeleton.module.css';

/** The shape of a page while its code or its first data loads. */
export function PageSkeleton({ rows = 10 }: { rows?: number }) {
  const { loading } = useTexts().app.states;
  return (
    <div className={styles.page} aria-busy="true">
      <span className="visually-hidden" role="status">
        {loading}
      </span>
      <Skeleton height={28} width={160} />
      <Skeleton height={16} width={240} />
      <div className={styles.rows}>
        {Array.from({ length: rows }, (_, row) => `row-${row}`).map((key) => (
          <Skeleton key={key} height={20} />
        ))}
      </div>
    </div>
  );
}
