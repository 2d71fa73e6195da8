/**
 * The seventh migration of PostgreSQL: the part of a pet's JSON in the catalog that does not depend on its stock, written when the pet
 * is. To quote three texts per pet for each page takes half of its time. SQLite writes JSON fast enough.
 *
 * `to_json` is STABLE, because a time in it depends on the session. Of a text it is immutable.
 */
export const CATALOG_FACTS = `
CREATE FUNCTION json_text(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(to_json(value)::text, 'null');
ALTER TABLE pets ADD COLUMN catalog_facts text NOT NULL GENERATED ALWAYS AS (
  '"petId":' || pet_id::text || ',"name":' || json_text(name) || ',"category":' || json_text(category)
  || ',"sku":' || json_text(sku) || ',"barcodes":' || coalesce(barcodes, '[]')
) STORED;
`;
