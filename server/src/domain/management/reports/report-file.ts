import type { ExportSeparator, ReportFormat } from '@petstore-inventory/shared/words';
import { OperatorError } from '../../errors.ts';
import { MAX_SHEET_ROWS } from '../export-sheet.ts';
import { fileBegin, fileEnd, fileRow } from '../pet-export.ts';

export interface ReportForm {
  readonly format: ReportFormat;
  readonly separator?: ExportSeparator | undefined;
  readonly columns: readonly string[];
}

type Value = string | number | bigint | null;

/** The rows of a report with the columns of its file, as they are read. */
export async function* membersIn<Row, Members>(
  parts: AsyncIterable<readonly Row[]>,
  membersOf: (row: Row) => Members,
): AsyncGenerator<readonly Members[]> {
  for await (const rows of parts) yield rows.map(membersOf);
}

/**
 * The texts of a file with the rows as they are read; of a workbook those of its sheet.
 * @throws OperatorError for more rows than a sheet has.
 */
export async function* reportTexts(
  { format, separator, columns }: ReportForm,
  parts: AsyncIterable<readonly Readonly<Record<string, Value>>[]>,
  most = MAX_SHEET_ROWS,
): AsyncGenerator<string> {
  let rows = 1;
  yield fileBegin({ format, separator }, columns);
  for await (const part of parts) {
    rows += part.length;
    if (format === 'xlsx' && rows > most) {
      throw new OperatorError(
        `A sheet has ${most} rows with the headings, and the report has more; export CSV, or use filters.`,
        { code: 'invalid_parameter' },
      );
    }
    yield part
      .map((row) =>
        fileRow(
          { format, separator },
          columns.map((name) => row[name] ?? null),
        ),
      )
      .join('');
  }
  yield fileEnd({ format });
}
