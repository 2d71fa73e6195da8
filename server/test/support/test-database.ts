import assert from 'node:assert/strict';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { LedgerHead } from '../../src/domain/ledger/ledger.ts';
import type { MaybePromise } from '../../src/domain/maybe-promise.ts';
import type { InventoryList } from '../../src/domain/store.ts';
import { migrate } from '../../src/store/admin/migrate.ts';
import { SqliteAdminEngine } from '../../src/store/sqlite/admin/engine.ts';
import { ListReader } from '../../src/store/sqlite/list-reader.ts';
import { databaseFile } from '../../src/store/sqlite/open.ts';
import { atProcessEnd } from './runner/at-process-end.ts';

/** A value of a row: an integer is a number where a number can hold it, else a bigint. */
export type Value = string | number | bigint | Uint8Array | null;

/** A new database of one test, of whichever engine, and a look into it past the service. */
export interface TestDatabase {
  readonly url: string;
  /** Runs a query on a connection that is not the service's, and returns the values of each row. */
  rows(sql: string): Promise<Value[][]>;
  /** Runs statements on a connection that is not the service's. */
  run(sql: string): Promise<void>;
  /** Allows `run` to break triggers and foreign keys from now on, as damage does. */
  unguard(): Promise<void>;
  /** The part of the store that keeps the list, alone. */
  openListReader(onRebuild: (chunks: number) => void): TestListReader;
  remove(): Promise<void>;
}

export interface TestListReader {
  /** The list at this head of the ledger or a later one. */
  list(head: LedgerHead): MaybePromise<InventoryList>;
  close(): Promise<void>;
}

/** An engine on which the tests of the store can run. */
export interface TestEngine {
  /** How much of a long test it is put through, 1 being all of it. */
  readonly share: number;
  /** Whether the tests that `testOnce` declares run on it. */
  readonly runsAll: boolean;
  /** How long a running service may use the old state after an operator's change. */
  readonly noticeTimeoutMs: number;
  /** Environment variables besides the address of the database. */
  readonly variables: Readonly<Record<string, string>>;
  newDatabase(): Promise<TestDatabase>;
}

const LOCK_TIMEOUT_MS = 30_000;

class SqliteDatabase implements TestDatabase {
  readonly url: string;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.url = `sqlite:${join(folder, 'petstore.db')}`;
  }

  async rows(sql: string): Promise<Value[][]> {
    const rows = this.#withFile((database) => {
      const statement = database.prepare(sql);
      statement.setReadBigInts(true);
      return statement.all();
    });
    return rows.map((row) => Object.values(row).map(plainInteger));
  }

  async run(sql: string): Promise<void> {
    this.#withFile((database) => database.exec(sql));
  }

  async unguard(): Promise<void> {
    const triggers = ['movements_are_final', 'movements_are_kept', 'prunes_are_final', 'prunes_are_kept'];
    await this.run(triggers.map((name) => `DROP TRIGGER ${name}`).join(';'));
  }

  openListReader(onRebuild: (chunks: number) => void): TestListReader {
    return new ListReader(databaseFile(this.url), onRebuild);
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #withFile<T>(work: (database: DatabaseSync) => T): T {
    const database = new DatabaseSync(databaseFile(this.url), {
      enableForeignKeyConstraints: false,
      // A service that writes meanwhile has the lock for a moment.
      timeout: LOCK_TIMEOUT_MS,
    });
    try {
      return work(database);
    } finally {
      database.close();
    }
  }
}

/** A file with the schema in it: to copy it takes a third of the time of a migration. */
let template: Promise<string> | undefined;

async function newTemplate(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-template-'));
  atProcessEnd(() => {
    // Bun calls it at the end of each file.
    template = undefined;
    return rm(folder, { recursive: true, maxRetries: 5 });
  });
  const file = join(folder, 'petstore.db');
  const engine = SqliteAdminEngine.open(file, { create: true });
  await engine.transaction(() => migrate(engine));
  await engine.close();
  return file;
}

const SQLITE: TestEngine = {
  share: 1,
  runsAll: true,
  noticeTimeoutMs: 0,
  variables: {},
  newDatabase: async () => {
    template ??= newTemplate();
    const database = new SqliteDatabase(await mkdtemp(join(tmpdir(), 'petstore-test-')));
    await copyFile(await template, databaseFile(database.url));
    return database;
  },
};

let chosen = SQLITE;

/** Chooses the engine for the tests of the file or suite that calls it; the others run on SQLite. */
export function useEngine(engine: TestEngine): void {
  before(() => {
    chosen = engine;
  });
  after(() => {
    chosen = SQLITE;
  });
}

/** Chooses the engine for all tests of this process, and for the files that it loads from now on. */
export function useEngineInProcess(engine: TestEngine): void {
  chosen = engine;
}

export function testEngine(): TestEngine {
  return chosen;
}

/**
 * Returns what declares a test of rules that no engine decides, for a file that runs on each engine. Other tests of the
 * contract send all its statements, so on PostgreSQL it is one of the long tests.
 */
export function testOnceIn(): typeof test {
  return chosen.runsAll ? test : (((..._: unknown[]) => Promise.resolve()) as typeof test);
}

/** Asserts an answer after an operator's change: the first one, or one within the notice time of the engine. */
export async function assertNoticed<T>(read: () => Promise<T>, expected: T): Promise<void> {
  const deadlineMs = performance.now() + chosen.noticeTimeoutMs;
  let answer = await read();
  while (answer !== expected && performance.now() < deadlineMs) {
    await delay(20);
    answer = await read();
  }
  assert.equal(answer, expected);
}

/** An empty database of the chosen engine, removed with the test. */
export async function newDatabase(t: Pick<TestContext, 'after'>): Promise<TestDatabase> {
  const database = await chosen.newDatabase();
  t.after(() => database.remove());
  return database;
}

/** An integer as the number that it is, where that is exact. */
export function plainInteger<T>(value: T): T | number {
  const isPlain = typeof value === 'bigint' && Number.isSafeInteger(Number(value));
  return isPlain ? Number(value) : value;
}
