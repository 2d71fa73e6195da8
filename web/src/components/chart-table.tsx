import type { ReactNode } from 'react';
import styles from './chart-table.module.css';

/** The numbers of a chart as a table, which scrolls below its header. */
export function ChartTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard.
    <section className={styles.box} aria-label={label} tabIndex={0}>
      <table className={`${styles.table} number`}>{children}</table>
    </section>
  );
}
