/**
 * The second migration of both engines, in the types of PostgreSQL.
 *
 * - `pets` has the codes as they were typed: `barcodes` is a JSON array, NULL without any. `taken_codes` is a JSON array
 *   too: what other pets took since the pet was archived.
 * - `pet_codes` has the same codes as they are compared, and makes them unique. `verify` compares both, as it does the
 *   names with `pet_words`.
 */
export function petCodes(engine: 'sqlite' | 'postgres'): string {
  const [collation, byKey] = engine === 'sqlite' ? ['', ' STRICT, WITHOUT ROWID'] : [' COLLATE "C"', ''];
  return `
ALTER TABLE pets ADD COLUMN sku text;
ALTER TABLE pets ADD COLUMN barcodes text;
ALTER TABLE pets ADD COLUMN taken_codes text;

CREATE TABLE pet_codes (
  kind text${collation} NOT NULL CHECK (kind IN ('sku', 'barcode')),
  code text${collation} NOT NULL,
  pet_id bigint NOT NULL,
  PRIMARY KEY (kind, code)
)${byKey};
`;
}
