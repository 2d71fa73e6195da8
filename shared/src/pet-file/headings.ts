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
export const KEY_FIELDS = ['petId', 'sku', 'barcodes'] as const satisfies readonly PetField[];

/** A field without which a file cannot be imported. `petId` stands for all that name a pet. */
export type RequiredField = 'petId' | 'quantity';

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

/** Finds the field of each column by its heading. Exact names come first, and no field is used twice. */
export function guessMapping(headings: readonly string[]): Mapping {
  const exact = headings.map((heading) => PET_FIELDS.find((field) => field === heading) ?? null);
  const used = new Set<PetField | null>(exact);
  return headings.map((heading, column) => {
    const isRepeated = exact.indexOf(exact[column] ?? null) !== column;
    if (exact[column]) return isRepeated ? null : exact[column];
    const guess = fieldOf(heading) ?? null;
    if (used.has(guess)) return null;
    used.add(guess);
    return guess;
  });
}

/** How many columns have a known heading. */
export function knownColumns(headings: readonly string[]): number {
  return guessMapping(headings).filter((field) => field !== null).length;
}

/** Whether a row has all headings that a file needs. */
export function isHeading(row: readonly string[]): boolean {
  return missingFields(guessMapping(row)).length === 0;
}

/** Which of the first rows of a table has its headings: that with the needed ones, or with the most known ones. */
export function bestHeading(rows: readonly (readonly string[])[]): number {
  const complete = rows.findIndex(isHeading);
  if (complete !== -1) return complete;
  const known = rows.map(knownColumns);
  return known.indexOf(Math.max(...known));
}

export function isPrice(heading: string): boolean {
  return PRICE.test(foldedHeading(heading));
}
