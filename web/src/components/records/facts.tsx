import type { ReactNode } from 'react';
import styles from './facts.module.css';

interface Props {
  /** The name and the value of each fact. A fact whose value is `undefined` is left out. */
  readonly facts: readonly (readonly [string, ReactNode])[];
}

/** Facts of one record, one per line. */
export function Facts({ facts }: Props) {
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <div key={name} className={styles.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
