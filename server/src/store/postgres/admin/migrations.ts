import { initialTables } from '../../schema/initial.ts';
import { bulkChanges } from '../../schema/bulk-changes.ts';
import { CATALOG_FACTS } from '../../schema/catalog-facts.ts';
import { BULK_CODES } from '../../schema/bulk-codes.ts';
import { BULK_ORDERS } from '../../schema/bulk-orders.ts';
import { BULK_SUPPLIERS } from '../../schema/bulk-suppliers.ts';
import { DELETED_PETS } from '../../schema/deleted-pets.ts';
import { IMPORT_CODES } from '../../schema/import-codes.ts';
import { IMPORT_HASHES } from '../../schema/import-hashes.ts';
import { importMappings } from '../../schema/import-mappings.ts';
import { importReadings } from '../../schema/import-readings.ts';
import { IMPORT_SUPPLIERS } from '../../schema/import-suppliers.ts';
import { IMPORT_UNDOS } from '../../schema/import-undos.ts';
import type { Migration } from '../../schema/migrations.ts';
import { NEWEST_BACKUP } from '../../schema/newest-backup.ts';
import { petCodes } from '../../schema/pet-codes.ts';
import { REORDER_REVERTS } from '../../schema/reorder-reverts.ts';
import { REORDER_CANDIDATES } from '../../schema/reorder-candidates.ts';
import { SUPPLIER_PETS } from '../../schema/supplier-pets.ts';
import { reorders } from '../../schema/reorders.ts';
import { savedViews } from '../../schema/saved-views.ts';
import { stocktakes } from '../../schema/stocktakes.ts';

/**
 * - A window of `usage` is named by its label, the number of such windows since 1970. The window before it is kept too
 *   (DECISIONS.md). Every charge writes `usage`, so its pages keep room for the next version of a row.
 * - `minute_recorded` is the part of `minute_used` that the history has, or that belongs to another minute (DECISIONS.md).
 *   The trigger is AFTER UPDATE: BEFORE would lock the row again in each charge.
 * - The trigger of `sessions` is FOR EACH ROW, because a purge that finds nothing must not change the access version.
 */
const INITIAL = `${initialTables('postgres')}
CREATE INDEX bans_unreported ON bans (id) WHERE reported_at IS NULL;

CREATE TABLE usage (
  account_id text PRIMARY KEY REFERENCES accounts (id),
  minute_label bigint NOT NULL DEFAULT -1,
  minute_used bigint NOT NULL DEFAULT 0,
  minute_left_label bigint NOT NULL DEFAULT -1,
  minute_left_used bigint NOT NULL DEFAULT 0,
  minute_recorded bigint NOT NULL DEFAULT 0,
  day_label bigint NOT NULL DEFAULT -1,
  day_used bigint NOT NULL DEFAULT 0,
  day_left_label bigint NOT NULL DEFAULT -1,
  day_left_used bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

CREATE FUNCTION record_usage() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  recorded bigint := CASE
    WHEN NEW.minute_label = OLD.minute_left_label THEN OLD.minute_left_used
    WHEN NEW.minute_label > OLD.minute_label THEN 0
    ELSE OLD.minute_used
  END;
BEGIN
  IF OLD.minute_used > OLD.minute_recorded THEN
    INSERT INTO usage_history (account_id, unit, began_at, requests)
    SELECT OLD.account_id, unit, OLD.minute_label / minutes * minutes * 60000, OLD.minute_used - OLD.minute_recorded
    FROM (VALUES ('minute', 1), ('hour', 60), ('day', 1440)) AS units (unit, minutes)
    ON CONFLICT (account_id, unit, began_at) DO UPDATE SET requests = usage_history.requests + excluded.requests;
  END IF;
  IF recorded <> OLD.minute_recorded THEN
    UPDATE usage SET minute_recorded = recorded WHERE account_id = OLD.account_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER usage_minute_ends AFTER UPDATE ON usage FOR EACH ROW
WHEN (OLD.minute_label IS DISTINCT FROM NEW.minute_label) EXECUTE FUNCTION record_usage();

CREATE FUNCTION count_access_version() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN UPDATE access_state SET version = version + 1; RETURN NULL; END $$;
CREATE TRIGGER accounts_changed AFTER INSERT OR UPDATE OR DELETE ON accounts EXECUTE FUNCTION count_access_version();
CREATE TRIGGER keys_changed AFTER INSERT OR DELETE OR UPDATE OF account_id, role, hash, scopes, expires_at, revoked_at ON api_keys
EXECUTE FUNCTION count_access_version();
CREATE TRIGGER sessions_deleted AFTER DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION count_access_version();
CREATE TRIGGER bans_changed AFTER INSERT OR DELETE OR UPDATE OF key_id, level, banned_at, ends_at, lifted_at ON bans
EXECUTE FUNCTION count_access_version();

INSERT INTO ledger_start
SELECT 0, 0, zeros, 0, zeros FROM decode(repeat('00', 32), 'hex') AS zeros;

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN RAISE EXCEPTION 'a movement is never changed, deleted or cut off'; END $$;
CREATE FUNCTION keep_movement() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF OLD.sequence <= (SELECT sequence FROM ledger_start) THEN RETURN OLD; END IF;
  RAISE EXCEPTION 'a movement that the ledger keeps is never deleted';
END $$;
CREATE TRIGGER movements_are_final BEFORE UPDATE OR TRUNCATE ON movements EXECUTE FUNCTION refuse_change();
CREATE TRIGGER movements_are_kept BEFORE DELETE ON movements FOR EACH ROW EXECUTE FUNCTION keep_movement();

CREATE FUNCTION refuse_prune_change() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN RAISE EXCEPTION 'the record of a prune is never changed, deleted or cut off'; END $$;
CREATE TRIGGER prunes_are_final BEFORE UPDATE OR DELETE OR TRUNCATE ON prunes EXECUTE FUNCTION refuse_prune_change();
`;

/** Each is frozen, because databases have its checksum: a change of the schema is another migration at the end. */
export const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: 'initial', sql: INITIAL },
  { version: 2, name: 'pet-codes', sql: petCodes('postgres') },
  { version: 3, name: 'stocktakes', sql: stocktakes('postgres') },
  { version: 4, name: 'bulk-changes', sql: bulkChanges('postgres') },
  { version: 5, name: 'import-readings', sql: importReadings('postgres') },
  { version: 6, name: 'import-codes', sql: IMPORT_CODES },
  { version: 7, name: 'catalog-facts', sql: CATALOG_FACTS },
  { version: 8, name: 'bulk-codes', sql: BULK_CODES },
  { version: 9, name: 'deleted-pets', sql: `${DELETED_PETS};` },
  { version: 10, name: 'import-mappings', sql: importMappings('postgres') },
  { version: 11, name: 'newest-backup', sql: `${NEWEST_BACKUP};` },
  { version: 12, name: 'reorders', sql: reorders('postgres') },
  { version: 13, name: 'saved-views', sql: savedViews('postgres') },
  { version: 14, name: 'import-hashes', sql: IMPORT_HASHES },
  { version: 15, name: 'bulk-suppliers', sql: BULK_SUPPLIERS },
  { version: 16, name: 'bulk-orders', sql: BULK_ORDERS },
  { version: 17, name: 'import-suppliers', sql: IMPORT_SUPPLIERS },
  { version: 18, name: 'import-undos', sql: IMPORT_UNDOS },
  { version: 19, name: 'reorder-reverts', sql: REORDER_REVERTS },
  { version: 20, name: 'supplier-pets', sql: SUPPLIER_PETS },
  { version: 21, name: 'reorder-candidates', sql: REORDER_CANDIDATES },
];
