import type { StocktakeLine } from '../../api/schemas.ts';
import { spreadsheetField } from '../../components/downloads/spreadsheet-field.ts';

const COLUMNS = [
  'petId',
  'name',
  'category',
  'expected',
  'counted',
  'variance',
  'posted',
  'counts',
] as const satisfies readonly (keyof StocktakeLine)[];

/** A report with the columns that `petstore-server stocktakes report` writes. */
export function reportCsv(lines: readonly StocktakeLine[]): string {
  const rows = lines.map((line) =>
    [...COLUMNS.map((column) => line[column]), line.countedBy.name, line.countedAt, line.sequence]
      .map(spreadsheetField)
      .join(),
  );
  return [[...COLUMNS, 'countedBy', 'countedAt', 'sequence'].join(), ...rows]
    .map((row) => `${row}\r\n`)
    .join('');
}
