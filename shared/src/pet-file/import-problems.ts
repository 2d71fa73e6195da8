import { describeUnstorable } from '../storable-text.ts';

/** Values of a problem, as texts: some numbers have more digits than a JSON number keeps. */
type Values<Name extends string> = Readonly<Record<Name, string>>;

type AmbiguousValues = Values<'value' | 'grouped' | 'decimal' | 'grouping'>;

/** The sentence of each code. It has no other values than those that clients get. */
const SENTENCES = {
  empty_file: () => 'the file is empty; give it a header and one row per pet, or a JSON array.',
  spreadsheet_file: () =>
    'this is a spreadsheet; import it as .xlsx without a password, or save it as CSV (UTF-8).',
  no_workbook: () => 'this is no .xlsx workbook; save the sheet as .xlsx or CSV (UTF-8).',
  damaged_workbook: () => 'the workbook is damaged; open it in a spreadsheet, and save it again.',
  workbook_macros: () => 'the workbook has macros; save it as .xlsx, which has none.',
  workbook_too_large: ({ bytes, maximum }: Values<'bytes' | 'maximum'>) =>
    `the workbook needs ${bytes} bytes, and may need ${maximum}; split it, or save it as CSV.`,
  several_sheets: ({ sheets }: Values<'sheets'>) => `the sheets ${sheets} have pets; say which one to read.`,
  unknown_sheet: ({ sheet, sheets }: Values<'sheet' | 'sheets'>) =>
    `there is no visible sheet ${sheet}; there are ${sheets}.`,
  too_many_columns: ({ maximum }: Values<'maximum'>) =>
    `the sheet has more than ${maximum} columns; remove those that are not needed.`,
  too_many_empty_rows: ({ maximum }: Values<'maximum'>) =>
    `the sheet has more than ${maximum} empty rows; remove them, or save it as CSV.`,
  unreadable_text: ({ encoding }: Values<'encoding'>) =>
    `this is not ${encoding} text; save the file as UTF-8.`,
  mixed_encodings: ({ first, second }: Values<'first' | 'second'>) =>
    `this text is partly ${first} and partly ${second}; save the file as UTF-8.`,
  uncertain_encoding: ({ encoding }: Values<'encoding'>) =>
    `this is hardly ${encoding}, nor is it UTF-8; save the file as UTF-8, or give its encoding if it is one of those that can be given.`,
  no_pets: ({ format }: Values<'format'>) => {
    if (format === 'csv') return 'there are no pets below the header; add one row per pet.';
    return `there are no pets in the file; add one ${format === 'xlsx' ? 'row' : 'object'} per pet.`;
  },
  too_many_pets: ({ maximum }: Values<'maximum'>) => `a file may have at most ${maximum} rows; split it.`,
  row_too_long: ({ maximum }: Values<'maximum'>) =>
    `the row that begins here has more than ${maximum} characters; look for a quote that is not closed.`,

  quote_not_closed: () =>
    'a quote is opened in the row that begins here and never closed; close it, or remove it.',
  text_after_quote: () => 'a closing quote must be followed by a separator or the end of the line.',
  quote_inside_field: () => 'a field with a quote in it must be quoted as a whole, and its quotes doubled.',
  repeated_column: ({ field, first, second }: Values<'field' | 'first' | 'second'>) =>
    first === second
      ? `the column ${field} is there twice; leave one of them out.`
      : `the columns ${first} and ${second} are both ${field}; leave one of them out.`,
  unknown_column: ({ columns, more, allowed }: Values<'columns' | 'more' | 'allowed'>) =>
    more === '0' && !columns.includes('", "')
      ? `the column ${columns} is not kept; remove it, or name it as one of ${allowed}.`
      : `the columns ${columns}${more === '0' ? '' : ` and ${more} more`} are not kept; remove them, or name them as some of ${allowed}.`,
  missing_column: ({ field, known }: Values<'field' | 'known'>) =>
    `the column ${field} is missing; name its heading ${field}, or one of ${known}.`,
  mapped_column_missing: ({ columns, more, mapping }: Values<'columns' | 'more' | 'mapping'>) =>
    `the file has no ${columnsOf(columns, more)}, which the mapping ${mapping} has; use another mapping, or correct it.`,
  named_column_missing: ({ columns, more }: Values<'columns' | 'more'>) =>
    `the file has no ${columnsOf(columns, more)}; name headings that it has.`,
  wrong_field_count: ({ expected, found }: Values<'expected' | 'found'>) =>
    `the header has ${expected} fields, this row has ${found}; quote a field that has a separator in it.`,

  array_missing: () => 'a JSON array must begin here; a file of one object a line is named .ndjson.',
  array_not_closed: () => 'the file ends before its array does; close it with ].',
  comma_missing: () => 'there must be a comma, or the end of the array, before this.',
  element_missing: () => 'an element is missing here, or there is a comma too many before it.',
  text_after_array: () => 'nothing may follow the end of the array.',
  invalid_json: () => 'the value that begins here is not valid JSON.',
  value_not_closed: () => 'the value that begins here is never closed; look for a missing } or ].',
  string_not_closed: () => 'a string is not closed on this line; write a line break in it as \\n.',
  not_an_object: ({ value }: Values<'value'>) => `${value} is not an object with petId and quantity.`,
  unknown_member: ({ member, allowed }: Values<'member' | 'allowed'>) =>
    `the member ${member} is not kept; remove it, or name it as one of ${allowed}.`,
  repeated_member: () => 'it is there twice; leave one of them out.',

  date_cell: ({ value }: Values<'value'>) =>
    `the cell is a date, ${value}; write the number or the text that is meant.`,
  error_cell: ({ value }: Values<'value'>) => `the cell has the error ${value}; correct its formula.`,
  formula_without_value: () =>
    'the cell has a formula without a value; open the workbook in a spreadsheet, and save it again.',
  external_cell: ({ value }: Values<'value'>) =>
    `the cell takes ${value} from another file; paste it as a value.`,
  missing_value: () => 'it is missing; every row needs it.',
  invalid_pet_id: ({ value }: Values<'value'>) =>
    `${value} is not a whole number of 64 bits in plain digits, such as 42.`,
  invalid_sku: ({ value, maximum }: Values<'value' | 'maximum'>) =>
    `${value} is no SKU, which has at most ${maximum} printable characters.`,
  invalid_barcode: ({ value, maximum }: Values<'value' | 'maximum'>) =>
    `${value} is no barcode, which has at most ${maximum} printable ASCII characters.`,
  wrong_check_digit: ({ value, right }: Values<'value' | 'right'>) =>
    `${value} is misread or mistyped: a barcode of this length with these digits ends with ${right}.`,
  zero_barcode: ({ value }: Values<'value'>) =>
    `${value} is a number that no article has; leave the field empty.`,
  shortened_code: ({ value }: Values<'value'>) =>
    `${value} has lost digits in a spreadsheet; format the column as text, and enter the code again.`,
  too_many_barcodes: ({ count, maximum }: Values<'count' | 'maximum'>) =>
    `there are ${count} barcodes, and a pet may have ${maximum}.`,
  repeated_code: ({ code, earlierLine }: Values<'code' | 'earlierLine'>) =>
    `${code} is on line ${earlierLine} already; a code belongs to one pet.`,
  code_in_use: ({ code, petId }: Values<'code' | 'petId'>) =>
    `${code} is a code of pet ${petId}; correct it, or remove it from that pet first.`,
  codes_of_two_pets: ({ petId, otherId }: Values<'petId' | 'otherId'>) =>
    `its barcodes belong to the pets ${petId} and ${otherId}; keep those of one.`,
  code_moved: ({ code, petId }: Values<'code' | 'petId'>) =>
    `${code} named pet ${petId}, and is no longer its code; plan again.`,
  no_pet_id_left: () => 'no petId is left for a new pet; give the row a petId.',
  unknown_code: ({ code }: Values<'code'>) =>
    `no pet has the code ${code}; correct it, or add the pet first.`,
  repeated_pet: ({ petId, earlierLine }: Values<'petId' | 'earlierLine'>) =>
    `${petId} is on line ${earlierLine} already; keep one of the two rows.`,
  not_a_text: ({ value }: Values<'value'>) => `${value} is not a text; put it in quotes.`,
  text_too_long: ({ length, maximum }: Values<'length' | 'maximum'>) =>
    `it has ${length} characters, and may have ${maximum}.`,
  invalid_character: ({ value, character }: Values<'value' | 'character'>) =>
    `${value} has ${describeUnstorable(character)}`,
  invalid_status: ({ value, allowed }: Values<'value' | 'allowed'>) => `${value} is not one of ${allowed}.`,
  ambiguous_number: ({ value, grouped, decimal, grouping }: AmbiguousValues) =>
    `${value} could be ${grouped} or ${decimal}: it is ${grouped} with decimal ${grouping}, and ${decimal} with decimal ${grouping === 'comma' ? 'point' : 'comma'}.`,
  invalid_quantity: ({ value, minimum, maximum }: Values<'value' | 'minimum' | 'maximum'>) =>
    `${value} is not a whole number from ${minimum} to ${maximum}.`,
  quantity_too_large: ({ quantity, maximum }: Values<'quantity' | 'maximum'>) =>
    `${quantity} is above PETSTORE_MAX_QUANTITY (${maximum}).`,
  sum_below_zero: ({ added, found, sum }: Values<'petId' | 'added' | 'found' | 'sum'>) =>
    `adding ${added} to ${found} makes ${sum}, below 0.`,
  sum_too_large: ({ added, found, sum, maximum }: Values<'petId' | 'added' | 'found' | 'sum' | 'maximum'>) =>
    `adding ${added} to ${found} makes ${sum}, above PETSTORE_MAX_QUANTITY (${maximum}).`,
  invalid_threshold: ({ value, maximum }: Values<'value' | 'maximum'>) =>
    `${value} is neither none nor a whole number from 0 to ${maximum}.`,
  low_stock_at_missing: () => 'it needs a number as lowStockAt in the same row.',
  restock_at_too_low: ({ restockAt, lowStockAt }: Values<'restockAt' | 'lowStockAt'>) =>
    `${restockAt} is not greater than lowStockAt, which is ${lowStockAt}.`,

  stock_changed: ({ petId }: Values<'petId'>) => `pet ${petId} changed after the plan; plan again.`,
};

function columnsOf(columns: string, more: string): string {
  if (more !== '0') return `columns ${columns} and ${more} more`;
  return columns.includes('", "') ? `columns ${columns}` : `column ${columns}`;
}

/** What can be wrong in a file of pets, or with a row after the plan. */
export type ImportErrorCode = keyof typeof SENTENCES;
export const IMPORT_ERROR_CODES = Object.keys(SENTENCES) as [ImportErrorCode, ...ImportErrorCode[]];

/** A text for each code, of the values that come with it. */
export type ImportErrorTexts = {
  readonly [Code in ImportErrorCode]: (...given: Parameters<(typeof SENTENCES)[Code]>) => string;
};

/** What is wrong, without its place. */
export interface ImportProblem {
  readonly code: ImportErrorCode;
  /** What the sentence names: limits, columns, the value of the file. */
  readonly values: Readonly<Record<string, string>>;
  /** A sentence. */
  readonly message: string;
}

/** Makes a problem with its sentence. */
export function importProblem<Code extends ImportErrorCode>(
  code: Code,
  ...[given]: Parameters<ImportErrorTexts[Code]> extends [infer Named]
    ? [given: { readonly [Name in keyof Named]: string | number | bigint }]
    : []
): ImportProblem {
  const values = Object.fromEntries(
    Object.entries(given ?? {}).map(([name, value]) => [name, String(value)]),
  );
  const sentence = SENTENCES[code] as (values: Readonly<Record<string, string>>) => string;
  return { code, values, message: sentence(values) };
}
