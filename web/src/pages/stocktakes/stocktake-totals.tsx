import type { ReactNode } from 'react';
import type { Stocktake, StocktakeTotals } from '../../api/schemas.ts';
import { Quantity } from '../../components/quantity.tsx';
import { ErrorState } from '../../components/states/error-state.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import styles from './stocktakes.module.css';

interface Props {
  readonly stocktake: Stocktake;
  /** `undefined` until they are read. */
  readonly totals: StocktakeTotals | undefined;
  readonly error: unknown;
  readonly onRetry: () => void;
  /** Beside the numbers. */
  readonly children: ReactNode;
}

/** How much is counted, and what differs. */
export function Totals({ stocktake, totals, error, onRetry, children }: Props) {
  const { stocktakes } = useTexts();
  const { quantity } = useFormat();
  const texts = stocktakes.totals;
  const rows: readonly (readonly [string, number | string])[] = totals
    ? [
        [texts.counted, totals.counted],
        [texts.uncounted, totals.uncounted],
        [texts.differences, totals.differences],
        [texts.surplus, totals.surplus],
        [texts.shortage, totals.shortage],
        ...(stocktake.state === 'running' && totals.unposted > 0
          ? ([[texts.unposted, totals.unposted]] as const)
          : []),
      ]
    : [];
  const all = totals ? totals.counted + totals.uncounted : 0;
  return (
    <section className={styles.summary} aria-label={texts.label}>
      <div className={styles.numbers}>
        {!totals && error !== null && <ErrorState error={error} onRetry={onRetry} />}
        {totals && all > 0 && (
          <progress
            className={styles.bar}
            max={all}
            value={totals.counted}
            aria-label={stocktakes.progress(quantity(totals.counted), quantity(all))}
          />
        )}
        <dl className={styles.totals} aria-busy={totals === undefined}>
          {rows.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <Quantity value={value} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
      {children}
    </section>
  );
}
