/** The fields of a file of pets, as docs/operating.md lists them. */
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
const REQUIRED_FIELDS: readonly PetField[] = ['petId', 'quantity'];

/** A column becomes a field, or is left out. */
export type Mapping = readonly (PetField | null)[];

/** Names that other programs give these columns, in English and German, folded as `foldedHeader` does. */
const OTHER_NAMES: Readonly<Record<PetField, string>> = {
  petId:
    'id pet petno petnumber number no nr sku item itemid itemno article articleno articlenumber productid tier tierid tiernummer tiernr artikel artikelnr artikelnummer nummer',
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

function foldedHeader(header: string): string {
  return header
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^a-z0-9]/g, '');
}

/** Guesses the field of each column by its header. Exact names come first, and no field is used twice. */
export function guessMapping(headers: readonly string[]): Mapping {
  const exact = headers.map((header) => PET_FIELDS.find((field) => field === header) ?? null);
  const used = new Set<PetField | null>(exact);
  return headers.map((header, column) => {
    const isRepeated = exact.indexOf(exact[column] ?? null) !== column;
    if (exact[column]) return isRepeated ? null : exact[column];
    const guess = FIELD_OF_NAME.get(foldedHeader(header)) ?? null;
    if (used.has(guess)) return null;
    used.add(guess);
    return guess;
  });
}

/** Whether the file can be sent as it is. */
export function isIdentity(headers: readonly string[], mapping: Mapping): boolean {
  return headers.every((header, column) => header === mapping[column]);
}

/** The required fields that no column has. */
export function missingFields(mapping: Mapping): readonly PetField[] {
  return REQUIRED_FIELDS.filter((field) => !mapping.includes(field));
}

/** A field that two columns have. */
export function repeatedField(mapping: Mapping): PetField | undefined {
  return mapping.find(
    (field, column): field is PetField => field !== null && mapping.indexOf(field) !== column,
  );
}
