import { type ColumnType, MOVEMENT_COLUMNS } from '../ledger/movement-columns.ts';

/** A table that moves with a shop, with its columns in the order in which values travel. */
export interface MovedTable {
  readonly name: string;
  /** The columns that order the rows and identify one. */
  readonly key: readonly string[];
  readonly columns: Readonly<Record<string, ColumnType>>;
}

/** A row, each value as text; bytes are `\x` and hexadecimal digits. */
export type MovedRow = readonly (string | null)[];

/** All tables of a shop, parents before their children. */
export const MOVED_TABLES: readonly MovedTable[] = [
  { name: 'metadata', key: ['name'], columns: { name: 'text', value: 'text' } },
  {
    name: 'accounts',
    key: ['id'],
    columns: {
      id: 'text',
      name: 'text',
      plan: 'text',
      per_minute: 'bigint',
      per_day: 'bigint',
      created_at: 'bigint',
    },
  },
  {
    name: 'api_keys',
    key: ['id'],
    columns: {
      id: 'text',
      account_id: 'text',
      name: 'text',
      hash: 'bytea',
      hint: 'text',
      scopes: 'text',
      created_at: 'bigint',
      expires_at: 'bigint',
      revoked_at: 'bigint',
      last_used_at: 'bigint',
      rotated_from: 'text',
    },
  },
  {
    name: 'bans',
    key: ['id'],
    columns: {
      id: 'bigint',
      key_id: 'text',
      level: 'bigint',
      banned_at: 'bigint',
      ends_at: 'bigint',
      lifted_at: 'bigint',
    },
  },
  {
    name: 'usage',
    key: ['account_id'],
    columns: {
      account_id: 'text',
      minute_label: 'bigint',
      minute_used: 'bigint',
      day_label: 'bigint',
      day_used: 'bigint',
    },
  },
  { name: 'pets', key: ['pet_id'], columns: { pet_id: 'bigint', name: 'text', category: 'text' } },
  {
    name: 'inventory',
    key: ['pet_id'],
    columns: {
      pet_id: 'bigint',
      quantity: 'bigint',
      status: 'text',
      version: 'bigint',
      last_sequence: 'bigint',
      updated_at: 'bigint',
      reserved: 'bigint',
      alert_level: 'text',
      low_stock_at: 'bigint',
      restock_at: 'bigint',
      created_at: 'bigint',
    },
  },
  {
    name: 'movements',
    key: ['sequence'],
    columns: Object.fromEntries(MOVEMENT_COLUMNS.map(({ name, type }) => [name, type])),
  },
  {
    name: 'ledger_start',
    key: ['sequence'],
    columns: {
      sequence: 'bigint',
      recorded_at: 'bigint',
      hash: 'bytea',
      deleted_sequence: 'bigint',
      deleted_hash: 'bytea',
    },
  },
  {
    name: 'prunes',
    key: ['number'],
    columns: {
      number: 'bigint',
      after_sequence: 'bigint',
      start_sequence: 'bigint',
      start_recorded_at: 'bigint',
      start_hash: 'bytea',
      decided_sequence: 'bigint',
      retained: 'bigint',
      retained_digest: 'bytea',
      deleted: 'bigint',
      actor: 'text',
      recorded_at: 'bigint',
      previous_hash: 'bytea',
      hash: 'bytea',
    },
  },
  {
    name: 'orders',
    key: ['id'],
    columns: {
      id: 'bigint',
      status: 'text',
      version: 'bigint',
      reference_id: 'text',
      note: 'text',
      expires_at: 'bigint',
      created_at: 'bigint',
      updated_at: 'bigint',
      actor: 'text',
    },
  },
  {
    name: 'order_lines',
    key: ['id'],
    columns: {
      id: 'bigint',
      order_id: 'bigint',
      pet_id: 'bigint',
      quantity: 'bigint',
      delivered: 'bigint',
      returned: 'bigint',
    },
  },
  {
    name: 'sales',
    key: ['pet_id', 'day'],
    columns: { pet_id: 'bigint', day: 'bigint', units: 'bigint' },
  },
  {
    name: 'answers',
    key: ['id'],
    columns: {
      id: 'bigint',
      scope: 'text',
      fingerprint: 'text',
      result: 'text',
      created_at: 'bigint',
    },
  },
];
