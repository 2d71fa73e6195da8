import { WINDOW_MS, type WindowName } from '../../domain/access/rate-limit.ts';
import { MAX_REVERTS, SALES_DAYS } from '../../domain/ledger/sales.ts';
import { QUOTA_LEVELS } from '../../domain/management/usage-events.ts';
import { CALLERS_WITH_HASHES, SESSION_CALLERS_WITH_HASHES } from '../access/key-row.ts';
import { MOVEMENT_FIELDS } from '../history/movement-row.ts';
import { ACTION_COLUMNS } from '../ledger/activity.ts';
import { EVENT_COLUMNS, NEWEST_EVENT, NEXT_EVENT } from '../ledger/batch-events.ts';
import { CHAIN_HEAD } from '../ledger/ledger-bounds.ts';
import { RECORD_MOVEMENTS } from '../ledger/movement-columns.ts';
import { SHOP_THRESHOLDS } from '../ledger/shop-thresholds.ts';
import { ITEM_JSON } from '../list/list-snapshot.ts';
import { IMPORT_WORK } from '../imports/import-jobs.ts';
import { areLinesOf, LINE_COLUMNS, LINE_IDS, ORDER_COLUMNS, ORDER_FIELDS } from '../orders/order-rows.ts';
import { MOVE } from '../schema/database-metadata.ts';
import { POSTGRES_COMMON_PAGE, POSTGRES_PAGE } from '../pets/catalog-sql.ts';
import { READ_PETS } from '../pets/pet-sql.ts';
import { SCHEMA_VERSION } from '../schema/migrations.ts';
import { READ_NEWEST_BACKUP } from '../schema/newest-backup.ts';
import { BATCH, PURGED_PERIODS } from '../usage/usage-history.ts';
import { ENDPOINT_MEMORY } from '../webhooks/sender-statements.ts';
import { named } from './connection.ts';
import { DATABASE_NOW_MS } from './database-clock.ts';
import { SAFETY_COLUMNS } from './server/server-safety.ts';

/**
 * The statements of the serving process; those of the operator's commands are in `store/admin`. Of these only `setStock` changes
 * stock; imports and pets that are added or deleted have their own, in `store/imports/pet-import.ts` and
 * `store/pets/write-pet.ts`. All do so in the transaction of the movements, under the ledger's lock.
 */

/** The class of the service's advisory locks: `pets` in ASCII. */
const LOCK_CLASS = 0x7065_7473;

/** The locks of the ledger and of the schema; those of single keys are in their statement. */
export const LOCK = {
  ledger: `SELECT pg_advisory_xact_lock(${LOCK_CLASS}, 1)`,
  schema: `SELECT pg_advisory_xact_lock(${LOCK_CLASS}, 2)`,
  /** The lock of the schema until the session ends. */
  schemaOfSession: `SELECT pg_advisory_lock(${LOCK_CLASS}, 2)`,
} as const;

/** The channel of notifications about new movements. */
const MOVEMENTS_CHANNEL = 'petstore_movements';
/** The channel of notifications about changed webhook endpoints. */
export const ENDPOINTS_CHANNEL = 'petstore_endpoints';

/**
 * For each session that needs notifications. A replica refuses to listen; there the regular poll finds new movements.
 */
export const LISTEN = `DO $$ BEGIN IF NOT pg_is_in_recovery() THEN LISTEN ${MOVEMENTS_CHANNEL}; LISTEN ${ENDPOINTS_CHANNEL}; END IF; END $$`;

/**
 * Refuses a new session of an instance in a database that its shop left, or whose schema a newer release changed. The
 * instance may have read the identity before a move was undone, or may have lost its connections meanwhile.
 */
export const REFUSE_LEFT = `DO $$ DECLARE place text; BEGIN
SELECT value INTO place FROM metadata WHERE name = '${MOVE.to}';
IF FOUND THEN RAISE EXCEPTION 'its shop went to %; set PETSTORE_DATABASE to that database', place; END IF;
IF EXISTS (SELECT FROM schema_migrations WHERE version > ${SCHEMA_VERSION}) THEN
RAISE EXCEPTION 'a newer release changed its schema; start that release'; END IF; END $$`;

/** Notifies the listeners with the commit. */
export const NOTIFY = `SELECT pg_notify('${MOVEMENTS_CHANNEL}', '')`;
export const NOTIFY_ENDPOINTS = `SELECT pg_notify('${ENDPOINTS_CHANNEL}', '')`;

/** The columns of a `Stock`. */
const STOCK = `quantity, inventory.status, inventory.version, last_sequence AS "lastSequence", updated_at AS "updatedAtMs", reserved,
alert_level AS "alertLevel", low_stock_at AS "lowStockAt", restock_at AS "restockAt"`;

/** The time of the database's clock; `$1` takes its place where a test sets the time. */
const NOW_MS = `coalesce($1::bigint, ${DATABASE_NOW_MS})`;

const HEAD = `SELECT coalesce(max(newest.sequence), 0) AS sequence, coalesce(max(newest.recorded_at), 0) AS "recordedAtMs"
FROM (SELECT sequence, recorded_at FROM movements ORDER BY sequence DESC LIMIT 1) AS newest`;

/** Up to `$3` items from pet `$1` to `$2`, in chunks of `$4`. */
const CHUNKS = `SELECT chunk, count(*)::integer AS "itemCount", max(pet_id)::text AS "lastPetId", string_agg(item, '' ORDER BY pet_id) AS json
FROM (
  SELECT pet_id, ${ITEM_JSON} AS item, (row_number() OVER (ORDER BY pet_id) - 1) / $4::integer AS chunk
  FROM inventory WHERE pet_id BETWEEN $1::bigint AND $2::bigint ORDER BY pet_id LIMIT $3::integer
) AS items GROUP BY chunk`;

export const READ = named({
  /** The newest movement of a replica, with the hash that movement `$1` has there. */
  replicaHead: `SELECT sequence, encode(hash, 'hex') AS hash, (
  SELECT encode(known.hash, 'hex') FROM movements AS known WHERE known.sequence = $1::bigint
) AS "knownHash" FROM movements ORDER BY sequence DESC LIMIT 1`,

  hashAt: `SELECT encode(hash, 'hex') AS hash FROM movements WHERE sequence = $1::bigint`,

  /** The time of the database, and the version of the access data. */
  state: `SELECT ${NOW_MS} AS "nowMs", version AS "accessVersion" FROM access_state`,

  head: HEAD,

  /** Whether the server responds. */
  probe: 'SELECT 1',

  webhookMemory: ENDPOINT_MEMORY,
  importWork: IMPORT_WORK,
  newestBackup: READ_NEWEST_BACKUP,

  size: 'SELECT pg_database_size(current_database())::float8 AS bytes',

  /** Whether changes can be written and are durable: a replica, or a read-only server, still answers queries. */
  health: `SELECT current_setting('transaction_read_only') = 'off' AS "isWritable", ${SAFETY_COLUMNS}`,

  chunks: `${CHUNKS} ORDER BY chunk`,

  /** The first two chunks, where the second one only shows that there is more, with the head of the ledger. */
  page: `SELECT head.*, "itemCount", "lastPetId", json FROM (${HEAD}) AS head LEFT JOIN (${CHUNKS}) AS page ON true ORDER BY chunk`,

  /**
   * The pets of the movements after `$1`, if there are fewer than `$2`: without gaps, the sequences show how many.
   */
  changedPets: `SELECT DISTINCT pet_id::text AS "petId" FROM (
  SELECT pet_id FROM movements WHERE sequence > $1::bigint AND (SELECT max(sequence) FROM movements) - $1 < $2::bigint
  ORDER BY sequence LIMIT $2
) AS changed`,

  pet: `SELECT pets.name, pets.category, inventory.status
FROM pets JOIN inventory USING (pet_id) WHERE pets.pet_id = $1::bigint`,

  catalogPage: POSTGRES_PAGE,
  commonCatalogPage: POSTGRES_COMMON_PAGE,
  managedPet: READ_PETS.pet,
  petWithCode: READ_PETS.petWithCode,

  /** With the units sold after the day `$2`; sums over 2^53 lose digits, which a rate can. */
  item: `SELECT name, category, ${STOCK}, created_at AS "createdAtMs",
(SELECT coalesce(sum(units), 0)::float8 FROM sales WHERE sales.pet_id = $1::bigint AND day > $2::bigint) AS "soldUnits"
FROM pets JOIN inventory USING (pet_id) WHERE pets.pet_id = $1::bigint`,

  /** The keys with these hashes, as many as there are. */
  key: `${CALLERS_WITH_HASHES} WHERE hash = ANY ($1::bytea[])`,

  session: `${SESSION_CALLERS_WITH_HASHES} WHERE sessions.hash = ANY ($1::bytea[])`,

  /** What accounts have used, at the moment `$1`. */
  usage: `SELECT account_id AS "accountId", minute_label AS "minuteLabel", minute_used AS "minuteUsed", day_label AS "dayLabel", day_used AS "dayUsed",
per_minute AS "perMinute", per_day AS "perDay", ${NOW_MS} AS "nowMs"
FROM usage JOIN accounts ON accounts.id = account_id WHERE account_id = ANY ($2::text[])`,

  /** The newest ban of each key that was not lifted: it determines how long the next one lasts. */
  bans: `SELECT key_id AS "keyId", level, banned_at AS "bannedAtMs", ends_at AS "endsAtMs"
FROM bans WHERE id IN (SELECT max(id) FROM bans WHERE lifted_at IS NULL GROUP BY key_id)`,

  /** Bans whose event is not recorded, the oldest first. */
  unreportedBans: `SELECT bans.id, key_id AS "keyId", account_id AS "accountId", hint, level, banned_at AS "bannedAtMs", ends_at AS "endsAtMs"
FROM bans JOIN api_keys ON api_keys.id = key_id WHERE reported_at IS NULL ORDER BY bans.id LIMIT 1000`,

  /** Levels of the day's limit that accounts have reached today or yesterday, and whose event is not recorded. */
  reachedQuotas: `SELECT account_id AS "accountId", label AS "dayLabel", percent, per_day AS "limit", used
FROM usage JOIN accounts ON accounts.id = account_id
CROSS JOIN LATERAL (VALUES (day_label, day_used), (day_left_label, day_left_used)) AS days (label, used)
CROSS JOIN unnest(ARRAY[${QUOTA_LEVELS.join()}]) AS levels (percent)
WHERE label >= ${NOW_MS} / ${WINDOW_MS.day} - 1 AND used * 100 >= per_day * percent AND NOT EXISTS (
  SELECT FROM quota_notices AS notices
  WHERE notices.account_id = usage.account_id AND notices.day_label = label AND notices.percent = levels.percent
) ORDER BY label, percent, account_id LIMIT 1000`,
});

/**
 * A window at a moment, by the rule of `WindowCount`: each of the two labels visited last keeps its count, a later
 * one begins at 0, and a step back to an older one keeps the count of the newest.
 */
function turned(window: WindowName): string {
  const [label, used, left, leftUsed] = ['label', 'used', 'left_label', 'left_used'].map(
    (column) => `${window}_${column}`,
  );
  const now = `now_ms / ${WINDOW_MS[window]}`;
  return `${now} AS ${label},
  CASE ${now} WHEN ${label} THEN ${used} WHEN ${left} THEN ${leftUsed} ELSE CASE WHEN ${now} > ${label} THEN 0 ELSE ${used} END END AS ${used},
  CASE ${now} WHEN ${label} THEN ${left} ELSE ${label} END AS ${left},
  CASE ${now} WHEN ${label} THEN ${leftUsed} ELSE ${used} END AS ${leftUsed}`;
}

export const WRITE = named({
  /**
   * Charges the requests of a batch, `$3` of each account of `$2`: as many as both windows have room for take one
   * from both, the rest take nothing. One statement decides, under the locks of the accounts' rows. All processes
   * take these in one order, so that two instances never wait for each other. The clock is read when the row is
   * locked.
   */
  charge: `WITH head AS (${HEAD}),
held AS MATERIALIZED (
  SELECT usage.*, wanted, per_minute, per_day
  FROM unnest($2::text[], $3::bigint[]) AS asked (id, wanted) JOIN accounts USING (id) JOIN usage ON account_id = id
  ORDER BY account_id FOR UPDATE OF usage
),
timed AS MATERIALIZED (SELECT held.*, ${NOW_MS} AS now_ms FROM held),
turned AS (
  SELECT account_id, wanted, per_minute, per_day, now_ms,
  ${turned('minute')},
  ${turned('day')}
  FROM timed
),
admitted AS MATERIALIZED (
  SELECT turned.*, greatest(0, least(wanted, per_minute - minute_used, per_day - day_used)) AS admitted FROM turned
),
charged AS (
  UPDATE usage SET minute_label = admitted.minute_label, minute_used = admitted.minute_used + admitted,
  minute_left_label = admitted.minute_left_label, minute_left_used = admitted.minute_left_used,
  day_label = admitted.day_label, day_used = admitted.day_used + admitted,
  day_left_label = admitted.day_left_label, day_left_used = admitted.day_left_used
  FROM admitted WHERE usage.account_id = admitted.account_id
  RETURNING usage.account_id AS "accountId", admitted, now_ms AS "nowMs",
  usage.minute_label AS "minuteLabel", usage.minute_used AS "minuteUsed", per_minute AS "perMinute",
  usage.day_label AS "dayLabel", usage.day_used AS "dayUsed", per_day AS "perDay"
)
SELECT charged.*, head.*, access_state.version AS "accessVersion" FROM charged, head, access_state`,

  stock: `SELECT pet_id::text AS "petId", ${STOCK} FROM inventory WHERE pet_id = ANY ($1::bigint[])`,

  /** Movements to revert, with what has reverted them already. */
  reverted: `SELECT ${MOVEMENT_FIELDS},
(SELECT sequence FROM movements AS reverting WHERE reverting.reverted_sequence = movements.sequence) AS "revertedBy"
FROM movements LEFT JOIN api_keys ON api_keys.id = actor WHERE movements.sequence = ANY ($1::bigint[])`,

  /** Of each of these movements that is a revert, the movement at the beginning of its chain, with the reverts between. */
  origins: `WITH RECURSIVE chain (of, origin, reverts) AS (
  SELECT sequence, sequence, 0 FROM movements WHERE sequence = ANY ($1::bigint[]) AND kind = 'revert'
  UNION ALL
  SELECT of, reverted_sequence, reverts + 1 FROM chain JOIN movements ON sequence = origin
  WHERE kind = 'revert' AND reverts < ${MAX_REVERTS}
)
SELECT chain.of, reverts, ${MOVEMENT_FIELDS}
FROM chain JOIN movements ON movements.sequence = origin LEFT JOIN api_keys ON api_keys.id = actor
WHERE movements.kind <> 'revert'`,

  /** The stock of the pets of movements to revert. */
  stockOfMovements: `SELECT pet_id::text AS "petId", ${STOCK} FROM inventory
WHERE pet_id = ANY (ARRAY(SELECT pet_id FROM movements WHERE sequence = ANY ($1::bigint[])))`,

  orders: `SELECT ${ORDER_FIELDS} FROM orders LEFT JOIN api_keys ON api_keys.id = actor WHERE orders.id = ANY ($1::bigint[])`,

  /** The stock of the pets of orders. */
  stockOfOrders: `SELECT pet_id::text AS "petId", ${STOCK} FROM inventory
WHERE pet_id = ANY (ARRAY(
  SELECT pet_id FROM unnest($1::bigint[]) AS stepped (id) CROSS JOIN LATERAL (
    SELECT pet_id FROM order_lines WHERE ${areLinesOf('stepped')} LIMIT ${LINE_IDS}
  ) AS lines
))`,

  newestEvent: NEWEST_EVENT,

  addEvents: `INSERT INTO events (${EVENT_COLUMNS})
SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::bigint[])`,

  addActions: `INSERT INTO activity (${ACTION_COLUMNS})
SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])`,

  newestOrderId: 'SELECT coalesce(max(id), 0) AS "orderId" FROM orders',

  /**
   * What each batch needs: the head of the chain, NULL in an empty ledger, the thresholds of the shop, and the settings on which
   * the promise of a commit depends, because they change with a reload.
   */
  batchState: `SELECT head.*, thresholds.*, ${SAFETY_COLUMNS} FROM (${SHOP_THRESHOLDS}) AS thresholds
LEFT JOIN (${CHAIN_HEAD}) AS head ON true`,

  idempotencyRecords: `SELECT scope, fingerprint, result, created_at AS "createdAtMs" FROM idempotency_records WHERE scope = ANY ($1::text[])`,

  recordMovements: RECORD_MOVEMENTS,

  /** The stock of pets after a batch; the commit then wakes all listeners. */
  setStock: `UPDATE inventory SET quantity = left_at.quantity, status = left_at.status, version = left_at.version,
last_sequence = left_at.sequence, updated_at = left_at.at, reserved = left_at.reserved, alert_level = left_at.level,
low_stock_at = left_at.low_stock_at, restock_at = left_at.restock_at
FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::text[], $9::bigint[], $10::bigint[])
AS left_at (pet_id, quantity, status, version, sequence, at, reserved, level, low_stock_at, restock_at) CROSS JOIN (${NOTIFY}) AS woken
WHERE inventory.pet_id = left_at.pet_id`,

  addOrders: `INSERT INTO orders (${ORDER_COLUMNS})
SELECT * FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[], $9::text[])`,

  addLines: `INSERT INTO order_lines (${LINE_COLUMNS})
SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[])`,

  setOrders: `UPDATE orders SET status = now.status, version = now.version, updated_at = now.at
FROM unnest($1::bigint[], $2::text[], $3::bigint[], $4::bigint[]) AS now (id, status, version, at) WHERE orders.id = now.id`,

  setLines: `UPDATE order_lines SET delivered = now.delivered, returned = now.returned
FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS now (id, delivered, returned) WHERE order_lines.id = now.id`,

  /** Changes the sales of days, each as `DayChange` describes. A sale deletes the days of its pet that no rate needs. */
  addSales: `WITH sold AS MATERIALIZED (
  SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::numeric[], $4::bigint[], $5::bigint[], $6::boolean[])
  AS sold (pet_id, day, added, least_units, most_units, has_sale)
),
old AS (DELETE FROM sales USING sold WHERE sales.pet_id = sold.pet_id AND has_sale AND sales.day < sold.day - ${SALES_DAYS})
INSERT INTO sales (pet_id, day, units) SELECT pet_id, day, least(most_units, greatest(least_units, added)) FROM sold
WHERE has_sale OR EXISTS (SELECT FROM sales WHERE sales.pet_id = sold.pet_id AND sales.day = sold.day)
ON CONFLICT (pet_id, day) DO UPDATE SET units = (
  SELECT least(most_units, greatest(least_units, sales.units + added)) FROM sold
  WHERE sold.pet_id = excluded.pet_id AND sold.day = excluded.day
)`,

  /** Replaces an old record with the same key, and its id: ids are in order of time. */
  saveIdempotencyRecords: `INSERT INTO idempotency_records (scope, fingerprint, result, created_at)
SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
ON CONFLICT (scope) DO UPDATE SET id = excluded.id, fingerprint = excluded.fingerprint, result = excluded.result,
created_at = excluded.created_at`,

  /**
   * Deletes the records up to time `$2` of the `$4` records after id `$1`, and returns what it found at the moment
   * `$3`. It never waits, so that a commit that replaces an old record cannot wait for it in turn.
   */
  deleteIdempotencyRecords: `WITH batch AS MATERIALIZED (
  SELECT id, created_at FROM idempotency_records WHERE id > $1::bigint ORDER BY id LIMIT $4::integer
),
old AS MATERIALIZED (
  SELECT id FROM idempotency_records WHERE id = ANY (ARRAY(SELECT id FROM batch WHERE created_at <= $2::bigint)) AND created_at <= $2
  FOR UPDATE SKIP LOCKED
),
gone AS (DELETE FROM idempotency_records WHERE id = ANY (ARRAY(SELECT id FROM old)))
SELECT min(id) FILTER (WHERE created_at > $2 AND created_at <= $3::bigint) AS "firstKept",
min(id) FILTER (WHERE created_at > $3) AS "firstAhead", max(id) AS last FROM batch`,

  /**
   * Deletes a batch of old usage. It never waits for another instance that deletes the same. The limit within `LATERAL`,
   * and the places of the rows, keep PostgreSQL from reading the whole history for a few accounts.
   */
  purgeUsage: `WITH batch AS MATERIALIZED (${BATCH}),
old AS MATERIALIZED (
  SELECT history.place FROM batch
  CROSS JOIN (VALUES ('minute', $2::bigint), ('hour', $3::bigint), ('day', $4::bigint)) AS bounds (unit, before)
  CROSS JOIN LATERAL (
    SELECT ctid AS place FROM usage_history
    WHERE account_id = batch.id AND usage_history.unit = bounds.unit AND began_at < before
    ORDER BY began_at LIMIT ${PURGED_PERIODS} FOR UPDATE SKIP LOCKED
  ) AS history LIMIT ${PURGED_PERIODS}
),
gone AS (DELETE FROM usage_history WHERE ctid = ANY (ARRAY(SELECT place FROM old)) RETURNING 1),
notices AS (DELETE FROM quota_notices WHERE account_id IN (SELECT id FROM batch) AND day_label < $5::bigint)
SELECT (SELECT max(id) FROM batch) AS last, (SELECT count(*) FROM gone) AS deleted`,

  /**
   * Never waits: keys locked by another process are written another time. A time after `$3`, which is now, is from a
   * clock that was ahead: an earlier one replaces it.
   */
  saveKeyUses: `UPDATE api_keys SET last_used_at = used_at
FROM (
  SELECT api_keys.id, used_at FROM unnest($1::text[], $2::bigint[]) AS used (id, used_at) JOIN api_keys USING (id)
  FOR NO KEY UPDATE OF api_keys SKIP LOCKED
) AS used
WHERE api_keys.id = used.id AND (used_at > coalesce(last_used_at, 0) OR last_used_at > $3)`,

  saveSessionUses: `UPDATE sessions SET used_at = used.used_at
FROM (
  SELECT sessions.id, used.used_at FROM unnest($1::text[], $2::bigint[]) AS used (id, used_at) JOIN sessions USING (id)
  FOR NO KEY UPDATE OF sessions SKIP LOCKED
) AS used
WHERE sessions.id = used.id AND (used.used_at > sessions.used_at OR sessions.used_at > $3)`,

  /** When two instances ban a key concurrently, the second one finds the ban of the first. */
  lockBans: `SELECT pg_advisory_xact_lock(${LOCK_CLASS}, hashtext($1))`,

  saveBan: `INSERT INTO bans (key_id, level, banned_at, ends_at) SELECT id, $2, $3, $4 FROM api_keys WHERE id = $1
AND NOT EXISTS (SELECT FROM bans WHERE key_id = $1 AND lifted_at IS NULL AND ends_at > $3)`,

  /** Adds an event with the data `$3` at `$4` for each ban of `$1` that has none. */
  reportBans: `WITH reported AS (
  UPDATE bans SET reported_at = $4::bigint WHERE id = ANY ($1::bigint[]) AND reported_at IS NULL RETURNING id
)
INSERT INTO events (${EVENT_COLUMNS})
SELECT sequence, number - 1 + row_number() OVER (ORDER BY id), 'api_key.banned', account_id, data, $4
FROM reported JOIN unnest($1::bigint[], $2::text[], $3::text[]) AS bans (id, account_id, data) USING (id)
CROSS JOIN (${NEXT_EVENT}) AS next`,

  /** Adds an event with the data `$4` at `$5` for each account, day and percent of `$1` to `$3` that has none. */
  reportQuotas: `WITH noted AS (
  INSERT INTO quota_notices (account_id, day_label, percent) SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[])
  ON CONFLICT DO NOTHING RETURNING account_id, day_label, percent
)
INSERT INTO events (${EVENT_COLUMNS})
SELECT sequence, number - 1 + row_number() OVER (ORDER BY day_label, percent, account_id), 'quota.reached', account_id, data, $5::bigint
FROM noted JOIN unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[]) AS reached (account_id, day_label, percent, data)
USING (account_id, day_label, percent) CROSS JOIN (${NEXT_EVENT}) AS next`,
});
