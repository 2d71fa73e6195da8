import { PET_STATUSES } from '@petstore-inventory/shared/words';
import { Link } from 'wouter';
import type { Overview } from '../../api/schemas.ts';
import { serviceNow } from '../../api/service-clock.ts';
import { StatusBadge } from '../../components/badge.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './overview.module.css';

/** A count that is older is worth saying. */
const OLD_MS = 30_000;

/** Pets by status and category. */
export function Totals({ overview: { pets, categories, otherPets, countedAt } }: { overview: Overview }) {
  const { overview: texts, shared } = useTexts();
  const format = useFormat();
  return (
    <>
      <section aria-labelledby="statuses">
        <h2 id="statuses" className={styles.heading}>
          {texts.totals}
        </h2>
        <ul className={styles.totals}>
          {PET_STATUSES.map((status) => (
            <li key={status}>
              <Link href={`/stock?status=${status}`} className={styles.total}>
                <StatusBadge status={status} />
                <span className="number">{format.quantity(pets[status])}</span>
              </Link>
            </li>
          ))}
          {pets.archived > 0 && (
            <li className={`${styles.total} ${styles.faint}`}>
              {texts.archived}
              <span className="number">{format.quantity(pets.archived)}</span>
            </li>
          )}
        </ul>
      </section>
      <section aria-labelledby="categories">
        <h2 id="categories" className={styles.heading}>
          {texts.categories}
        </h2>
        <ul className={styles.totals}>
          {categories.map(({ category, pets: count, alerts }) => {
            const content = (
              <>
                <span className={styles.category} title={category ?? undefined}>
                  {category ?? shared.noCategory}
                </span>
                {alerts > 0 && (
                  <span className={styles.faint}>{texts.alertsIn(format.quantity(alerts))}</span>
                )}
                <span className="number">{format.quantity(count)}</span>
              </>
            );
            return (
              <li key={category ?? ''}>
                {category === null ? (
                  <span className={styles.total}>{content}</span>
                ) : (
                  <Link href={`/stock?category=${encodeURIComponent(category)}`} className={styles.total}>
                    {content}
                  </Link>
                )}
              </li>
            );
          })}
          {otherPets > 0 && (
            <li className={`${styles.total} ${styles.faint}`}>
              <span className={styles.category}>{texts.otherCategories}</span>
              <span className="number">{format.quantity(otherPets)}</span>
            </li>
          )}
        </ul>
        {serviceNow() - Date.parse(countedAt) > OLD_MS && (
          <p className={styles.counted}>
            {texts.countedAt} <RelativeTime at={countedAt} />
          </p>
        )}
      </section>
    </>
  );
}
