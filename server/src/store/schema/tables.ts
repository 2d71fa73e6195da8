/** A table that moves with a shop, with its columns in the order in which values travel. */
export interface MovedTable {
  readonly name: string;
  /** The columns that order the rows and identify one. */
  readonly key: readonly string[];
  /** The types of the columns as PostgreSQL names them. */
  readonly columns: Readonly<Record<string, string>>;
}

/** A row, each value as text; bytes are `\x` and hexadecimal digits. */
export type MovedRow = readonly (string | null)[];

/** A column of a table in SQLite. `place` is its place in the primary key, from 1; 0: it is not in the key. */
export interface TableColumn {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly place: number;
}

/**
 * All tables of a shop, parents before their children. Files and plans of imports do not move, nor do bulk changes, nor the
 * record of a backup, which restores the other engine.
 */
const TABLES = [
  'metadata',
  'accounts',
  'api_keys',
  'sessions',
  'sign_in_codes',
  'bans',
  'usage',
  'usage_history',
  'quota_notices',
  'pets',
  'pet_words',
  'pet_codes',
  'inventory',
  'deleted_pets',
  'movements',
  'stocktakes',
  'stocktake_counts',
  'stocktake_lines',
  'import_mappings',
  'saved_views',
  'reorders',
  'ledger_start',
  'prunes',
  'orders',
  'order_lines',
  'sales',
  'idempotency_records',
  'events',
  'webhook_endpoints',
  'webhook_attempts',
  'activity',
];

/** The links between the lines of a pet, which PostgreSQL has an index for, and the leases of senders. */
const LEFT_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  inventory: ['last_line_id', 'line_count'],
  order_lines: ['previous_id', 'number'],
  webhook_endpoints: ['lease_owner', 'lease_token', 'lease_until'],
};

const TYPES: Readonly<Record<string, string>> = { INTEGER: 'bigint', TEXT: 'text', BLOB: 'bytea' };

/** Counts have a row per window in SQLite, and a row per account in PostgreSQL. */
export const USAGE: MovedTable = {
  name: 'usage',
  key: ['account_id'],
  columns: {
    account_id: 'text',
    minute_label: 'bigint',
    minute_used: 'bigint',
    minute_recorded: 'bigint',
    day_label: 'bigint',
    day_used: 'bigint',
  },
};

/** The tables to move, from the columns of a SQLite file. */
export function movedTables(columns: readonly TableColumn[]): readonly MovedTable[] {
  return TABLES.map((name) => (name === USAGE.name ? USAGE : movedTable(name, columns)));
}

function movedTable(name: string, columns: readonly TableColumn[]): MovedTable {
  const moved = columns.filter(
    (column) => column.table === name && !LEFT_COLUMNS[name]?.includes(column.name),
  );
  const key = moved.filter(({ place }) => place > 0).toSorted((a, b) => a.place - b.place);
  return {
    name,
    // A table without a key has one row.
    key: (key.length > 0 ? key : moved.slice(0, 1)).map((column) => column.name),
    columns: Object.fromEntries(moved.map((column) => [column.name, TYPES[column.type] as string])),
  };
}
