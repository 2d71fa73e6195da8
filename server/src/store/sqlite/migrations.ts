import type { Migration } from '../schema/migrations.ts';

/**
 * - `movements` has no index of all movements of a pet, because it would double the pages that every change dirties
 *   (DECISIONS.md). A pet's history is entered by `movements_milestones`, which holds one of 32 movements, and is
 *   followed along `previous_sequence`.
 * - Triggers increment `access_state.version`, so that a running service sees what another process changed.
 * - `ledger_start` repeats the start that the newest prune records. It also has the last movement up to which that
 *   prune has deleted. Up to `sequence`, a movement may be deleted.
 * - A prune is a link of the hash chain (DECISIONS.md).
 * - Conditions on columns that are often written are without `IN`: SQLite makes a table of its list again in each
 *   statement, which doubles the cost of a change of stock (DECISIONS.md).
 * - Ids of `orders` have no gaps and are in order of time. A line has an id from `order_id * 128` on.
 * - `order_lines` has no index of all lines of a pet either. The lines of a pet have numbers from 1 on, and each names the
 *   one before it; `inventory.last_line_id` is the newest. One of 32 is in `order_lines_milestones`.
 * - `sales` has the units that were sold per pet and UTC day (days since 1970), for the last 31 days.
 * - Ids of `answers`, the idempotency records, are in order of time.
 * - A key of `api_keys` has an account and scopes, or it is a management key and has a role.
 * - A row of `sessions` is a sign-in of the dashboard with a management key. Its end changes the access version.
 * - A row of `events` comes after the movement that was the newest when it was written. Its number is 2 or more: 0 and 1
 *   are the movement itself and its alert.
 * - `pet_words` has the words of the names and categories of pets, for search.
 * - A row of `usage_history` has the admitted requests of a minute, an hour or a day, except those of the last minute of
 *   the account, which are in `usage`: there, `recorded` is the part of `used` that the history has, or that belongs to
 *   another minute (DECISIONS.md).
 * - `usage_state.finished` numbers the minutes that were added to `usage_history`, so that none is added twice.
 * - A row of `bans` has the time at which its event was recorded; a row of `quota_notices` is written with its event.
 * - Indexes of `activity` are in the order of its pages: every filter alone finds its rows.
 * - A row of `import_rows` has what the plan has found: `found_sequence` is the newest movement of the pet, and the next
 *   columns are its values if the row changes them. A file is in `import_parts` until it is applied or cancelled.
 */
const INITIAL = `
CREATE TABLE metadata (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  plan TEXT NOT NULL CHECK (plan IN ('free', 'pro', 'business', 'enterprise')),
  per_minute INTEGER NOT NULL CHECK (per_minute > 0),
  per_day INTEGER NOT NULL CHECK (per_day > 0),
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY,
  account_id TEXT REFERENCES accounts (id),
  role TEXT CHECK (role IN ('viewer', 'staff', 'administrator')),
  name TEXT NOT NULL,
  hash BLOB NOT NULL UNIQUE,
  hint TEXT NOT NULL,
  scopes TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  last_used_at INTEGER,
  rotated_from TEXT REFERENCES api_keys (id),
  CHECK ((account_id IS NULL) <> (role IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX api_keys_account ON api_keys (account_id);

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  key_id TEXT NOT NULL REFERENCES api_keys (id),
  hash BLOB NOT NULL UNIQUE,
  begun_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_key ON sessions (key_id, begun_at);

CREATE TABLE sign_in_codes (
  hash BLOB PRIMARY KEY,
  key_id TEXT NOT NULL REFERENCES api_keys (id),
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE bans (
  id INTEGER PRIMARY KEY,
  key_id TEXT NOT NULL REFERENCES api_keys (id),
  level INTEGER NOT NULL,
  banned_at INTEGER NOT NULL,
  ends_at INTEGER NOT NULL,
  lifted_at INTEGER,
  reported_at INTEGER
) STRICT;
CREATE INDEX bans_key ON bans (key_id, id);

CREATE TABLE usage (
  account_id TEXT NOT NULL REFERENCES accounts (id),
  window TEXT NOT NULL CHECK (window IN ('minute', 'day')),
  label INTEGER NOT NULL,
  used INTEGER NOT NULL,
  recorded INTEGER NOT NULL,
  PRIMARY KEY (account_id, window)
) STRICT, WITHOUT ROWID;

CREATE TABLE usage_history (
  account_id TEXT NOT NULL,
  unit TEXT NOT NULL CHECK (unit IN ('minute', 'hour', 'day')),
  began_at INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (account_id, unit, began_at)
) STRICT, WITHOUT ROWID;
CREATE TABLE usage_state (finished INTEGER NOT NULL) STRICT;
INSERT INTO usage_state VALUES (0);

CREATE TABLE quota_notices (
  account_id TEXT NOT NULL,
  day_label INTEGER NOT NULL,
  percent INTEGER NOT NULL,
  PRIMARY KEY (account_id, day_label, percent)
) STRICT, WITHOUT ROWID;

CREATE TABLE access_state (version INTEGER NOT NULL) STRICT;
INSERT INTO access_state VALUES (1);
CREATE TRIGGER accounts_inserted AFTER INSERT ON accounts BEGIN UPDATE access_state SET version = version + 1; END;
CREATE TRIGGER accounts_updated AFTER UPDATE ON accounts BEGIN UPDATE access_state SET version = version + 1; END;
CREATE TRIGGER accounts_deleted AFTER DELETE ON accounts BEGIN UPDATE access_state SET version = version + 1; END;
CREATE TRIGGER keys_inserted AFTER INSERT ON api_keys BEGIN UPDATE access_state SET version = version + 1; END;
CREATE TRIGGER keys_updated AFTER UPDATE OF account_id, role, hash, scopes, expires_at, revoked_at ON api_keys
BEGIN UPDATE access_state SET version = version + 1; END;
CREATE TRIGGER keys_deleted AFTER DELETE ON api_keys BEGIN UPDATE access_state SET version = version + 1; END;
CREATE TRIGGER sessions_deleted AFTER DELETE ON sessions BEGIN UPDATE access_state SET version = version + 1; END;
CREATE TRIGGER bans_inserted AFTER INSERT ON bans BEGIN UPDATE access_state SET version = version + 1; END;
CREATE TRIGGER bans_updated AFTER UPDATE ON bans BEGIN UPDATE access_state SET version = version + 1; END;
CREATE TRIGGER bans_deleted AFTER DELETE ON bans BEGIN UPDATE access_state SET version = version + 1; END;

CREATE TABLE pets (
  pet_id INTEGER PRIMARY KEY,
  name TEXT,
  category TEXT,
  archived_at INTEGER
) STRICT;
CREATE INDEX pets_archived ON pets (pet_id) WHERE archived_at IS NOT NULL;

CREATE TABLE pet_words (
  word TEXT NOT NULL,
  pet_id INTEGER NOT NULL,
  PRIMARY KEY (word, pet_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE inventory (
  pet_id INTEGER PRIMARY KEY REFERENCES pets (pet_id),
  quantity INTEGER NOT NULL CHECK (quantity BETWEEN 0 AND 9007199254740991),
  status TEXT NOT NULL CHECK (status = 'available' OR status = 'pending' OR status = 'sold'),
  version INTEGER NOT NULL,
  last_sequence INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  reserved INTEGER NOT NULL CHECK (reserved >= 0),
  alert_level TEXT CHECK (alert_level = 'low' OR alert_level = 'out' OR alert_level = 'oversold'),
  low_stock_at INTEGER,
  restock_at INTEGER,
  created_at INTEGER NOT NULL,
  last_line_id INTEGER,
  line_count INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE movements (
  sequence INTEGER PRIMARY KEY,
  previous_sequence INTEGER,
  pet_id INTEGER NOT NULL,
  version INTEGER NOT NULL,
  kind TEXT NOT NULL,
  quantity_before INTEGER NOT NULL,
  quantity_after INTEGER NOT NULL,
  status_before TEXT,
  status_after TEXT NOT NULL,
  reserved_before INTEGER NOT NULL,
  reserved_after INTEGER NOT NULL,
  alert_before TEXT,
  alert_after TEXT,
  order_id INTEGER,
  reason TEXT,
  note TEXT,
  reference_document_uri TEXT,
  reference_id TEXT,
  occurred_at INTEGER,
  actor TEXT NOT NULL,
  request_id TEXT,
  recorded_at INTEGER NOT NULL,
  reverted_sequence INTEGER,
  hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;
CREATE UNIQUE INDEX movements_reverts ON movements (reverted_sequence) WHERE reverted_sequence IS NOT NULL;
CREATE INDEX movements_milestones ON movements (pet_id, sequence) WHERE version % 32 = 0;

CREATE TABLE ledger_start (
  sequence INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL,
  hash BLOB NOT NULL CHECK (length(hash) = 32),
  deleted_sequence INTEGER NOT NULL,
  deleted_hash BLOB NOT NULL CHECK (length(deleted_hash) = 32)
) STRICT;
INSERT INTO ledger_start VALUES (0, 0, zeroblob(32), 0, zeroblob(32));

CREATE TRIGGER movements_are_final BEFORE UPDATE ON movements
BEGIN SELECT RAISE(ABORT, 'a movement is never changed'); END;
CREATE TRIGGER movements_are_kept BEFORE DELETE ON movements WHEN OLD.sequence > (SELECT sequence FROM ledger_start)
BEGIN SELECT RAISE(ABORT, 'a movement that the ledger keeps is never deleted'); END;

CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  status TEXT NOT NULL CHECK (status = 'placed' OR status = 'approved' OR status = 'delivered' OR status = 'cancelled' OR status = 'expired'),
  version INTEGER NOT NULL,
  reference_id TEXT,
  note TEXT,
  expires_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  actor TEXT NOT NULL
) STRICT;
CREATE INDEX orders_status ON orders (status, id);
CREATE INDEX orders_reference ON orders (reference_id, id) WHERE reference_id IS NOT NULL;
CREATE INDEX orders_expiry ON orders (expires_at) WHERE status = 'placed' AND expires_at IS NOT NULL;

CREATE TABLE order_lines (
  id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL,
  pet_id INTEGER NOT NULL,
  quantity INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 9007199254740991),
  delivered INTEGER NOT NULL CHECK (delivered BETWEEN 0 AND quantity),
  returned INTEGER NOT NULL CHECK (returned BETWEEN 0 AND delivered),
  previous_id INTEGER,
  number INTEGER NOT NULL
) STRICT;
CREATE INDEX order_lines_milestones ON order_lines (pet_id, id) WHERE number % 32 = 0;

CREATE TABLE sales (
  pet_id INTEGER NOT NULL,
  day INTEGER NOT NULL,
  units INTEGER NOT NULL CHECK (units >= 0),
  PRIMARY KEY (pet_id, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE answers (
  id INTEGER PRIMARY KEY,
  scope TEXT NOT NULL UNIQUE,
  fingerprint TEXT NOT NULL,
  result TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE prunes (
  number INTEGER PRIMARY KEY,
  after_sequence INTEGER NOT NULL,
  start_sequence INTEGER NOT NULL,
  start_recorded_at INTEGER NOT NULL,
  start_hash BLOB NOT NULL CHECK (length(start_hash) = 32),
  decided_sequence INTEGER NOT NULL,
  retained INTEGER NOT NULL,
  retained_digest BLOB NOT NULL CHECK (length(retained_digest) = 32),
  deleted INTEGER NOT NULL,
  actor TEXT NOT NULL,
  recorded_at INTEGER NOT NULL,
  previous_hash BLOB NOT NULL CHECK (length(previous_hash) = 32),
  hash BLOB NOT NULL CHECK (length(hash) = 32)
) STRICT;
CREATE TRIGGER prunes_are_final BEFORE UPDATE ON prunes
BEGIN SELECT RAISE(ABORT, 'the record of a prune is never changed'); END;
CREATE TRIGGER prunes_are_kept BEFORE DELETE ON prunes
BEGIN SELECT RAISE(ABORT, 'the record of a prune is never deleted'); END;

CREATE TABLE events (
  sequence INTEGER NOT NULL,
  number INTEGER NOT NULL CHECK (number >= 2),
  type TEXT NOT NULL,
  account_id TEXT,
  data TEXT NOT NULL,
  recorded_at INTEGER NOT NULL,
  PRIMARY KEY (sequence, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX events_approved ON events (CAST(data ->> 2 AS INTEGER)) WHERE type = 'order.approved';

CREATE TABLE webhook_endpoints (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  url TEXT NOT NULL,
  description TEXT,
  event_types TEXT,
  pet_ids TEXT,
  statuses TEXT,
  secret BLOB NOT NULL,
  previous_secret BLOB,
  previous_secret_expires_at INTEGER,
  paused_at INTEGER,
  pause_reason TEXT CHECK (pause_reason IN ('requested', 'failing', 'gone')),
  version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  cursor_sequence INTEGER NOT NULL,
  cursor_number INTEGER NOT NULL,
  failing_since INTEGER,
  failures INTEGER NOT NULL DEFAULT 0,
  retry_at INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0,
  lease_owner TEXT,
  lease_token INTEGER NOT NULL DEFAULT 0,
  lease_until INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX webhook_endpoints_account ON webhook_endpoints (account_id, id);

CREATE TABLE webhook_attempts (
  endpoint_id TEXT NOT NULL,
  slot INTEGER NOT NULL,
  number INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  event_type TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  attempted_at INTEGER NOT NULL,
  duration_ms INTEGER NOT NULL,
  status_code INTEGER,
  error TEXT,
  response TEXT,
  PRIMARY KEY (endpoint_id, slot)
) STRICT, WITHOUT ROWID;

CREATE TABLE activity (
  id INTEGER PRIMARY KEY,
  recorded_at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  request_id TEXT,
  action TEXT NOT NULL,
  target TEXT,
  details TEXT NOT NULL
) STRICT;
CREATE INDEX activity_time ON activity (recorded_at, id);
CREATE INDEX activity_actor ON activity (actor, recorded_at, id);
CREATE INDEX activity_action ON activity (action, recorded_at, id);
CREATE INDEX activity_target ON activity (target, recorded_at, id);

CREATE TABLE imports (
  id TEXT PRIMARY KEY,
  state TEXT NOT NULL,
  format TEXT NOT NULL,
  mode TEXT NOT NULL DEFAULT 'set',
  file_name TEXT,
  byte_count INTEGER NOT NULL,
  read_bytes INTEGER NOT NULL DEFAULT 0,
  new_count INTEGER NOT NULL DEFAULT 0,
  changed_count INTEGER NOT NULL DEFAULT 0,
  unchanged_count INTEGER NOT NULL DEFAULT 0,
  fault_count INTEGER NOT NULL DEFAULT 0,
  faults TEXT,
  failure TEXT,
  actor TEXT NOT NULL,
  applied_by TEXT,
  request_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  lease_owner TEXT,
  lease_until INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX imports_created ON imports (created_at, id);

CREATE TABLE import_parts (
  import_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  content BLOB NOT NULL,
  PRIMARY KEY (import_id, number)
) STRICT;

CREATE TABLE import_rows (
  import_id TEXT NOT NULL,
  pet_id INTEGER NOT NULL,
  line INTEGER NOT NULL,
  element INTEGER,
  name TEXT,
  category TEXT,
  quantity INTEGER NOT NULL,
  status TEXT,
  has_thresholds INTEGER NOT NULL,
  low_stock_at INTEGER,
  restock_at INTEGER,
  effect TEXT NOT NULL,
  found_sequence INTEGER,
  found_name TEXT,
  found_category TEXT,
  found_quantity INTEGER,
  found_status TEXT,
  found_low_stock_at INTEGER,
  found_restock_at INTEGER,
  PRIMARY KEY (import_id, pet_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX import_rows_effect ON import_rows (import_id, effect, pet_id);
`;

/** Frozen from the first release on: a later change of the schema is another migration at the end. */
export const MIGRATIONS: readonly Migration[] = [{ version: 1, name: 'initial', sql: INITIAL }];
