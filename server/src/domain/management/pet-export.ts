import { withoutFormula } from '@petstore-inventory/shared/pet-file/csv-records';
import type { ExportFormat, ExportSeparator } from '@petstore-inventory/shared/words';
import type { ArchivedFilter, ManagedPet } from './pets.ts';

export interface ExportQuery {
  readonly format: ExportFormat;
  readonly archived: ArchivedFilter;
  /** Whether rows have the codes too. */
  readonly codes?: boolean | undefined;
  /** Of CSV for a spreadsheet, which then begins with the mark of UTF-8. */
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
export type ExportedPet = Pick<
  ManagedPet,
  'petId' | 'name' | 'category' | 'quantity' | 'status' | 'lowStockAt' | 'restockAt' | 'sku' | 'barcodes'
>;

const COLUMNS = ['petId', 'name', 'category', 'quantity', 'status', 'lowStockAt', 'restockAt'] as const;
const WITH_CODES = [...COLUMNS, 'sku', 'barcodes'] as const;

/** The form of a file. */
type Form = Pick<ExportQuery, 'format' | 'codes' | 'separator'>;

const SEPARATORS: Readonly<Record<ExportSeparator, string>> = { comma: ',', semicolon: ';', tab: '\t' };

const columnsOf = ({ codes = false }: Form) => (codes ? WITH_CODES : COLUMNS);

const separatorOf = ({ separator = 'comma' }: Form) => SEPARATORS[separator];

/** Text before the first row and after the last one. */
export function exportFrame(form: Form): { readonly begin: string; readonly end: string } {
  if (form.format === 'csv') {
    const mark = form.separator === undefined ? '' : '\ufeff';
    return { begin: `${mark}${columnsOf(form).join(separatorOf(form))}\r\n`, end: '' };
  }
  return form.format === 'json' ? { begin: '[', end: '\n]\n' } : { begin: '', end: '' };
}

/** A row of a file. In a JSON array it begins with a comma, which the first row of the file leaves out. */
export function exportRow(form: Form, pet: ExportedPet): string {
  const { format } = form;
  if (format === 'csv') {
    // A barcode is never longer than a line.
    const fields = { ...pet, barcodes: pet.barcodes.join('\n') };
    return `${columnsOf(form)
      .map((column) => csvField(fields[column]))
      .join(separatorOf(form))}\r\n`;
  }
  const { petId, ...members } = pet;
  const { name, category, quantity, status, lowStockAt, restockAt, sku, barcodes } = members;
  const codes = form.codes ? { sku, barcodes } : {};
  const rest = JSON.stringify({ name, category, quantity, status, lowStockAt, restockAt, ...codes });
  const row = `{"petId":${petId},${rest.slice(1)}`;
  return format === 'json' ? `,\n${row}` : `${row}\n`;
}

/** A value of a file that a spreadsheet opens, and runs nothing of. */
export function csvField(value: string | number | bigint | null): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = withoutFormula(value);
  return /[",;\s]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
