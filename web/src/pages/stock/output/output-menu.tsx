import { Menu } from '@mantine/core';
import { serviceNow } from '../../../api/service-clock.ts';
import { calendarDay } from '../../../components/day-start.ts';
import { download } from '../../../components/downloads/download.ts';
import { PrintAndExport } from '../../../components/downloads/print-and-export.tsx';
import { useToast } from '../../../components/toast/toast-provider.tsx';
import type { StockRow } from '../../../stock/stock-row.ts';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';
import { stockCsv } from './stock-csv.ts';

/** Writes the rows that the filters show into a file, or prints them. */
export function OutputMenu({ rows, isReady }: { rows: () => readonly StockRow[]; isReady: boolean }) {
  const { stock, shared } = useTexts();
  const format = useFormat();
  const { show } = useToast();
  const save = () => {
    const written = rows();
    const type = 'text/csv;charset=utf-8';
    download(new Blob([stockCsv(written)], { type }), `stock-${calendarDay(serviceNow(), 0)}.csv`);
    show({
      message: stock.exported(shared.pets(format.count(written.length))),
    });
  };
  return (
    <PrintAndExport
      print={stock.print}
      onPrint={() => window.print()}
      output={stock.output}
      isDisabled={!isReady}
    >
      <Menu.Item onClick={save}>{stock.exportCsv}</Menu.Item>
    </PrintAndExport>
  );
}
