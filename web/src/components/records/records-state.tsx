import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTexts } from '../../texts/texts-context.tsx';
import { ErrorState } from '../states/error-state.tsx';
import styles from './records-state.module.css';

interface Props {
  readonly isLoading: boolean;
  readonly error: unknown;
  readonly onRetry: () => void;
  /** Shown in place of the records when there is none. */
  readonly empty?: ReactNode;
  readonly children: ReactNode;
}

/** The records, or why there are none to see. */
export function RecordsState({ isLoading, error, onRetry, empty, children }: Props) {
  const { loading } = useTexts().app.states;
  if (!isLoading) return empty || <div className={styles.records}>{children}</div>;
  if (error) return <ErrorState error={error} onRetry={onRetry} />;
  return (
    <div className={styles.rows} aria-busy="true">
      <span className="visually-hidden" role="status">
        {loading}
      </span>
      {Array.from({ length: 6 }, (_, row) => `row-${row}`).map((key) => (
        <Skeleton key={key} height={20} />
      ))}
    </div>
  );
}
