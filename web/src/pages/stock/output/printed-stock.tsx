import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { serviceNow } from '../../../api/service-clock.ts';
import styles from '../../../components/records/printed-table.module.css';
import { type Column, Table } from '../../../components/records/table.tsx';
import { availableOf, type StockRow } from '../../../stock/stock-row.ts';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';

/** All rows that the filters show, on paper. The table of the screen has only those in view. */
export function PrintedStock({ rows }: { rows: () => readonly StockRow[] }) {
  const isPrinting = usePrinting();
  const { stock, shared } = useTexts();
  const format = useFormat();
  if (!isPrinting) return null;
  const { fields } = shared;
  const listed = rows();
  const columns: readonly Column<StockRow>[] = [
    { name: fields.petId, cell: ({ petId }) => petId, className: styles.number },
    { name: fields.name, cell: ({ petId, name }) => name ?? shared.unnamed(petId) },
    { name: fields.category, cell: ({ category }) => category },
    { name: fields.status, cell: ({ status }) => shared.status[status] },
    { name: fields.reserved, cell: ({ reserved }) => format.quantity(reserved), className: styles.number },
    { name: fields.available, cell: (row) => format.quantity(availableOf(row)), className: styles.number },
    { name: fields.quantity, cell: ({ quantity }) => format.quantity(quantity), className: styles.number },
    { name: fields.alert, cell: ({ alertLevel }) => alertLevel !== null && shared.alert[alertLevel] },
  ];
  return (
    <Table
      label={stock.table}
      caption={stock.printed(format.count(listed.length), format.dateTime(new Date(serviceNow())))}
      columns={columns}
      records={listed}
      keyOf={({ petId }) => petId}
      className={styles.table}
    />
  );
}

/** Whether the page is being printed, by a key of the browser too. */
function usePrinting(): boolean {
  const paper = window.matchMedia('print');
  const [isPrinting, setPrinting] = useState(paper.matches);
  useEffect(() => {
    const media = window.matchMedia('print');
    // The browser takes the page as it is right after the event.
    const change = (isNow: boolean) => flushSync(() => setPrinting(isNow));
    const before = () => change(true);
    const after = () => change(false);
    const onMedia = ({ matches }: MediaQueryListEvent) => change(matches);
    window.addEventListener('beforeprint', before);
    window.addEventListener('afterprint', after);
    media.addEventListener('change', onMedia);
    return () => {
      window.removeEventListener('beforeprint', before);
      window.removeEventListener('afterprint', after);
      media.removeEventListener('change', onMedia);
    };
  }, []);
  return isPrinting;
}
