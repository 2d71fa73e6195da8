/** The fields of a file of pets. */
export const PET_FIELDS = [
  'petId',
  'sku',
  'barcodes',
  'name',
  'category',
  'quantity',
  'status',
  'lowStockAt',
  'restockAt',
  'supplier',
] as const;
export type PetField = (typeof PET_FIELDS)[number];

/** What is wrong with a row, in a file of the rows that an import left out. No import reads it. */
export const PROBLEM_COLUMN = 'import_problem';

/** Columns of the stock page's own file that an import does not change: they follow from the others, or from orders. */
const DERIVED_COLUMNS = ['reserved', 'available', 'alert', 'updatedAt'];

/** The columns to leave out of a file of the stock page, which is known by its own exact headings. */
export function derivedColumns(headings: readonly string[]): readonly string[] {
  const isOwn = headings.includes('petId') && headings.includes('quantity');
  return isOwn ? DERIVED_COLUMNS.filter((name) => headings.includes(name)) : [];
}

/** Rows with a title and the like, which suppliers write above the headings. */
export const MAX_ROWS_ABOVE = 20;

/** The fields that name the pet of a row. A row is of the pet with the first of them that it has. */
const KEY_FIELDS = ['petId', 'sku', 'barcodes'] as const satisfies readonly PetField[];

/** A field without which a file cannot be imported. `petId` stands for all that name a pet. */
type RequiredField = 'petId' | 'quantity';

/** Known headings of them, for a message. */
export const EXAMPLES: Readonly<Record<RequiredField, string>> = {
  petId: 'id, sku, item no, Artikelnummer, EAN',
  quantity: 'qty, stock, Menge, Bestand',
};

/** The required fields that no column has. */
export function missingFields(mapping: Mapping): readonly RequiredField[] {
  const hasKey = KEY_FIELDS.some((field) => mapping.includes(field));
  return [
    ...(hasKey ? [] : ['petId' as const]),
    ...(mapping.includes('quantity') ? [] : ['quantity' as const]),
  ];
}

/** What each column of a file is; `null`: no field. */
export type Mapping = readonly (PetField | null)[];

/** What a column or member with this heading is; `null`: it is left out. */
export interface MappedColumn {
  readonly heading: string;
  readonly field: PetField | null;
}

/** Mapped columns by `headingKey`. */
export type ColumnMap = ReadonlyMap<string, MappedColumn>;

export const NO_COLUMNS: ColumnMap = new Map();

/** Mapped columns; of two with the same heading the first one. */
export function columnMap(columns: readonly MappedColumn[] = []): ColumnMap {
  const map = new Map<string, MappedColumn>();
  for (const column of columns) {
    const key = headingKey(column.heading);
    if (!map.has(key)) map.set(key, column);
  }
  return map;
}

/** A heading as mapped columns compare it: without regard to case and to spaces at its ends or in a row. */
export function headingKey(heading: string): string {
  return heading.normalize('NFC').trim().replace(/\s+/gu, ' ').toLowerCase();
}

/** Names that other programs give these columns, in English and German, folded as `foldedHeading` does. */
const OTHER_NAMES: Readonly<Record<PetField, string>> = {
  petId: 'id pet petno petnumber tier tierid tiernummer tiernr',
  sku: 'no nr number item itemid itemno itemnumber itemcode article articleid articleno articlenumber articlecode productid productno productnumber productcode artikel artikelid artikelnr artikelnummer artikelcode artnr bestellnummer nummer',
  barcodes: 'barcode ean eans ean13 eancode gtin gtins gtin13 upc upccode strichcode strichcodes',
  name: 'petname title description label bezeichnung beschreibung titel produkt product artikelname artikelbezeichnung',
  category: 'group type species kind categoryname kategorie gruppe warengruppe tierart art',
  quantity:
    'qty count counted stock onhand units amount inventory quantityonhand instock menge anzahl bestand stueck stuck lagerbestand istbestand',
  status: 'state availability zustand verfugbarkeit verfuegbarkeit',
  lowStockAt: 'low lowat lowstock minimum min minstock reorderpoint reorderlevel mindestbestand meldebestand',
  restockAt: 'restock enoughat target targetstock max maximum sollbestand zielbestand hochstbestand',
  supplier: 'suppliername vendor vendorname distributor lieferant lieferantenname lieferer',
};

const FIELD_OF_NAME: ReadonlyMap<string, PetField> = new Map(
  PET_FIELDS.flatMap((field) =>
    [field.toLowerCase(), ...OTHER_NAMES[field].split(' ')].map((name): [string, PetField] => [name, field]),
  ),
);

/** Headings of prices, whose numbers show how a file writes numbers. */
const PRICE = /preis|price|cost|kosten|betrag|netto|brutto/;

export function isPetField(name: string): name is PetField {
  return (PET_FIELDS as readonly string[]).includes(name);
}

function foldedHeading(heading: string): string {
  return heading
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^a-z0-9]/g, '');
}

/** The field that a heading names, exactly or by another name. */
export function fieldOf(heading: string): PetField | undefined {
  return FIELD_OF_NAME.get(foldedHeading(heading));
}

/**
 * Finds the field of each column by its heading: mapped columns come first, then exact names, then other names. No field is used
 * twice.
 */
export function guessMapping(headings: readonly string[], map: ColumnMap = NO_COLUMNS): Mapping {
  const found: (PetField | null)[] = headings.map(() => null);
  const used = new Set<PetField>();
  const mapped = headings.map((heading) => (map.size === 0 ? undefined : map.get(headingKey(heading))));
  const claim = (fieldFor: (heading: string, column: number) => PetField | null | undefined) => {
    for (const [column, heading] of headings.entries()) {
      const field = found[column] === null ? fieldFor(heading, column) : undefined;
      if (!field || used.has(field)) continue;
      used.add(field);
      found[column] = field;
    }
  };
  claim((_heading, column) => mapped[column]?.field);
  claim((heading, column) => (mapped[column] ? null : PET_FIELDS.find((field) => field === heading)));
  claim((heading, column) => (mapped[column] ? null : fieldOf(heading)));
  return found;
}

/** How many columns have a known heading. */
export function knownColumns(headings: readonly string[], map: ColumnMap = NO_COLUMNS): number {
  const left = headings.filter((heading) => map.get(headingKey(heading))?.field === null).length;
  return left + guessMapping(headings, map).filter((field) => field !== null).length;
}

/** The mapped columns with a field that a file does not have. */
export function missingColumns(headings: readonly string[], map: ColumnMap): readonly MappedColumn[] {
  const keys = new Set(headings.map(headingKey));
  return [...map].flatMap(([key, column]) => (column.field === null || keys.has(key) ? [] : [column]));
}

/** Whether a row has all headings that a file needs. */
export function isHeading(row: readonly string[], map: ColumnMap = NO_COLUMNS): boolean {
  return missingFields(guessMapping(row, map)).length === 0;
}

/** Which of the first rows of a table has its headings: that with the needed ones, or with the most known ones. */
export function bestHeading(rows: readonly (readonly string[])[], map: ColumnMap = NO_COLUMNS): number {
  const complete = rows.findIndex((row) => isHeading(row, map));
  if (complete !== -1) return complete;
  const known = rows.map((row) => knownColumns(row, map));
  return known.indexOf(Math.max(...known));
}

export function isPrice(heading: string): boolean {
  return PRICE.test(foldedHeading(heading));
}
