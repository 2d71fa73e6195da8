/** The sixth migration of both engines: codes in files of pets. */
export const IMPORT_CODES = `
ALTER TABLE import_rows ADD COLUMN sku text;
ALTER TABLE import_rows ADD COLUMN barcodes text;
ALTER TABLE import_rows ADD COLUMN found_sku text;
ALTER TABLE import_rows ADD COLUMN found_barcodes text;
`;
