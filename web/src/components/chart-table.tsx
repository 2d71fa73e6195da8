import { ScrollArea } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './chart-table.module.css';

/** The numbers of a chart as a table, which scrolls below its header, also by keyboard. */
export function ChartTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ScrollArea.Autosize
      className={styles.box}
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}
    >
      <table className={`${styles.table} number`}>{children}</table>
    </ScrollArea.Autosize>
  );
}
