import { Skeleton } from '@mantine/core';
import { useTexts } from '../../texts/texts-context.tsx';
import styles from './page-skeleton.module.css';

interface Props {
  readonly rows?: number;
  /** The page has its title already. */
  readonly isPart?: boolean;
}

/** The shape of a page while its code or its first data loads. */
export function PageSkeleton({ rows = 10, isPart = false }: Props) {
  const Title = isPart ? 'span' : 'h1';
  const { loading } = useTexts().app.states;
  return (
    <div className={styles.page} aria-busy="true">
      <div className="visually-hidden" role="status">
        <Title>{loading}</Title>
      </div>
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
