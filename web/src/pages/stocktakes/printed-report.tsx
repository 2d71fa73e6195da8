import { useEffect, useRef } from 'react';
import type { StocktakeLine } from '../../api/schemas.ts';
import { serviceNow } from '../../api/service-clock.ts';
import printed from '../../components/records/printed-table.module.css';
import { type Column, Table } from '../../components/records/table.tsx';
import { useFormat, useTexts } from '../../texts/texts-context.tsx';

interface Props {
  readonly lines: readonly StocktakeLine[];
  readonly onDone: () => void;
}

/** The whole report on paper, in place of the part on the screen. It opens the dialog of the printer. */
export function PrintedReport({ lines, onDone }: Props) {
  const { stocktakes, shared } = useTexts();
  const format = useFormat();
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
  const { lines: texts } = stocktakes;
  const columns: readonly Column<StocktakeLine>[] = [
    { name: shared.fields.petId, cell: ({ petId }) => petId, className: printed.number },
    { name: texts.pet, cell: ({ petId, name }) => name ?? shared.unnamed(petId) },
    { name: texts.category, cell: ({ category }) => category },
    { name: texts.expected, cell: ({ expected }) => format.quantity(expected), className: printed.number },
    { name: texts.counted, cell: ({ counted }) => format.quantity(counted), className: printed.number },
    { name: texts.variance, cell: ({ variance }) => format.change(variance), className: printed.number },
    { name: texts.by, cell: ({ countedBy }) => countedBy.name },
    { name: texts.at, cell: ({ countedAt }) => format.dateTime(new Date(countedAt)) },
  ];
  return (
    <Table
      label={stocktakes.printedTable}
      caption={stocktakes.printed(format.count(lines.length), format.dateTime(new Date(serviceNow())))}
      columns={columns}
      records={lines}
      keyOf={({ petId }) => petId}
      className={printed.table}
    />
  );
}

const PAUSE_MS = 300;
