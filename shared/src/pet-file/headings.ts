/** The fields of a file of pets. */
export const PET_FIELDS = [
  'petId',
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

/** Rows with a title and the like, which suppliers write above the headings. */
export const MAX_ROWS_ABOVE = 20;

export const REQUIRED_FIELDS = ['petId', 'quantity'] as const satisfies readonly PetField[];

/** Known headings of them, for a message. */
export const EXAMPLES = {
  petId: 'id, item no, Artikelnummer',
  quantity: 'qty, stock, Menge, Bestand',
} as const satisfies Record<(typeof REQUIRED_FIELDS)[number], string>;

/** What each column of a file is; `null`: no field. */
export type Mapping = readonly (PetField | null)[];

/** Names that other programs give these columns, in English and German, folded as `foldedHeading` does. */
const OTHER_NAMES: Readonly<Record<PetField, string>> = {
  petId:
    'id pet petno petnumber number no nr item itemid itemno article articleno articlenumber productid tier tierid tiernummer tiernr artikel artikelnr artikelnummer nummer',
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
  const fields = guessMapping(row);
  return REQUIRED_FIELDS.every((field) => fields.includes(field));
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
