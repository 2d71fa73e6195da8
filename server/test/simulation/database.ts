import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { pepperCheck } from '../../src/cli/pepper.ts';
import { PLAN_LIMITS } from '../../src/domain/access/plans.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import type { EventPosition } from '../../src/domain/webhooks/events.ts';
import { openAdmin, prepareStore } from '../../src/store/open-admin.ts';
import { endpointValues, INSERT_ENDPOINT, UNSET } from '../../src/store/webhooks/endpoint-row.ts';
import { SecretBox } from '../../src/store/webhooks/secret-box.ts';
import { petRow } from '../support/pet-rows.ts';
import { type CommitListener, type ConnectionUse, SimulatedConnection } from './connection.ts';
import { START_MS } from './scheduler.ts';

export const PEPPER = Buffer.alloc(32, 7);
export const ACCOUNT = { id: 'acc_shop', limits: PLAN_LIMITS.pro };
/** The account and the key of a client that does not wait. */
export const HASTY = {
  key: { id: 'key_hasty', name: 'hasty', hint: '' },
  account: { id: 'acc_hasty', limits: PLAN_LIMITS.free },
} as const;
/** The petIds with their quantities at the beginning. Each has one movement. */
export const PETS: ReadonlyMap<bigint, number> = new Map([
  [7n, 20],
  [9_007_199_254_740_993n, 9],
  [-(2n ** 63n), 0],
  [12n, 40],
]);

/** The endpoints: one receives everything, the others some pets or types. */
export const ENDPOINTS = [
  { id: 'whe_0000000000000001', url: 'https://receiver.example/1', types: null, petIds: null },
  { id: 'whe_0000000000000002', url: 'https://receiver.example/2', types: null, petIds: '7' },
  {
    id: 'whe_0000000000000003',
    url: 'https://receiver.example/3',
    types: 'order.placed order.expired',
    petIds: null,
  },
] as const;

const DATABASE_URL = 'file:/simulation?vfs=memdb';
const TEMPLATE_URL = 'file:/simulation-template?vfs=memdb';
/** A trigger changes it with other tables, and the other one lets movements be deleted. */
const COPIED_LAST = ['access_state', 'ledger_start'];

let keeper: Promise<DatabaseSync> | undefined;
/** What the keeper has prepared. */
const statements = new Map<string, StatementSync>();

/**
 * The database in memory that all simulations of this process use, one after the other. Each connection is one of another
 * process. They are used again, because opening one and preparing its statements takes longer than running them.
 */
export class SimulatedDatabase {
  readonly #keeper: DatabaseSync;
  readonly #onCommit = new Set<CommitListener>();
  /** By all connections. */
  commits = 0;

  /** The shop at its beginning. No simulation may use the database any more. */
  static async make(): Promise<SimulatedDatabase> {
    keeper ??= newKeeper();
    const database = await keeper;
    restore(database);
    return new SimulatedDatabase(database);
  }

  private constructor(database: DatabaseSync) {
    this.#keeper = database;
  }

  /** Configures a new connection as the service does, besides the disk. */
  connect(use: ConnectionUse): SimulatedConnection {
    return SimulatedConnection.open(DATABASE_URL, use, this.#notify);
  }

  /** Calls back once, after the next commit of any connection. */
  onNextCommit(listener: CommitListener): void {
    this.#onCommit.add(listener);
  }

  readonly #notify = (): void => {
    this.commits += 1;
    const listeners = [...this.#onCommit];
    this.#onCommit.clear();
    for (const listener of listeners) listener();
  };

  /** The last reported position of an endpoint. */
  cursorOf(id: string): EventPosition {
    const [cursor] = this.rows<EventPosition>(
      'SELECT cursor_sequence AS sequence, cursor_number AS number FROM webhook_endpoints WHERE id = ?',
      [id],
    );
    return cursor as EventPosition;
  }

  /** Past the service. */
  rows<Row>(sql: string, values: readonly SQLInputValue[] = []): Row[] {
    let statement = statements.get(sql);
    if (!statement) {
      statement = this.#keeper.prepare(sql);
      statements.set(sql, statement);
    }
    return statement.all(...values) as unknown as Row[];
  }
}

/** The first connection keeps the database in memory. */
async function newKeeper(): Promise<DatabaseSync> {
  const template = await newTemplate();
  const database = new DatabaseSync(DATABASE_URL);
  template.exec(`VACUUM INTO '${DATABASE_URL}'`);
  database.exec(
    `PRAGMA journal_mode = memory; PRAGMA foreign_keys = 0; ATTACH '${TEMPLATE_URL}' AS template`,
  );
  return database;
}

/** Makes all tables equal to those of the template. The schema stays, so that prepared statements are valid. */
function restore(database: DatabaseSync): void {
  const named = database.prepare(
    "SELECT name FROM template.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  );
  const tables = named.all().map(({ name }) => String(name));
  const ordered = [...tables.filter((name) => !COPIED_LAST.includes(name)), ...COPIED_LAST];
  database.exec('BEGIN; UPDATE ledger_start SET sequence = 1000000000');
  for (const table of ordered) {
    database.exec(`DELETE FROM main.${table}; INSERT INTO main.${table} SELECT * FROM template.${table}`);
  }
  database.exec('COMMIT');
}

async function newTemplate(): Promise<DatabaseSync> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-simulation-'));
  try {
    const file = join(folder, 'petstore.db');
    const url = `sqlite:${file}`;
    await prepareStore(url, [], () => ({ environment: 'production', pepperCheck: pepperCheck(PEPPER) }));
    const store = await openAdmin(url, { pepper: () => PEPPER });
    const { id, limits } = ACCOUNT;
    await store.accounts.create({ id, name: 'shop', plan: 'pro', limits, createdAtMs: 1 }, CLI_AUTHOR);
    const { account, key } = HASTY;
    const hasty = { ...account, name: 'hasty', plan: 'free', createdAtMs: 1 } as const;
    await store.accounts.create(hasty, CLI_AUTHOR);
    const secret = { role: null, hash: Buffer.alloc(32), scopes: null, expiresAtMs: null };
    await store.keys.create({ ...key, ...secret, accountId: account.id, createdAtMs: 1 }, CLI_AUTHOR);
    const rows = [...PETS].map(([petId, quantity]) => petRow(petId, quantity));
    await store.importPets(rows, 'cli', START_MS);
    await store.close();
    return inMemory(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A copy in memory, with the endpoints: their ids decide about orders, so they are always the same. */
function inMemory(file: string): DatabaseSync {
  const source = new DatabaseSync(file);
  const copy = new DatabaseSync(TEMPLATE_URL);
  source.exec('PRAGMA journal_mode = delete');
  source.exec(`VACUUM INTO '${TEMPLATE_URL}'`);
  source.close();
  copy.exec('PRAGMA journal_mode = memory');
  const secrets = new SecretBox(() => PEPPER);
  const insert = copy.prepare(INSERT_ENDPOINT.replaceAll(/\$\d+/g, '?'));
  for (const { id, ...settings } of ENDPOINTS) {
    const row = { ...UNSET, ...settings, statuses: null, accountId: ACCOUNT.id };
    const none = {
      previousSecret: null,
      previousSecretExpiresAtMs: null,
      pausedAtMs: null,
      pauseReason: null,
    };
    const times = { createdAtMs: START_MS, updatedAtMs: START_MS, cursorSequence: 0, cursorNumber: 0 };
    const failing = { failingSinceMs: null, failures: 0, retryAtMs: null };
    const { sealed } = secrets.create(id);
    const fields = { ...none, ...times, ...failing, secret: sealed, version: 1, leaseToken: 0 };
    insert.run(...(endpointValues({ id, ...row, ...fields }) as (string | number | null | Uint8Array)[]));
  }
  return copy;
}
