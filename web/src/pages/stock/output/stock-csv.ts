import { spreadsheetField } from '../../../components/downloads/spreadsheet-field.ts';
import { availableOf, type StockRow } from '../../../stock/stock-row.ts';

/** An import leaves the four out that follow from the others. */
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
  'barcodes',
];

/** A file of these rows for spreadsheets, in their order. */
export function stockCsv(rows: Iterable<StockRow>): string {
  const lines = [HEADINGS.join()];
  for (const row of rows) {
    const {
      petId,
      name,
      category,
      quantity,
      status,
      lowStockAt,
      restockAt,
      reserved,
      alertLevel,
      sku,
      barcodes,
    } = row;
    const updatedAt = new Date(row.updatedAtMs).toISOString();
    const values = [petId, name, category, quantity, status, lowStockAt, restockAt, reserved];
    lines.push(
      [...values, availableOf(row), alertLevel, updatedAt, sku, barcodes.join('\n')]
        .map(spreadsheetField)
        .join(),
    );
  }
  return `${lines.join('\r\n')}\r\n`;
}
