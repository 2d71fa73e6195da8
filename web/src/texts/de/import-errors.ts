import type { importErrors as english } from '../en/import-errors.ts';

export const importErrors: typeof english = {
  empty_file: () => 'Die Datei ist leer.',
  spreadsheet_file: () =>
    'Das ist eine Tabelle in einem alten Format oder mit Kennwort. Speichere sie als .xlsx ohne Kennwort oder als CSV.',
  no_workbook: () => 'Das ist keine .xlsx-Mappe. Speichere das Blatt als .xlsx oder CSV.',
  damaged_workbook: () =>
    'Die Mappe ist beschädigt. Öffne sie in einer Tabellenkalkulation und speichere sie noch einmal.',
  workbook_macros: () => 'Die Mappe hat Makros. Speichere sie als .xlsx, ein Format ohne Makros.',
  workbook_too_large: ({ bytes, maximum }) =>
    `Die Mappe braucht ${bytes} Bytes, erlaubt sind ${maximum}. Teile sie oder speichere sie als CSV.`,
  several_sheets: ({ sheets }) => `Die Blätter ${sheets} enthalten Tiere. Welches ist gemeint?`,
  unknown_sheet: ({ sheet, sheets }) => `Es gibt kein sichtbares Blatt ${sheet}. Es gibt ${sheets}.`,
  too_many_columns: ({ maximum }) =>
    `Das Blatt hat mehr als ${maximum} Spalten. Entferne die, die nicht nötig sind.`,
  too_many_empty_rows: ({ maximum }) =>
    `Das Blatt hat mehr als ${maximum} leere Zeilen. Entferne sie oder speichere das Blatt als CSV.`,
  date_cell: ({ value }) =>
    `Die Zelle ist ein Datum, ${value}. Schreibe die Zahl oder den Text, der gemeint ist.`,
  error_cell: ({ value }) => `Die Zelle hat den Fehler ${value}. Berichtige ihre Formel.`,
  formula_without_value: () =>
    'Die Zelle hat eine Formel ohne Wert. Öffne die Mappe in einer Tabellenkalkulation und speichere sie noch einmal.',
  external_cell: ({ value }) => `Die Zelle holt ${value} aus einer anderen Datei. Füge es als Wert ein.`,
  unreadable_text: ({ encoding }) =>
    `Diese Zeichen sind als ${encoding} nicht lesbar. Speichere die Datei als UTF-8.`,
  mixed_encodings: ({ first, second }) =>
    `Der Text ist teils ${first} und teils ${second}. Speichere die Datei als UTF-8.`,
  uncertain_encoding: ({ encoding }) =>
    `Die Datei ist wohl weder ${encoding} noch UTF-8. Speichere sie als UTF-8.`,
  no_pets: ({ format }) =>
    format === 'csv' ? 'Unter der Kopfzeile stehen keine Tiere.' : 'In der Datei stehen keine Tiere.',
  too_many_pets: ({ maximum }) => `Die Datei hat mehr als ${maximum} Zeilen. Teile sie auf mehrere auf.`,
  row_too_long: ({ maximum }) => `Die Zeile, die hier beginnt, hat mehr als ${maximum} Zeichen.`,
  quote_not_closed: () => 'In der Zeile, die hier beginnt, wird ein Anführungszeichen nicht geschlossen.',
  text_after_quote: () =>
    'Nach einem schließenden Anführungszeichen muss ein Trennzeichen oder das Zeilenende folgen.',
  quote_inside_field: () =>
    'Ein Feld mit einem Anführungszeichen muss ganz in Anführungszeichen stehen, seine eigenen doppelt.',
  repeated_column: ({ field, first, second }) =>
    first === second
      ? `Die Spalte ${first} gibt es zweimal.`
      : `Die Spalten ${first} und ${second} sind beide ${field}. Lass eine weg.`,
  unknown_column: ({ columns, more, allowed }) =>
    `Unbekannte Spalte ${columns}${more === '0' ? '' : ` und ${more} weitere`}. Die Spalten sind ${allowed}.`,
  missing_column: ({ field, known }) =>
    `Die Spalte ${field} fehlt. Nenne sie ${field} oder eines von ${known}.`,
  mapped_column_missing: ({ columns, more, mapping }) =>
    `Die Zuordnung ${mapping} hat Spalten, die in der Datei fehlen: ${columns}${more === '0' ? '' : ` und ${more} weitere`}.`,
  named_column_missing: ({ columns, more }) =>
    `Diese Spalten fehlen in der Datei: ${columns}${more === '0' ? '' : ` und ${more} weitere`}.`,
  wrong_field_count: ({ expected, found }) =>
    `Die Kopfzeile hat ${expected} Felder, diese Zeile hat ${found}.`,
  array_missing: () =>
    'Hier muss ein JSON-Array beginnen. Eine Datei mit einem Objekt pro Zeile endet auf .ndjson.',
  array_not_closed: () => 'Die Datei endet vor ihrem Array.',
  comma_missing: () => 'Davor muss ein Komma oder das Ende des Arrays stehen.',
  element_missing: () => 'Hier fehlt ein Element, oder das Komma davor ist zu viel.',
  text_after_array: () => 'Nach dem Ende des Arrays darf nichts stehen.',
  invalid_json: () => 'Der Wert, der hier beginnt, ist kein gültiges JSON.',
  value_not_closed: () => 'Der Wert, der hier beginnt, wird nicht geschlossen.',
  string_not_closed: () => 'In dieser Zeile wird ein Text nicht geschlossen.',
  not_an_object: ({ value }) => `${value} ist kein Objekt mit petId und quantity.`,
  unknown_member: ({ member, allowed }) => `Unbekanntes Feld ${member}. Die Felder sind ${allowed}.`,
  repeated_member: () => 'Dieses Feld gibt es zweimal.',
  missing_value: () => 'Der Wert fehlt.',
  invalid_pet_id: ({ value }) => `${value} ist keine ID: eine ganze Zahl nur aus Ziffern, etwa 42.`,
  invalid_sku: ({ value, maximum }) =>
    `${value} ist keine Artikelnummer: höchstens ${maximum} druckbare Zeichen.`,
  invalid_barcode: ({ value, maximum }) =>
    `${value} ist kein Strichcode: höchstens ${maximum} druckbare ASCII-Zeichen.`,
  wrong_check_digit: ({ value, right }) =>
    `${value} ist falsch gelesen oder vertippt: Die letzte Ziffer muss ${right} sein.`,
  zero_barcode: ({ value }) => `Kein Artikel hat die Nummer ${value}. Lass das Feld leer.`,
  shortened_code: ({ value }) =>
    `${value} hat in einer Tabellenkalkulation Ziffern verloren. Formatiere die Spalte als Text und gib den Code neu ein.`,
  too_many_barcodes: ({ count, maximum }) =>
    `Es sind ${count} Strichcodes; ein Tier darf höchstens ${maximum} haben.`,
  repeated_code: ({ code, earlierLine }) => `${code} steht schon in Zeile ${earlierLine}.`,
  code_in_use: ({ code, petId }) => `${code} ist ein Code von Tier ${petId}.`,
  codes_of_two_pets: ({ petId, otherId }) => `Die Strichcodes gehören zu den Tieren ${petId} und ${otherId}.`,
  code_moved: ({ code, petId }) =>
    `${code} gehörte bei der Prüfung Tier ${petId} und gehört ihm nicht mehr. Plane neu.`,
  no_pet_id_left: () => 'Für ein neues Tier ist keine ID mehr frei. Gib der Zeile eine ID.',
  unknown_code: ({ code }) => `Kein Tier hat den Code ${code}.`,
  repeated_pet: ({ petId, earlierLine }) => `${petId} steht schon in Zeile ${earlierLine}.`,
  not_a_text: ({ value }) => `${value} ist kein Text.`,
  text_too_long: ({ length, maximum }) => `Der Text hat ${length} Zeichen, erlaubt sind ${maximum}.`,
  invalid_character: ({ value, character }) =>
    character === 'U+000A' || character === 'U+000D'
      ? `${value} enthält einen Zeilenumbruch. Schreibe es in eine Zeile.`
      : `${value} enthält das Zeichen ${character}, das nicht gespeichert werden kann. Entferne es.`,
  invalid_status: ({ value, allowed }) => `${value} ist keiner von ${allowed}.`,
  ambiguous_number: ({ value, grouped, decimal }) =>
    `${value} kann ${grouped} oder ${decimal.replace('.', ',')} bedeuten. Wähle das Dezimalzeichen der Datei.`,
  invalid_quantity: ({ value, minimum, maximum }) =>
    `${value} ist keine ganze Zahl von ${minimum} bis ${maximum}.`,
  quantity_too_large: ({ quantity, maximum }) => `${quantity} ist mehr als die größte Menge (${maximum}).`,
  sum_below_zero: ({ added, found, sum }) => `${added} zu ${found} addiert ergibt ${sum}, weniger als 0.`,
  sum_too_large: ({ added, found, sum, maximum }) =>
    `${added} zu ${found} addiert ergibt ${sum}, mehr als die größte Menge (${maximum}).`,
  invalid_threshold: ({ value, maximum }) =>
    `${value} ist weder none noch eine ganze Zahl von 0 bis ${maximum}.`,
  low_stock_at_missing: () => 'Dazu gehört eine Zahl als lowStockAt in derselben Zeile.',
  restock_at_too_low: ({ restockAt, lowStockAt }) =>
    `${restockAt} ist nicht größer als lowStockAt mit ${lowStockAt}.`,
  stock_changed: ({ petId }) => `Tier ${petId} hat sich nach dem Plan geändert.`,
};
