type Values<Name extends string> = Readonly<Record<Name, string>>;

/** What is wrong in a file of pets, by the code of the service. Numbers are formatted already. */
export const importErrors = {
  empty_file: () => 'The file is empty.',
  spreadsheet_file: () =>
    'This is a spreadsheet of an old form, or with a password. Save it as .xlsx without one, or as CSV.',
  no_workbook: () => 'This is no .xlsx workbook. Save the sheet as .xlsx or CSV.',
  damaged_workbook: () => 'The workbook is damaged. Open it in a spreadsheet, and save it again.',
  workbook_macros: () => 'The workbook has macros. Save it as .xlsx, which has none.',
  workbook_too_large: ({ bytes, maximum }: Values<'bytes' | 'maximum'>) =>
    `The workbook needs ${bytes} bytes, and may need ${maximum}. Split it, or save it as CSV.`,
  several_sheets: ({ sheets }: Values<'sheets'>) => `The sheets ${sheets} have pets. Which one is meant?`,
  unknown_sheet: ({ sheet, sheets }: Values<'sheet' | 'sheets'>) =>
    `There is no visible sheet ${sheet}. There are ${sheets}.`,
  too_many_columns: ({ maximum }: Values<'maximum'>) =>
    `The sheet has more than ${maximum} columns. Remove those that are not needed.`,
  too_many_empty_rows: ({ maximum }: Values<'maximum'>) =>
    `The sheet has more than ${maximum} empty rows. Remove them, or save it as CSV.`,
  date_cell: ({ value }: Values<'value'>) =>
    `The cell is a date, ${value}. Write the number or the text that is meant.`,
  error_cell: ({ value }: Values<'value'>) => `The cell has the error ${value}. Correct its formula.`,
  formula_without_value: () =>
    'The cell has a formula without a value. Open the workbook in a spreadsheet, and save it again.',
  external_cell: ({ value }: Values<'value'>) =>
    `The cell takes ${value} from another file. Paste it as a value.`,
  unreadable_text: ({ encoding }: Values<'encoding'>) =>
    `These characters cannot be read as ${encoding}. Save the file as UTF-8.`,
  mixed_encodings: ({ first, second }: Values<'first' | 'second'>) =>
    `The text is partly ${first} and partly ${second}. Save the file as UTF-8.`,
  uncertain_encoding: ({ encoding }: Values<'encoding'>) =>
    `The file is hardly ${encoding}, nor is it UTF-8. Save it as UTF-8.`,
  no_pets: ({ format }: Values<'format'>): string =>
    format === 'csv' ? 'There are no pets below the header.' : 'There are no pets in the file.',
  too_many_pets: ({ maximum }: Values<'maximum'>) =>
    `The file has more than ${maximum} rows. Split it into several files.`,
  row_too_long: ({ maximum }: Values<'maximum'>) =>
    `The row that begins here has more than ${maximum} characters.`,
  quote_not_closed: () => 'A quote is opened in the row that begins here and never closed.',
  text_after_quote: () => 'A closing quote must be followed by a separator or the end of the line.',
  quote_inside_field: () => 'A field with a quote in it must be quoted as a whole, and its quotes doubled.',
  repeated_column: ({ field, first, second }: Values<'field' | 'first' | 'second'>) =>
    first === second
      ? `The column ${first} is there twice.`
      : `The columns ${first} and ${second} are both ${field}. Leave one of them out.`,
  unknown_column: ({ columns, more, allowed }: Values<'columns' | 'more' | 'allowed'>) =>
    `Not kept: the column ${columns}${more === '0' ? '' : ` and ${more} more`}. The columns are ${allowed}.`,
  missing_column: ({ field, known }: Values<'field' | 'known'>) =>
    `The column ${field} is missing. Name it ${field}, or one of ${known}.`,
  mapped_column_missing: ({ columns, more, mapping }: Values<'columns' | 'more' | 'mapping'>) =>
    `The mapping ${mapping} has columns that the file does not have: ${columns}${more === '0' ? '' : ` and ${more} more`}.`,
  named_column_missing: ({ columns, more }: Values<'columns' | 'more'>) =>
    `The file does not have these columns: ${columns}${more === '0' ? '' : ` and ${more} more`}.`,
  wrong_field_count: ({ expected, found }: Values<'expected' | 'found'>) =>
    `The header has ${expected} fields, this row has ${found}.`,
  array_missing: () => 'A JSON array must begin here. A file of one object per line is named .ndjson.',
  array_not_closed: () => 'The file ends before its array does.',
  comma_missing: () => 'There must be a comma, or the end of the array, before this.',
  element_missing: () => 'An element is missing here, or there is a comma too many before it.',
  text_after_array: () => 'Nothing may follow the end of the array.',
  invalid_json: () => 'The value that begins here is not valid JSON.',
  value_not_closed: () => 'The value that begins here is never closed.',
  string_not_closed: () => 'A text is not closed on this line.',
  not_an_object: ({ value }: Values<'value'>) => `${value} is not an object with petId and quantity.`,
  unknown_member: ({ member, allowed }: Values<'member' | 'allowed'>) =>
    `The member ${member} is not kept. The members are ${allowed}.`,
  repeated_member: () => 'This member is there twice.',
  missing_value: () => 'The value is missing.',
  invalid_pet_id: ({ value }: Values<'value'>) =>
    `${value} is not an id: a whole number in plain digits, such as 42.`,
  invalid_sku: ({ value, maximum }: Values<'value' | 'maximum'>) =>
    `${value} is no SKU: at most ${maximum} printable characters.`,
  invalid_barcode: ({ value, maximum }: Values<'value' | 'maximum'>) =>
    `${value} is no barcode: at most ${maximum} printable ASCII characters.`,
  wrong_check_digit: ({ value, right }: Values<'value' | 'right'>) =>
    `${value} is misread or mistyped: it must end with ${right}.`,
  zero_barcode: ({ value }: Values<'value'>) => `No article has the number ${value}. Leave the field empty.`,
  shortened_code: ({ value }: Values<'value'>) =>
    `${value} has lost digits in a spreadsheet. Format the column as text, and enter the code again.`,
  too_many_barcodes: ({ count, maximum }: Values<'count' | 'maximum'>) =>
    `There are ${count} barcodes; a pet may have ${maximum}.`,
  repeated_code: ({ code, earlierLine }: Values<'code' | 'earlierLine'>) =>
    `${code} is on line ${earlierLine} already.`,
  code_in_use: ({ code, petId }: Values<'code' | 'petId'>) => `${code} is a code of pet ${petId}.`,
  codes_of_two_pets: ({ petId, otherId }: Values<'petId' | 'otherId'>) =>
    `Its barcodes belong to the pets ${petId} and ${otherId}.`,
  code_moved: ({ code, petId }: Values<'code' | 'petId'>) =>
    `${code} named pet ${petId} when the file was checked, and is no longer its code. Plan again.`,
  no_pet_id_left: () => 'No id is left for a new pet. Give the row an id.',
  unknown_code: ({ code }: Values<'code'>) => `No pet has the code ${code}.`,
  repeated_pet: ({ petId, earlierLine }: Values<'petId' | 'earlierLine'>) =>
    `${petId} is on line ${earlierLine} already.`,
  not_a_text: ({ value }: Values<'value'>) => `${value} is not a text.`,
  text_too_long: ({ length, maximum }: Values<'length' | 'maximum'>) =>
    `The text has ${length} characters, and may have ${maximum}.`,
  invalid_character: ({ value, character }: Values<'value' | 'character'>) =>
    character === 'U+000A' || character === 'U+000D'
      ? `${value} has a line break. Write it on one line.`
      : `${value} has the character ${character}, which cannot be kept. Remove it.`,
  invalid_status: ({ value, allowed }: Values<'value' | 'allowed'>) => `${value} is not one of ${allowed}.`,
  ambiguous_number: ({ value, grouped, decimal }: Values<'value' | 'grouped' | 'decimal'>) =>
    `${value} could be ${grouped} or ${decimal}. Choose the mark of decimals of the file.`,
  invalid_quantity: ({ value, minimum, maximum }: Values<'value' | 'minimum' | 'maximum'>) =>
    `${value} is not a whole number from ${minimum} to ${maximum}.`,
  quantity_too_large: ({ quantity, maximum }: Values<'quantity' | 'maximum'>) =>
    `${quantity} is more than the largest quantity (${maximum}).`,
  sum_below_zero: ({ added, found, sum }: Values<'added' | 'found' | 'sum'>) =>
    `Adding ${added} to ${found} makes ${sum}, which is below 0.`,
  sum_too_large: ({ added, found, sum, maximum }: Values<'added' | 'found' | 'sum' | 'maximum'>) =>
    `Adding ${added} to ${found} makes ${sum}, which is more than the largest quantity (${maximum}).`,
  invalid_threshold: ({ value, maximum }: Values<'value' | 'maximum'>) =>
    `${value} is neither none nor a whole number from 0 to ${maximum}.`,
  low_stock_at_missing: () => 'It needs a number as lowStockAt in the same row.',
  restock_at_too_low: ({ restockAt, lowStockAt }: Values<'restockAt' | 'lowStockAt'>) =>
    `${restockAt} is not greater than lowStockAt, which is ${lowStockAt}.`,
  stock_changed: ({ petId }: Values<'petId'>) => `Pet ${petId} changed after the plan.`,
};
