import type { ImportError } from '../../../api/schemas.ts';
import { spreadsheetField } from '../../../components/downloads/spreadsheet-field.ts';

/** Errors as CSV. Their texts quote the file, which may hold formulas. */
export function errorsCsv(errors: readonly ImportError[], textOf: (error: ImportError) => string): string {
  const rows = errors.map((error) =>
    [error.line, error.element, error.field, error.code, textOf(error)].map(spreadsheetField).join(),
  );
  return ['line,element,column,code,message', ...rows, ''].join('\r\n');
}
