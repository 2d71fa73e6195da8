import assert from 'node:assert/strict';
import fs from 'node:fs';
import fsPromises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import type { Principal } from '../../src/domain/access/principal.ts';
import { ApiError } from '../../src/domain/errors.ts';
import type { MaybePromise } from '../../src/domain/maybe-promise.ts';
import type { Store } from '../../src/domain/store.ts';
import { openStore } from '../../src/store/open.ts';
import { openAdmin, prepareStore } from '../../src/store/open-admin.ts';
import { petRow, temporaryFolder } from '../support/command-line.ts';
import { until } from '../support/until.ts';
import { RULES } from '../writes/stock-fixtures.ts';
import { isSkippedOnBun } from '../support/long-test.ts';

/** What fails: the calls that the serving thread makes of the file system, and of SQLite, whose files are the disk's too. */
const FUNCTIONS: readonly (readonly [owner: object, name: string])[] = [
  [fs, 'lstatSync'],
  [fs, 'readSync'],
  [fs, 'statSync'],
  [fsPromises, 'statfs'],
  [StatementSync.prototype, 'get'],
  [StatementSync.prototype, 'all'],
  [DatabaseSync.prototype, 'exec'],
];
const CODES = ['EIO', 'EACCES', 'ESTALE'];
const SQLITE_IOERR_READ = 266;
const SQLITE_CORRUPT = 11;

/** Makes one call of a function throw an error of the disk: the one with this index from now on. */
class FailingCall {
  calls = 0;
  #failsAt = -1;
  readonly #errcode: number;

  constructor(t: TestContext, [owner, name]: readonly [object, string], errcode = SQLITE_IOERR_READ) {
    this.#errcode = errcode;
    const original = (owner as Record<string, (...values: unknown[]) => unknown>)[name] as (
      ...values: unknown[]
    ) => unknown;
    const note = () => this.#note();
    const replace = (replacement: unknown) => {
      Object.assign(owner, { [name]: replacement });
      syncBuiltinESMExports();
    };
    replace(function failing(this: unknown, ...values: unknown[]) {
      note();
      return original.apply(this, values);
    });
    t.after(() => replace(original));
  }

  failAt(index: number): void {
    this.calls = 0;
    this.#failsAt = index;
  }

  get hasFailed(): boolean {
    return this.calls > this.#failsAt;
  }

  #note(): void {
    const index = this.calls;
    this.calls += 1;
    if (index !== this.#failsAt) return;
    const code = CODES[index % CODES.length] as string;
    throw Object.assign(new Error(`${code}: disk I/O error`), { code, errcode: this.#errcode });
  }
}

async function openServed(t: TestContext) {
  const url = `sqlite:${temporaryFolder(t)}/petstore.db`;
  await prepareStore(url, [], () => ({ environment: 'production', pepperCheck: 'of this test' }));
  const admin = await openAdmin(url);
  await admin.importPets([petRow(1), petRow(2)], 'cli');
  await admin.close();
  const errors: string[] = [];
  const store = await openStore({
    database: url,
    rules: RULES,
    environment: 'production',
    onCommit: () => undefined,
    onListRebuild: () => undefined,
    onError: (message) => errors.push(message),
  });
  t.after(() => store.close());
  return { store, errors };
}

const PRINCIPAL = {
  key: { id: 'key_1' },
  account: { id: 'acc_1', limits: { perMinute: 1e9, perDay: 1e9 } },
} as unknown as Principal;

let quantity = 0;

/** Each way in which requests and regular tasks use a store. */
const USES: readonly ((store: Store) => MaybePromise<unknown>)[] = [
  (store) =>
    store.write({
      author: { actor: 'key', actorName: 'test', requestId: null, atMs: 1 },
      command: { kind: 'change', change: { kind: 'set', petId: 1n, quantity: ++quantity } },
    }),
  (store) => store.inventoryTag(),
  (store) => store.listInventory(),
  (store) => store.listInventoryPage(undefined, 1),
  (store) => store.findPet(1n),
  (store) => store.findItem(1n, 1),
  (store) => store.accessVersion(),
  (store) => store.admit(PRINCIPAL, 1),
  (store) => store.limitStatus(PRINCIPAL, 1),
  (store) => store.findKey(new Uint8Array(32)),
  (store) => store.findSession(new Uint8Array(32)),
  (store) => store.webhookMemory(),
  (store) => store.hasImportWork(),
  (store) => store.newestBackup(),
  (store) => store.databaseBytes(),
  (store) => store.freeBytes(),
  (store) => store.ledger.head(),
  (store) => store.ledger.retentionStart(),
  (store) => store.ledger.prunesAfter(0),
  (store) => store.ledger.findMovement(1),
  (store) => store.ledger.listMovements({ filter: {}, order: 'asc', limit: 1 }),
  (store) => store.ledger.sequenceAt(1),
  (store) => store.ledger.stockTotals(),
  (store) => store.orders.findOrder(1),
  (store) => store.orders.dueOrders(1),
];

/** Uses a store in each way; the only error that may come of it is the refusal with a time to try again. */
async function useAll(store: Store): Promise<number> {
  let refused = 0;
  for (const use of USES) {
    try {
      await use(store);
    } catch (error) {
      assert.ok(error instanceof ApiError, `${use}: ${String((error as Error).stack)}`);
      assert.equal(error.code, 'service_unavailable');
      assert.match(error.headers['Retry-After'] ?? '', /^[1-9]\d*$/);
      refused += 1;
    }
  }
  return refused;
}

async function isReady(store: Store): Promise<boolean> {
  return store.checkHealth().then(
    () => true,
    () => false,
  );
}

for (const site of FUNCTIONS) {
  test(`one error of the disk in ${site[1]} refuses at most what needs it, and heals`, async (t) => {
    if (isSkippedOnBun(t, 'replaced functions of node:fs')) return;
    const { store } = await openServed(t);
    const failing = new FailingCall(t, site);
    let index = 0;
    for (; ; index += 1) {
      failing.failAt(index);
      await useAll(store);
      if (!failing.hasFailed) break;
      await until(() => isReady(store), 'it is ready again');
      failing.failAt(-1);
      assert.equal(await useAll(store), 0, `after call ${index} failed`);
    }
    assert.ok(index > 0, 'a call failed');
  });
}

test('files that cannot be checked are reported once, and no change is acknowledged until they can be', async (t) => {
  if (isSkippedOnBun(t, 'replaced functions of node:fs')) return;
  const { store, errors } = await openServed(t);
  const original = fs.lstatSync;
  t.after(() => Object.assign(fs, { lstatSync: original }) && syncBuiltinESMExports());
  const failing = () => {
    throw Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' });
  };
  Object.assign(fs, { lstatSync: failing });
  syncBuiltinESMExports();
  await until(async () => !(await isReady(store)), 'it is not ready');
  await assert.rejects(store.checkHealth(), { reason: /cannot be checked/, message: /permission/ });
  await assert.rejects(store.checkHealth(), (error: Error) => !/backup/.test(error.message));
  assert.ok((await useAll(store)) > 0);
  Object.assign(fs, { lstatSync: original });
  syncBuiltinESMExports();
  await until(() => isReady(store), 'it is ready again');
  assert.equal(await useAll(store), 0);
  assert.equal(errors.length, 1, errors.join());
});

test('damage that SQLite reports once, as where the disk fails to read, passes after a check of the whole file', async (t) => {
  const { store, errors } = await openServed(t);
  const failing = new FailingCall(t, [StatementSync.prototype, 'get'], SQLITE_CORRUPT);
  failing.failAt(0);
  assert.throws(() => store.findPet(1n), { code: 'service_unavailable' });
  failing.failAt(-1);
  await assert.rejects(store.checkHealth(), { reason: /damaged, or cannot be read/ });
  assert.throws(() => store.ledger.head(), { code: 'service_unavailable' });
  await until(() => isReady(store), 'it is ready again');
  assert.equal(await useAll(store), 0);
  assert.equal(errors.length, 1, errors.join());
});

test('an error of the disk is no fault of the ledger: verify names the disk, and no backup', async (t) => {
  const url = `sqlite:${temporaryFolder(t)}/petstore.db`;
  await prepareStore(url, [], () => ({ environment: 'production', pepperCheck: 'of this test' }));
  const admin = await openAdmin(url);
  t.after(() => admin.close());
  await admin.importPets([petRow(1)], 'cli');
  const failing = new FailingCall(t, [StatementSync.prototype, 'all']);
  let index = 0;
  for (; ; index += 1) {
    failing.failAt(index);
    const error = await admin.verify().then(
      () => undefined,
      (thrown: Error) => thrown,
    );
    if (!failing.hasFailed) break;
    assert.match(
      String(error?.message),
      /^The disk could not read the database .*; check the disk, and try again\.$/,
    );
  }
  assert.ok(index > 0);
  failing.failAt(-1);
  assert.deepEqual((await admin.verify()).faults, []);
});

test('a service that cannot read its database is not ready', async (t) => {
  if (isSkippedOnBun(t, 'replaced functions of node:fs')) return;
  const { store } = await openServed(t);
  const failing = new FailingCall(t, [StatementSync.prototype, 'get']);
  failing.failAt(0);
  await assert.rejects(store.checkHealth(), { code: 'service_unavailable' });
  await store.checkHealth();
});
