/** The eighth migration of both engines: codes of pets in bulk changes, as planned, and the pet that keeps one from another. */
export const BULK_CODES = `
ALTER TABLE bulk_rows ADD COLUMN sku text;
ALTER TABLE bulk_rows ADD COLUMN barcodes text;
ALTER TABLE bulk_rows ADD COLUMN code_owner bigint;
`;
