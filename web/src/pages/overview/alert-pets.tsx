import { Link } from 'wouter';
import type { ManagedPet } from '../../api/schemas.ts';
import { AlertBadge } from '../../components/badge.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './overview.module.css';

const SHOWN = 6;

/** The pets with the most severe alerts. */
export function AlertPets({ pets }: { pets: readonly ManagedPet[] }) {
  const { overview, shared } = useTexts();
  const format = useFormat();
  if (pets.length === 0) return null;
  return (
    <section aria-labelledby="alert-pets">
      <div className={styles.head}>
        <h2 id="alert-pets" className={styles.heading}>
          {overview.alertPets}
        </h2>
        <Link href="/stock?alert=any" className={`${styles.more} tap`}>
          {overview.allAlerts}
        </Link>
      </div>
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
