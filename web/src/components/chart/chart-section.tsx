import { ActionIcon, ScrollArea, Tooltip } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconChartLine, IconTable } from '../../icons/icons.tsx';
import { useTexts } from '../../texts/texts-context.tsx';
import { type Column, Table } from '../records/table.tsx';
import styles from './chart.module.css';

interface Props<T> {
  readonly id: string;
  readonly title: string;
  readonly controls?: ReactNode;
  readonly isTable: boolean;
  readonly onToggle: () => void;
  /** The numbers of the chart: the name of their table, and its rows. */
  readonly table: {
    readonly label: string;
    readonly columns: readonly Column<T>[];
    readonly rows: readonly T[];
    readonly keyOf: (row: T) => number | string;
    /** Shown in place of a table without rows. */
    readonly empty?: string;
  };
  /** Stays between the heading and the chart or the table. */
  readonly summary?: ReactNode;
  /** Below the chart or the table. */
  readonly note?: ReactNode;
  /** The chart, or why there is none. */
  readonly children: ReactNode;
}

/** A chart, or its numbers as a table. */
export function ChartSection<T>(props: Props<T>) {
  const { id, title, controls, isTable, onToggle, table, summary, note, children } = props;
  const { asChart, asTable } = useTexts().shared;
  const label = isTable ? asChart : asTable;
  const Icon = isTable ? IconChartLine : IconTable;
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        <div className={styles.controls}>
          {controls}
          <Tooltip label={label}>
            <ActionIcon variant="default" size={32} aria-label={label} onClick={onToggle}>
              <Icon size={16} stroke={1.75} />
            </ActionIcon>
          </Tooltip>
        </div>
      </div>
      {summary}
      {isTable ? <Numbers {...table} /> : children}
      {note !== undefined && <p className={styles.note}>{note}</p>}
    </section>
  );
}

/** The numbers of a chart as a table, which scrolls below its header, also by keyboard. */
function Numbers<T>({ label, columns, rows, keyOf, empty }: Props<T>['table']) {
  if (rows.length === 0) return <p className={styles.note}>{empty}</p>;
  return (
    <ScrollArea.Autosize
      className={styles.box}
      viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}
    >
      <Table
        label={label}
        columns={columns}
        records={rows}
        keyOf={keyOf}
        className={`${styles.table} number`}
      />
    </ScrollArea.Autosize>
  );
}
