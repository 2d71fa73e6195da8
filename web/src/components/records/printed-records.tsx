import { useEffect, useRef } from 'react';
import printed from './printed-table.module.css';
import { Table, type TableProps } from './table.tsx';

interface Props<T> extends Pick<TableProps<T>, 'label' | 'caption' | 'columns' | 'records' | 'keyOf'> {
  readonly onDone: () => void;
}

/** Records on paper, in place of those on the screen. It opens the dialog of the printer. */
export function PrintedRecords<T>({ columns, onDone, ...table }: Props<T>) {
  usePrinter(onDone);
  return <PaperTable {...table} columns={columns} />;
}

/** A table that is on paper alone. */
export function PaperTable<T>({ columns, ...table }: Omit<Props<T>, 'onDone'>) {
  const onPaper = columns.map(({ name, cell, total, isNumber }) => ({
    ...{ name, cell, total },
    className: isNumber ? printed.number : undefined,
  }));
  return <Table {...table} columns={onPaper} className={printed.table ?? ''} />;
}

const PAUSE_MS = 300;

/** Opens the dialog of the printer, and calls `onDone` when it is closed. */
export function usePrinter(onDone: () => void): void {
  const done = useRef(onDone);
  done.current = onDone;
  useEffect(() => {
    const end = () => done.current();
    window.addEventListener('afterprint', end);
    // The menu that called it goes away first.
    const timer = setTimeout(() => window.print(), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('afterprint', end);
    };
  }, []);
}
