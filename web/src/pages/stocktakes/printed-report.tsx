import type { StocktakeLine } from '../../api/schemas.ts';
import { serviceNow } from '../../api/service-clock.ts';
import { PrintedRecords } from '../../components/records/printed-records.tsx';
import type { Column } from '../../components/records/table.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';

interface Props {
  readonly lines: readonly StocktakeLine[];
  readonly onDone: () => void;
}

/** The whole report on paper, in place of the part on the screen. */
export function PrintedReport({ lines, onDone }: Props) {
  const { stocktakes, shared } = useTexts();
  const format = useFormat();
  const { lines: texts } = stocktakes;
  const columns: readonly Column<StocktakeLine>[] = [
    { name: shared.fields.petId, cell: ({ petId }) => petId, isNumber: true },
    { name: texts.pet, cell: ({ petId, name }) => name ?? shared.unnamed(petId) },
    { name: texts.category, cell: ({ category }) => category },
    { name: texts.expected, cell: ({ expected }) => format.quantity(expected), isNumber: true },
    { name: texts.counted, cell: ({ counted }) => format.quantity(counted), isNumber: true },
    { name: texts.variance, cell: ({ variance }) => format.change(variance), isNumber: true },
    { name: texts.by, cell: ({ countedBy }) => countedBy.name },
    { name: texts.at, cell: ({ countedAt }) => format.dateTime(new Date(countedAt)) },
  ];
  return (
    <PrintedRecords
      label={stocktakes.printedTable}
      caption={stocktakes.printed(format.count(lines.length), format.dateTime(new Date(serviceNow())))}
      columns={columns}
      records={lines}
      keyOf={({ petId }) => petId}
      onDone={onDone}
    />
  );
}
