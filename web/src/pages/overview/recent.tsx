import { Skeleton } from '@mantine/core';
import { Link } from 'wouter';
import { MovementList } from '../../components/movements/movement-list.tsx';
import { useMovementFeed } from '../../components/movements/use-movement-feed.ts';
import { usePetNames } from '../../components/movements/use-pet-names.ts';
import { ErrorState } from '../../components/states/error-state.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import styles from './overview.module.css';

const SHOWN = 8;
const EVERYTHING = {};

/** The newest changes, as they happen. */
export function Recent() {
  const { overview } = useTexts();
  const { movements, readUntil, isLoading, error, retry } = useMovementFeed(EVERYTHING);
  const shown = movements.slice(0, SHOWN);
  const petNames = usePetNames(shown);
  return (
    <section aria-labelledby="recent">
      <div className={styles.head}>
        <h2 id="recent" className={styles.heading}>
          {overview.recent}
        </h2>
        <Link href="/activity" className={`${styles.more} tap`}>
          {overview.allActivity}
        </Link>
      </div>
      {error && shown.length === 0 ? (
        <ErrorState error={error} onRetry={retry} />
      ) : isLoading ? (
        <Skeleton height={220} />
      ) : (
        <MovementList label={overview.recent} movements={shown} freshAfter={readUntil} petNames={petNames} />
      )}
    </section>
  );
}
