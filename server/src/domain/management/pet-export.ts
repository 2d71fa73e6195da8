import { spreadsheetField } from '@petstore-inventory/shared/pet-file/csv-records';
import { markedSupplier } from '@petstore-inventory/shared/pet-file/values';
import {
  EXPORT_COLUMNS,
  type ExportColumn,
  type ExportFormat,
  type ExportSeparator,
} from '@petstore-inventory/shared/words';
import { MAX_SHEET_ROWS, SHEET_BEGIN, SHEET_END, sheetRow } from './export-sheet.ts';
import type { ManagedPet, PetQuery } from './pets.ts';

/** Which pets a file has. */
export type ExportFilter = Omit<PetQuery, 'after' | 'limit' | 'sku' | 'barcode' | 'petIds'>;

export interface ExportQuery extends ExportFilter {
  readonly format: ExportFormat;
  /** By default all but the codes and the supplier. */
  readonly columns?: readonly ExportColumn[] | undefined;
  /** The separator of CSV for a spreadsheet, which then begins with the mark of UTF-8. */
  readonly separator?: ExportSeparator | undefined;
  /** Quantity and status are those after this movement; by default the newest one. */
  readonly sequence?: number;
  /** The page begins after this pet. */
  readonly after?: bigint;
}

export interface ExportPage {
  readonly sequence: number;
  /** Rows of a file, without its beginning and end; see `exportFrame`. */
  readonly text: string;
  /** Rows of the text. */
  readonly count: number;
  /** Pets read, also those left out. */
  readonly read: number;
  /** The next page begins after this pet; `undefined` when there is none. */
  readonly next?: bigint;
}

/** A pet in a file of pets. */
interface ExportedPet extends Pick<ManagedPet, Exclude<ExportColumn, 'supplier'>> {
  readonly supplier: string | null;
}

const NOT_PLAIN: readonly ExportColumn[] = ['sku', 'barcodes', 'supplier'];
const PLAIN_COLUMNS = EXPORT_COLUMNS.filter((column) => !NOT_PLAIN.includes(column));

/** The form of a file. */
type Form = Pick<ExportQuery, 'format' | 'columns' | 'separator'>;

const SEPARATORS: Readonly<Record<ExportSeparator, string>> = { comma: ',', semicolon: ';', tab: '\t' };

const columnsOf = ({ columns = PLAIN_COLUMNS }: Form) => columns;

const separatorOf = ({ separator = 'comma' }: Pick<Form, 'separator'>) => SEPARATORS[separator];

/** A table in a file: CSV, or the sheet of a workbook. */
interface TableForm {
  readonly format: 'csv' | 'xlsx';
  readonly separator?: ExportSeparator | undefined;
}

/** The text of a table before its first row, with the headings. */
export function fileBegin(form: TableForm, headings: readonly string[]): string {
  if (form.format === 'xlsx') return SHEET_BEGIN + sheetRow(headings);
  const mark = form.separator === undefined ? '' : '\ufeff';
  return `${mark}${headings.join(separatorOf(form))}\r\n`;
}

/** The text of a table after its last row. */
export function fileEnd({ format }: Pick<TableForm, 'format'>): string {
  return format === 'xlsx' ? SHEET_END : '';
}

/** A row of a table. */
export function fileRow(form: TableForm, values: readonly (string | number | bigint | null)[]): string {
  if (form.format === 'xlsx') return sheetRow(values);
  return `${values.map(spreadsheetField).join(separatorOf(form))}\r\n`;
}

/** Text before the first row and after the last one. Of a workbook it is that of its sheet. */
export function exportFrame(form: Form): { readonly begin: string; readonly end: string } {
  const { format, separator } = form;
  switch (format) {
    case 'csv':
    case 'xlsx':
      return { begin: fileBegin({ format, separator }, columnsOf(form)), end: fileEnd({ format }) };
    case 'json':
      return { begin: '[', end: '\n]\n' };
    default:
      return { begin: '', end: '' };
  }
}

/** What an export reads. */
interface ExportSource {
  count(): Promise<number>;
  exportPage(query: ExportQuery): Promise<ExportPage>;
}

/**
 * Why a workbook cannot have the pets of an export, as a sentence; `undefined` if it can. Only where the shop has more pets
 * than a sheet has rows are those of the filters counted, which reads them once more.
 * @param most The rows of a sheet, with the headings.
 */
export async function sheetFault(
  pets: ExportSource,
  query: ExportQuery,
  most = MAX_SHEET_ROWS,
): Promise<string | undefined> {
  if (query.format !== 'xlsx' || (await pets.count()) < most) return undefined;
  let count = 0;
  let page = await pets.exportPage(query);
  for (;;) {
    count += page.count;
    if (count >= most)
      return `A sheet has ${most} rows with the headings, and more pets match; export CSV, or use filters.`;
    if (page.next === undefined) return undefined;
    page = await pets.exportPage({ ...query, sequence: page.sequence, after: page.next });
  }
}

/** A row of a file. In a JSON array it begins with a comma, which the first row of the file leaves out. */
export function exportRow(form: Form, exported: ExportedPet): string {
  const { format } = form;
  const { supplier } = exported;
  const pet = { ...exported, supplier: supplier === null ? null : markedSupplier(supplier) };
  const columns = columnsOf(form);
  if (format === 'csv' || format === 'xlsx') {
    // A barcode is never longer than a line.
    const fields = { ...pet, barcodes: pet.barcodes.join('\n') };
    const values = columns.map((column) => fields[column]);
    return fileRow({ format, separator: form.separator }, values);
  }
  // JSON.stringify has no petId of 64 bits.
  const members = columns.map((column) =>
    column === 'petId' ? `"petId":${pet.petId}` : `"${column}":${JSON.stringify(pet[column])}`,
  );
  const row = `{${members.join()}}`;
  return format === 'json' ? `,\n${row}` : `${row}\n`;
}
