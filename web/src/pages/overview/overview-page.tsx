import { Button, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ManagedPet } from '../../api/schemas.ts';
import { AlertBadge } from '../../components/badge.tsx';
import { MovementList } from '../../components/movements/movement-list.tsx';
import { useMovementFeed } from '../../components/movements/use-movement-feed.ts';
import { usePetNames } from '../../components/movements/use-pet-names.ts';
import { PageBody } from '../../components/page/page-body.tsx';
import { PageHeader } from '../../components/page/page-header.tsx';
import { useAddPet } from '../../components/pets/use-add-pet.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { ErrorState } from '../../components/states/error-state.tsx';
import { PageSkeleton } from '../../components/states/page-skeleton.tsx';
import { IconFileImport, IconPaw } from '../../icons/icons.tsx';
import { useMay } from '../../session/session-context.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { Attention } from './attention.tsx';
import { HoursChart } from './hours-chart.tsx';
import styles from './overview.module.css';
import { useOverview, useUnits } from './overview-api.ts';
import { Totals } from './totals.tsx';
import { TradeChart } from './trade-chart.tsx';

export default function OverviewPage() {
  const { overview: texts, shared, app } = useTexts();
  const format = useFormat();
  const { data: overview, error, refetch } = useOverview();
  const units = useUnits();
  const mayAdd = useMay('staff');
  const add = useAddPet(app.pages.overview);

  if (!overview) {
    if (!error) return <PageSkeleton />;
    return (
      <>
        <PageHeader title={app.pages.overview} />
        <ErrorState error={error} onRetry={() => void refetch()} />
      </>
    );
  }
  const { total, archived } = overview.pets;
  const isEmpty = total === 0 && archived === 0;
  if (isEmpty) {
    return (
      <>
        <PageHeader title={app.pages.overview} />
        <Welcome mayAdd={mayAdd} addButton={add.button} />
        {add.dialog}
      </>
    );
  }
  const pets = shared.pets(format.count(total));
  return (
    <>
      <PageHeader
        title={app.pages.overview}
        facts={units === undefined ? pets : texts.facts(pets, format.quantity(String(units)))}
        actions={add.button}
      />
      <PageBody>
        <div className={styles.grid}>
          <div className={styles.main}>
            <Attention overview={overview} />
            <TradeChart />
            <AlertPets pets={overview.alerts} />
            <HoursChart hours={overview.hours} />
          </div>
          <div className={styles.side}>
            <Totals overview={overview} />
          </div>
        </div>
        <Recent />
      </PageBody>
      {add.dialog}
    </>
  );
}

/** The first look at an empty shop. */
function Welcome({ mayAdd, addButton }: { mayAdd: boolean; addButton: ReactNode }) {
  const { overview } = useTexts();
  return (
    <EmptyState
      icon={IconPaw}
      title={overview.welcome}
      actions={
        mayAdd && (
          <>
            <Button component={Link} href="/imports" leftSection={<IconFileImport size={16} stroke={1.75} />}>
              {overview.importFile}
            </Button>
            {addButton}
          </>
        )
      }
    >
      {overview.welcomeHint}
    </EmptyState>
  );
}

const SHOWN = 6;

interface PartHeadProps {
  readonly id: string;
  readonly title: string;
  /** The page that shows all. */
  readonly href: string;
  readonly more: string;
}

/** The heading of a part of the page, with a link to the page that shows all of it. */
function PartHead({ id, title, href, more }: PartHeadProps) {
  return (
    <div className={styles.head}>
      <h2 id={id} className={styles.heading}>
        {title}
      </h2>
      <Link href={href} className={`${styles.more} tap`}>
        {more}
      </Link>
    </div>
  );
}

/** The pets with the most severe alerts. */
function AlertPets({ pets }: { pets: readonly ManagedPet[] }) {
  const { overview, shared } = useTexts();
  const format = useFormat();
  if (pets.length === 0) return null;
  return (
    <section aria-labelledby="alert-pets">
      <PartHead
        id="alert-pets"
        title={overview.alertPets}
        href="/stock?alert=any"
        more={overview.allAlerts}
      />
      <ul className={styles.alerts}>
        {pets.slice(0, SHOWN).map(({ petId, name, available, alertLevel, updatedAt }) => (
          <li key={petId}>
            <Link href={`/pets/${petId}`} className={styles.alert}>
              <span className={styles.name}>{name ?? shared.unnamed(petId)}</span>
              {alertLevel !== null && <AlertBadge level={alertLevel} />}
              <span className={`${styles.available} number`}>{overview.units(format.count(available))}</span>
              <span className={styles.since}>
                <RelativeTime at={updatedAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

const RECENT = 8;
const EVERYTHING = {};

/** The newest changes, as they happen. */
function Recent() {
  const { overview } = useTexts();
  const { movements, readUntil, isLoading, error, retry } = useMovementFeed(EVERYTHING);
  const shown = movements.slice(0, RECENT);
  const petNames = usePetNames(shown);
  return (
    <section aria-labelledby="recent">
      <PartHead id="recent" title={overview.recent} href="/activity" more={overview.allActivity} />
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
