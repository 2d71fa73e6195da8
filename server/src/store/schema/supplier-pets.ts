/** The twentieth migration of both engines: the pets of a supplier in the order of their ids, from any of them on. */
export const SUPPLIER_PETS = `
DROP INDEX reorders_supplier;
CREATE INDEX reorders_supplier ON reorders (supplier, pet_id) WHERE supplier IS NOT NULL;
`;
