import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { availableOf, type StockRow } from '../../../stock/stock-row.ts';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import styles from './printed-stock.module.css';

/** All rows that the filters show, on paper. The table of the screen has only those in view. */
export function PrintedStock({ rows }: { rows: () => readonly StockRow[] }) {
  const isPrinting = usePrinting();
  const { stock, shared } = useTexts();
  const format = useFormat();
  if (!isPrinting) return null;
  const { fields } = shared;
  const listed = rows();
  return (
    <table className={styles.table} aria-label={stock.table}>
      <caption>{stock.printed(format.count(listed.length), format.dateTime(new Date()))}</caption>
      <thead>
        <tr>
          <th className={styles.number}>{fields.petId}</th>
          <th>{fields.name}</th>
          <th>{fields.category}</th>
          <th>{fields.status}</th>
          <th className={styles.number}>{fields.reserved}</th>
          <th className={styles.number}>{fields.available}</th>
          <th className={styles.number}>{fields.quantity}</th>
          <th>{fields.alert}</th>
        </tr>
      </thead>
      <tbody>
        {listed.map((row) => (
          <tr key={row.petId}>
            <td className={styles.number}>{row.petId}</td>
            <td>{row.name ?? shared.unnamed(row.petId)}</td>
            <td>{row.category}</td>
            <td>{shared.status[row.status]}</td>
            <td className={styles.number}>{format.quantity(row.reserved)}</td>
            <td className={styles.number}>{format.quantity(availableOf(row))}</td>
            <td className={styles.number}>{format.quantity(row.quantity)}</td>
            <td>{row.alertLevel !== null && shared.alert[row.alertLevel]}</td>
          </tr>
        ))}
      </tbody>
    </table>
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
