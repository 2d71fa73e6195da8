import { Button, Menu } from '@mantine/core';
import { download } from '../../../components/downloads/download.ts';
import { spreadsheetField } from '../../../components/downloads/spreadsheet-field.ts';
import { useToast } from '../../../components/toast/toast-provider.tsx';
import { IconDownload } from '../../../icons/icons.tsx';
import { availableOf, type StockRow } from '../../../stock/stock-row.ts';
import { useFormat, useTexts } from '../../../texts/texts-context.tsx';

/** Writes the rows that the filters show into a file, or prints them. */
export function OutputMenu({ rows, isReady }: { rows: () => readonly StockRow[]; isReady: boolean }) {
  const { stock, shared } = useTexts();
  const format = useFormat();
  const { show } = useToast();
  const save = () => {
    const written = rows();
    const type = 'text/csv;charset=utf-8';
    download(new Blob([stockCsv(written)], { type }), `stock-${new Date().toISOString().slice(0, 10)}.csv`);
    show({
      message: stock.exported(shared.pets(format.count(written.length))),
    });
  };
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} stroke={1.75} />} disabled={!isReady}>
          {stock.output}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={save}>{stock.exportCsv}</Menu.Item>
        {/* Not while the menu is open, which would be printed too. */}
        <Menu.Item onClick={() => setTimeout(() => window.print(), 300)}>{stock.print}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The columns that an import reads come first. */
const HEADINGS = [
  'petId',
  'name',
  'category',
  'quantity',
  'status',
  'lowStockAt',
  'restockAt',
  'reserved',
  'available',
  'alert',
  'updatedAt',
  'sku',
];

/** A file of these rows for spreadsheets, in their order. */
function stockCsv(rows: Iterable<StockRow>): string {
  const lines = [HEADINGS.join()];
  for (const row of rows) {
    const { petId, name, category, quantity, status, lowStockAt, restockAt, reserved, alertLevel, sku } = row;
    const updatedAt = new Date(row.updatedAtMs).toISOString();
    const values = [petId, name, category, quantity, status, lowStockAt, restockAt, reserved];
    lines.push([...values, availableOf(row), alertLevel, updatedAt, sku].map(spreadsheetField).join());
  }
  return `${lines.join('\r\n')}\r\n`;
}
