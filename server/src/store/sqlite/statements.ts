import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { MAX_QUANTITY } from '@petstore-inventory/shared/limits';
import { MAX_REVERTS } from '../../domain/ledger/sales.ts';
import { CALLERS } from '../access/key-row.ts';
import { MOVEMENT_BY_SEQUENCE } from '../history/movement-row.ts';
import { ACTION_COLUMNS } from '../ledger/activity.ts';
import { ADD_EVENT, EVENT_COLUMNS, NEWEST_EVENT } from '../ledger/batch-events.ts';
import { CHAIN_HEAD } from '../ledger/ledger-bounds.ts';
import { MOVEMENT_COLUMN_NAMES, MOVEMENT_COLUMNS } from '../ledger/movement-columns.ts';
import { SHOP_THRESHOLDS } from '../ledger/shop-thresholds.ts';
import { ITEM_JSON } from '../list/list-snapshot.ts';
import { LINE_COLUMNS, ORDER_COLUMNS } from '../orders/order-rows.ts';
import { SQLITE_ORDERS } from '../orders/order-sql.ts';
import { BATCH, PURGED_PERIODS } from '../usage/usage-history.ts';
import { together } from './add-rows.ts';

/**
 * The statements of the serving process; those of the operator's commands are in `store/admin`. Of these only `setStock`
 * and `setStockAndLines` change stock; imports and pets that are added or deleted have their own, in
 * `store/imports/pet-import.ts` and `store/pets/write-pet.ts`. All do so in the transaction of the movements.
 */

/** SQLite plans a statement again at each use if its LIMIT is a parameter alone. */
const CHUNK_LIMIT = 'LIMIT $limit + 0';
const CHUNK = `SELECT count(*) AS itemCount, max(pet_id) AS lastPetId, CAST(group_concat(item, '') AS BLOB) AS json
FROM (SELECT pet_id, ${ITEM_JSON} AS item FROM inventory`;

/** The columns of a `Stock`. */
const STOCK = `quantity, status, version, last_sequence AS lastSequence, updated_at AS updatedAtMs, reserved,
alert_level AS alertLevel, low_stock_at AS lowStockAt, restock_at AS restockAt`;

export const READ = {
  /** The newest movement, and the version of the access data. */
  head: `SELECT access_state.version AS accessVersion, coalesce(newest.sequence, 0) AS sequence,
coalesce(newest.recorded_at, 0) AS recordedAtMs
FROM access_state LEFT JOIN (SELECT sequence, recorded_at FROM movements ORDER BY sequence DESC LIMIT 1) AS newest`,

  firstChunk: `${CHUNK} ORDER BY pet_id ${CHUNK_LIMIT})`,
  chunkAfter: `${CHUNK} WHERE pet_id > $after ORDER BY pet_id ${CHUNK_LIMIT})`,
  chunkUpTo: `${CHUNK} WHERE pet_id <= $last ORDER BY pet_id ${CHUNK_LIMIT})`,
  chunkBetween: `${CHUNK} WHERE pet_id > $after AND pet_id <= $last ORDER BY pet_id ${CHUNK_LIMIT})`,

  changedPets: 'SELECT DISTINCT pet_id AS petId FROM movements WHERE sequence > $after AND sequence <= $upTo',

  pet: `SELECT pets.name, pets.category, inventory.status
FROM pets JOIN inventory USING (pet_id) WHERE pets.pet_id = $petId`,

  /** With the units sold after the day `$before`; sums over 2^53 lose digits, which a rate can. */
  item: `SELECT name, category, ${STOCK}, created_at AS createdAtMs,
(SELECT total(units) FROM sales WHERE sales.pet_id = $petId AND day > $before) AS soldUnits
FROM pets JOIN inventory USING (pet_id) WHERE pets.pet_id = $petId`,

  key: CALLERS,

  usage: 'SELECT account_id AS accountId, window, label, used, recorded FROM usage',

  finishedMinutes: 'SELECT finished FROM usage_state',

  /** The newest ban of each key that was not lifted: it determines how long the next one lasts. */
  bans: `SELECT key_id AS keyId, level, banned_at AS bannedAtMs, ends_at AS endsAtMs
FROM bans WHERE id IN (SELECT max(id) FROM bans WHERE lifted_at IS NULL GROUP BY key_id)`,
} as const;

const RECORD_MOVEMENT = `INSERT INTO movements (${MOVEMENT_COLUMN_NAMES})
VALUES (${MOVEMENT_COLUMNS.map(() => '?').join(', ')})`;
const ADD_ORDER = `INSERT INTO orders (${ORDER_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const ADD_LINE = `INSERT INTO order_lines (${LINE_COLUMNS}, previous_id, number) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
const ADD_BATCH_EVENT = `INSERT INTO events (${EVENT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`;

const SET_STOCK = `UPDATE inventory SET quantity = ?, status = ?, version = ?, last_sequence = ?, updated_at = ?, reserved = ?,
alert_level = ?, low_stock_at = ?, restock_at = ?`;

/** The statements of `LedgerWriter`. */
export const LEDGER = {
  chainHead: CHAIN_HEAD,

  shopThresholds: SHOP_THRESHOLDS,

  stock: `SELECT ${STOCK} FROM inventory WHERE pet_id = ?`,

  order: SQLITE_ORDERS.order,

  newestOrderId: 'SELECT coalesce(max(id), 0) AS orderId FROM orders',

  /** The sequence of the movement that reverted another one. */
  revertOf: 'SELECT sequence FROM movements WHERE reverted_sequence = ?',

  /**
   * The movement from which reverts lead to a movement, with their number: itself, where that is no revert. One statement per
   * chain, because a batch can have a thousand of them and others wait for its lock.
   */
  origin: `WITH RECURSIVE chain (sequence, reverts) AS (
  SELECT ?, 0
  UNION ALL
  SELECT reverted_sequence, reverts + 1 FROM chain JOIN movements USING (sequence)
  WHERE kind = 'revert' AND reverts < ${MAX_REVERTS}
)
SELECT sequence, max(reverts) AS reverts FROM chain`,

  recordMovement: RECORD_MOVEMENT,
  recordMovements: together(RECORD_MOVEMENT),

  setStock: `${SET_STOCK} WHERE pet_id = ?`,

  /** Of a pet with new lines. */
  setStockAndLines: `${SET_STOCK}, last_line_id = ?, line_count = ? WHERE pet_id = ?`,

  addOrder: ADD_ORDER,
  addOrders: together(ADD_ORDER),

  setOrder: 'UPDATE orders SET status = ?, version = ?, updated_at = ? WHERE id = ?',

  petLines: 'SELECT last_line_id AS newestId, line_count AS count FROM inventory WHERE pet_id = ?',

  addLine: ADD_LINE,
  addLines: together(ADD_LINE),

  setLine: 'UPDATE order_lines SET delivered = ?, returned = ? WHERE id = ?',

  newestEvent: NEWEST_EVENT,

  addEvent: ADD_BATCH_EVENT,
  addEvents: together(ADD_BATCH_EVENT),

  addAction: `INSERT INTO activity (${ACTION_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`,

  /** A day's units stay within what a number holds. */
  addSale: `INSERT INTO sales (pet_id, day, units) VALUES (?, ?, ?)
ON CONFLICT (pet_id, day) DO UPDATE SET units = min(${MAX_QUANTITY}, units + excluded.units)`,

  /** What a reverted sale takes from its day. */
  takeSale: 'UPDATE sales SET units = max(0, units - ?) WHERE pet_id = ? AND day = ?',

  deleteSales: 'DELETE FROM sales WHERE pet_id = ? AND day < ?',

  idempotencyRecord: `SELECT scope, fingerprint, result, created_at AS createdAtMs FROM idempotency_records WHERE scope = ?`,

  /** With a new id also for an old key: ids are in order of time. */
  saveIdempotencyRecord: `INSERT OR REPLACE INTO idempotency_records (scope, fingerprint, result, created_at)
VALUES ($scope, $fingerprint, $result, $createdAtMs)`,

  /** The bounds of the `$most` records after an id. */
  purgeBatch: `SELECT min(CASE WHEN created_at > $oldMs AND created_at <= $nowMs THEN id END) AS firstKept,
min(CASE WHEN created_at > $nowMs THEN id END) AS firstAhead, max(id) AS last
FROM (SELECT id, created_at FROM idempotency_records WHERE id > $after ORDER BY id LIMIT $most + 0)`,

  deleteIdempotencyRecords: 'DELETE FROM idempotency_records WHERE id > ? AND id <= ? AND created_at <= ?',

  movement: MOVEMENT_BY_SEQUENCE,
} as const;

/** The statements of `UsageWriter`. */
export const USAGE = {
  saveUsage: `INSERT INTO usage (account_id, window, label, used, recorded)
SELECT id, $window, $label, $used, $recorded FROM accounts WHERE id = $accountId
ON CONFLICT (account_id, window) DO UPDATE SET label = excluded.label, used = excluded.used, recorded = excluded.recorded`,

  finishedMinutes: 'SELECT finished FROM usage_state',

  addMinute: `INSERT INTO usage_history (account_id, unit, began_at, requests)
SELECT $accountId, column1, CAST($label AS INTEGER) / column2 * column2 * 60000, $requests
FROM (VALUES ('minute', 1), ('hour', 60), ('day', 1440)) WHERE true
ON CONFLICT (account_id, unit, began_at) DO UPDATE SET requests = requests + excluded.requests`,

  noteFinishedMinutes: 'UPDATE usage_state SET finished = ?',

  lastOfBatch: `SELECT max(id) AS last FROM (${BATCH})`,

  purgeUsage: `DELETE FROM usage_history WHERE (account_id, unit, began_at) IN (
  SELECT account_id, unit, began_at FROM (${BATCH})
  CROSS JOIN (VALUES ('minute', CAST($2 AS INTEGER)), ('hour', CAST($3 AS INTEGER)), ('day', CAST($4 AS INTEGER)))
  CROSS JOIN usage_history ON account_id = id AND unit = column1 AND began_at < column2 LIMIT ${PURGED_PERIODS}
)`,

  purgeQuotaNotices: `DELETE FROM quota_notices WHERE account_id IN (${BATCH}) AND day_label < $2`,
} as const;

/** Uses of credentials. */
export const USES = {
  saveKeyUse: 'UPDATE api_keys SET last_used_at = $usedAtMs WHERE id = $id',
  saveSessionUse: 'UPDATE sessions SET used_at = $usedAtMs WHERE id = $id',
} as const;

/** The statements of `AccountEventWriter`. */
export const ACCOUNT_EVENTS = {
  /** Saves no ban a second time after a commit that was not confirmed. */
  saveBan: `INSERT INTO bans (key_id, level, banned_at, ends_at, reported_at)
SELECT id, $level, $bannedAtMs, $endsAtMs, $bannedAtMs FROM api_keys WHERE id = $keyId
AND NOT EXISTS (SELECT 1 FROM bans WHERE key_id = $keyId AND banned_at = $bannedAtMs)
RETURNING (SELECT hint FROM api_keys WHERE id = $keyId) AS hint, (SELECT account_id FROM api_keys WHERE id = $keyId) AS accountId`,

  noteQuota: `INSERT INTO quota_notices (account_id, day_label, percent) VALUES ($accountId, $dayLabel, $percent)
ON CONFLICT DO NOTHING`,

  addAccountEvent: ADD_EVENT,
} as const;

/** The statements of a table, each under its name. SQLite reads the text of one when it is used first: all of them take as long as to open the file. */
export function prepare<Names extends string>(
  database: DatabaseSync,
  table: Readonly<Record<Names, string>>,
): Readonly<Record<Names, StatementSync>> {
  const statements = {} as Record<Names, StatementSync>;
  for (const [name, sql] of Object.entries<string>(table)) {
    const define = (shape: PropertyDescriptor) =>
      Object.defineProperty(statements, name, { ...shape, configurable: true, enumerable: true });
    define({
      get: () => {
        const statement = database.prepare(positional(sql));
        define({ value: statement });
        return statement;
      },
    });
  }
  return statements;
}

const NUMBERED = /\$(\d+)/g;

/** Names `$1`, `$2` and so on as `?1`, `?2`: SQLite finds a value by its name among all of them, and these by their position. */
export function positional(sql: string): string {
  return sql.replaceAll(NUMBERED, '?$1');
}
