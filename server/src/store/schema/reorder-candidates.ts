/**
 * The twenty-first migration of both engines: the pets with an alert level, and those of which units are ordered, so that the
 * reorder list looks at no other pet. A change of stock writes the first only where the pet has a level, or gets one.
 */
export const REORDER_CANDIDATES = `
CREATE INDEX inventory_alerts ON inventory (pet_id) WHERE alert_level IS NOT NULL;
CREATE INDEX reorders_ordered ON reorders (pet_id) WHERE ordered IS NOT NULL;
`;
