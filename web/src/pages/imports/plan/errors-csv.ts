import type { ImportError } from '../../../api/schemas.ts';
import { spreadsheetField } from '../../../components/downloads/spreadsheet-field.ts';

/** Errors as CSV. Their messages quote the file, which may hold formulas. */
export function errorsCsv(errors: readonly ImportError[]): string {
  const rows = errors.map(({ line, element, field, message }) =>
    [line, element, field, message].map(spreadsheetField).join(),
  );
  return ['line,element,column,message', ...rows, ''].join('\r\n');
}
