/** The fifteenth migration of both engines: suppliers of pets in bulk changes, as planned. */
export const BULK_SUPPLIERS = 'ALTER TABLE bulk_rows ADD COLUMN supplier text;';
