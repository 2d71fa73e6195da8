/** The seventeenth migration of both engines: suppliers of pets in files, and those that the plan found. */
export const IMPORT_SUPPLIERS = `
ALTER TABLE import_rows ADD COLUMN supplier text;
ALTER TABLE import_rows ADD COLUMN found_supplier text;
`;
