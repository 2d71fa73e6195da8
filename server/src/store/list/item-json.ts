/** One item of the list as JSON, after a comma, in SQL of both SQLite and PostgreSQL. Both write int64 exactly. */
export const ITEM_JSON = `',{"petId":' || pet_id || ',"quantity":' || quantity || ',"status":"' || status || '"}'`;
