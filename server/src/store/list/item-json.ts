/**
 * One item of the list as JSON, with the comma that parts it from the item before, in words that SQLite and PostgreSQL
 * both understand. Both write int64 exactly.
 */
export const ITEM_JSON = `',{"petId":' || pet_id || ',"quantity":' || quantity || ',"status":"' || status || '"}'`;
