import { serviceNow } from '../../../api/service-clock.ts';
import styles from '../../../components/records/printed-table.module.css';
import { type Column, Table } from '../../../components/records/table.tsx';
import { usePrinting } from '../../../components/records/use-printing.ts';
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
