import type { ImportError } from '../../../api/schemas.ts';
import { csvField } from '../send/csv-records.ts';

/** What a spreadsheet would run as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Errors as CSV. Their messages quote the file, which may hold formulas. */
export function errorsCsv(errors: readonly ImportError[]): string {
  const rows = errors.map(({ line, element, field, message }) =>
    [line ?? '', element ?? '', field ?? '', message].map((value) => safe(String(value))).join(),
  );
  return ['line,element,column,message', ...rows, ''].join('\r\n');
}

function safe(text: string): string {
  return csvField(FORMULA.test(text) ? `'${text}` : text);
}
