import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pepperCheck } from '../../src/cli/pepper.ts';
import { PLAN_LIMITS } from '../../src/domain/access/plans.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { DEFAULT_RULES, openAdmin, prepareStore } from '../../src/store/open-admin.ts';
import { endpointValues, INSERT_ENDPOINT, UNSET } from '../../src/store/webhooks/endpoint-row.ts';
import { SecretBox } from '../../src/store/webhooks/secret-box.ts';
import { petRow } from '../support/pet-rows.ts';
import { START_MS } from './scheduler.ts';

export const PEPPER = Buffer.alloc(32, 7);
export const ACCOUNT = { id: 'acc_shop', limits: PLAN_LIMITS.pro };
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

let template: Promise<DatabaseSync> | undefined;
let databases = 0;

/** A database in memory with the shop at its beginning. Each connection is one of another process. */
export class SimulatedDatabase {
  readonly #url: string;
  readonly #keeper: DatabaseSync;

  static async make(): Promise<SimulatedDatabase> {
    template ??= newTemplate();
    databases += 1;
    return new SimulatedDatabase(await template, `file:/simulation-${databases}?vfs=memdb`);
  }

  private constructor(source: DatabaseSync, url: string) {
    this.#url = url;
    // The first connection keeps the database in memory.
    this.#keeper = new DatabaseSync(url);
    source.exec(`VACUUM INTO '${url}'`);
  }

  /** Configures a new connection as the service does, besides the disk. */
  connect<Connection extends DatabaseSync>(Kind: new (url: string) => Connection): Connection {
    const connection = new Kind(this.#url);
    connection.exec('PRAGMA journal_mode = memory; PRAGMA foreign_keys = 1; PRAGMA trusted_schema = 0');
    return connection;
  }

  /** Past the service. */
  rows<Row>(sql: string): Row[] {
    const statement = this.#keeper.prepare(sql);
    return statement.all() as unknown as Row[];
  }

  close(): void {
    this.#keeper.close();
  }
}

async function newTemplate(): Promise<DatabaseSync> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-simulation-'));
  try {
    const file = join(folder, 'petstore.db');
    const url = `sqlite:${file}`;
    await prepareStore(url, [], () => ({ environment: 'production', pepperCheck: pepperCheck(PEPPER) }));
    const store = await openAdmin(url, DEFAULT_RULES, () => PEPPER);
    const { id, limits } = ACCOUNT;
    await store.accounts.create({ id, name: 'shop', plan: 'pro', limits, createdAtMs: 1 }, CLI_AUTHOR);
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
  const url = 'file:/simulation-template?vfs=memdb';
  const copy = new DatabaseSync(url);
  source.exec('PRAGMA journal_mode = delete');
  source.exec(`VACUUM INTO '${url}'`);
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
