import type { Reorder } from '../../api/schemas.ts';
import { serviceNow } from '../../api/service-clock.ts';
import { PaperTable, usePrinter } from '../../components/records/printed-records.tsx';
import type { Column } from '../../components/records/table.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';
import { parseUnits } from './parse-units.ts';
import styles from './reorders.module.css';

interface Props {
  readonly rows: readonly Reorder[];
  /** As the table has them. */
  readonly unitsOf: (row: Reorder) => string;
  readonly onDone: () => void;
}

/** The list on paper: each supplier on sheets of its own. */
export function PrintedOrders({ rows, unitsOf, onDone }: Props) {
  const { reorders, shared } = useTexts();
  const format = useFormat();
  usePrinter(onDone);
  const groups = [...Map.groupBy(rows, ({ supplier }) => supplier ?? '')].toSorted(([a], [b]) =>
    a === '' || b === '' ? Number(a === '') - Number(b === '') : format.compare(a, b),
  );
  const unitsToBuy = (row: Reorder) => row.ordered ?? parseUnits(unitsOf(row)) ?? row.suggested;
  const columns: readonly Column<Reorder>[] = [
    {
      name: reorders.columns.pet,
      cell: (row) => <bdi>{row.name ?? shared.unnamed(row.petId)}</bdi>,
    },
    { name: shared.fields.sku, cell: ({ sku }) => sku },
    { name: reorders.columns.available, isNumber: true, cell: (row) => format.quantity(row.available) },
    { name: reorders.toBuy, isNumber: true, cell: (row) => format.quantity(unitsToBuy(row)) },
  ];
  return groups.map(([supplier, ofSupplier]) => (
    <section key={supplier} className={styles.paper}>
      <h2>{supplier === '' ? reorders.noSupplier : supplier}</h2>
      <PaperTable
        label={supplier === '' ? reorders.noSupplier : supplier}
        caption={reorders.printed(format.dateTime(new Date(serviceNow())))}
        columns={columns}
        records={ofSupplier}
        keyOf={({ petId }) => petId}
      />
    </section>
  ));
}
