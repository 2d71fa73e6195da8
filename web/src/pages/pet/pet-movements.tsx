import { Button, Skeleton } from '@mantine/core';
import { Link } from 'wouter';
import { MovementList } from '../../components/movements/movement-list.tsx';
import type { useMovementFeed } from '../../components/movements/use-movement-feed.ts';
import { ErrorState } from '../../components/states/error-state.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import styles from './pet-movements.module.css';

interface Props {
  readonly petId: string;
  readonly name: string;
  readonly feed: ReturnType<typeof useMovementFeed>;
}

/** All changes of the pet, newest first. */
export function PetMovements({ petId, name, feed }: Props) {
  const { pet, movements: texts } = useTexts();
  const { movements, readUntil, isLoading, error, retry, more, isLoadingMore } = feed;
  return (
    <section className={styles.movements} aria-labelledby="pet-movements">
      <div className={styles.head}>
        <h2 id="pet-movements">{pet.movements}</h2>
        <Button component={Link} href={`/activity?petId=${petId}`} variant="subtle" size="compact-sm">
          {pet.allActivity}
        </Button>
      </div>
      {error && movements.length === 0 ? (
        <ErrorState error={error} onRetry={retry} />
      ) : isLoading ? (
        <Skeleton height={220} />
      ) : (
        <MovementList label={pet.movements} movements={movements} freshAfter={readUntil} petName={name} />
      )}
      {more && (
        <Button variant="default" onClick={more} loading={isLoadingMore}>
          {texts.older}
        </Button>
      )}
    </section>
  );
}
