import { spreadsheetField } from './spreadsheet-field.ts';

/** A column of a file: its heading, which is the same in each language, and its value. */
export type FileColumns<T> = Readonly<Record<string, (record: T) => string | number | boolean | null>>;

/** Records as CSV that a spreadsheet opens, and runs nothing of. */
export function csvOf<T>(columns: FileColumns<T>, records: Iterable<T>): string {
  const values = Object.values(columns);
  const lines = [Object.keys(columns).join()];
  for (const record of records) lines.push(values.map((value) => spreadsheetField(value(record))).join());
  return `${lines.join('\r\n')}\r\n`;
}
