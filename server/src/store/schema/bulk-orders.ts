/**
 * The sixteenth migration of both engines: units that a bulk change orders of a pet, and the tag of its reorder, which
 * was planned or, after the change, was made.
 */
export const BULK_ORDERS = `
ALTER TABLE bulk_rows ADD COLUMN ordered bigint;
ALTER TABLE bulk_rows ADD COLUMN reorder_tag text;
`;
