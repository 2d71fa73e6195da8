import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, describe, type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import pg from 'pg';
import { CLI_AUTHOR } from '../../../src/domain/management/activity.ts';
import type { WriteCommand, WriteRequest } from '../../../src/domain/write-command.ts';
import { openAdmin } from '../../../src/store/open-admin.ts';
import { PostgresStore } from '../../../src/store/postgres/store.ts';
import { SqliteStore } from '../../../src/store/sqlite/store.ts';
import type { StoreOptions } from '../../../src/store/store-options.ts';
import { startService } from '../../blackbox/service.ts';
import { MAIN } from '../../support/bundle/service-program.ts';
import { commandLine, environmentOf, json, temporaryFolder } from '../../support/command-line.ts';
import { SeededRandom } from '../../support/limit-clients.ts';
import { until } from '../../support/until.ts';
import { sharedPostgres } from '../support/shared-postgres.ts';
import { isSkippedDaily } from '../../support/long-test.ts';

const KILLS = 3;

/** Locks that wait in this database: those of the whole server are also those of other tests. */
const WAITING_LOCKS = `SELECT pid, locktype, mode, relation::regclass FROM pg_locks JOIN pg_database ON pg_database.oid = database
WHERE NOT granted AND datname = current_database()`;

const PETS = `petId,name,category,quantity,status
-9223372036854775808,"a, ""b""\\ {NULL}",,9007199254740991,sold
9223372036854775807,,cats,0,pending
0,,,1,available
${Array.from({ length: 5_000 }, (_, i) => `${i + 1},Pet ${i},dogs,${i % 90},available`).join('\n')}
`;

const STORE_OPTIONS: StoreOptions = {
  environment: 'production',
  rules: { statusPolicy: 'unchanged', maxQuantity: Number.MAX_SAFE_INTEGER, orderHoldMs: null },
  onCommit: () => {},
  onListRebuild: () => {},
  onError: () => {},
};

/** What the whole file shares ends with the file. */
const whole = { after: after as TestContext['after'] };
const { server: postgres } = await sharedPostgres();
const template = temporaryFolder(whole);
const shopIsBuilt = buildShop(template);

interface Shop {
  readonly folder: string;
  readonly file: string;
  readonly from: string;
  readonly pepper: string;
  readonly keyId: string;
  readonly cli: ReturnType<typeof commandLine>;
}

/** A shop in a SQLite file: pets at both ends of int64, two accounts, keys that were rotated and revoked, a ban. */
async function buildShop(folder: string): Promise<string> {
  const cli = commandLine(folder);
  const file = join(folder, 'petstore.db');
  await json(cli, 'migrate');
  await json(cli, 'accounts', 'create', 'corner shop', '--plan', 'pro');
  await json(cli, 'accounts', 'create', 'Zoë’s', '--plan', 'free');
  const { id: keyId } = await json(cli, 'keys', 'create', '--account', 'corner shop');
  const { id: old } = await json(cli, 'keys', 'create', '--account', 'Zoë’s', '--name', 'till');
  await json(cli, 'keys', 'rotate', String(old));
  const { id: revoked } = await json(cli, 'keys', 'create', '--account', 'Zoë’s', '--name', 'lost');
  await json(cli, 'keys', 'revoke', '--yes', String(revoked));
  writeFileSync(join(folder, 'pets.csv'), PETS);
  await json(cli, 'pets', 'import', join(folder, 'pets.csv'));
  const database = new DatabaseSync(file);
  database
    .prepare('INSERT INTO bans (key_id, level, banned_at, ends_at) VALUES (?, 3, ?, ?)')
    .run(String(keyId), Date.now(), Date.now() + 3_600_000);
  database.close();
  return String(keyId);
}

/** Reverts a change of a pet, writes another one under a key, and prunes the ledger up to it. */
async function changeAndPrune(file: string): Promise<void> {
  const store = await SqliteStore.open({ file, ...STORE_OPTIONS });
  try {
    await store.write(requestTo({ kind: 'change', change: { kind: 'adjust', petId: 7n, delta: 3 } }));
    await store.write(requestTo({ kind: 'revert', sequence: 5_004 }));
    assert.equal((await store.write(keyedRequest('a'))).kind, 'written');
  } finally {
    await store.close();
  }
  const admin = await openAdmin(`sqlite:${file}`);
  assert.equal((await admin.pruneMovements(Number.MAX_SAFE_INTEGER, CLI_AUTHOR)).start.sequence, 5_005);
  await admin.close();
}

function requestTo(command: WriteCommand): WriteRequest {
  return { author: { actor: 'key', actorName: 'key', requestId: null, atMs: Date.now() }, command };
}

function keyedRequest(scope: string): WriteRequest {
  const explanation = {
    reason: 'received',
    note: 'two\n"boxes"',
    referenceDocumentUri: null,
    referenceId: null,
    occurredAtMs: -5,
  } as const;
  const change = { kind: 'adjust', petId: 9n, delta: 3, explanation } as const;
  return { ...requestTo({ kind: 'change', change }), idempotency: { scope, fingerprint: 'same' } };
}

/** A session with the name of an instance, or with another one. */
async function connected(t: TestContext, url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: name });
  await client.connect();
  t.after(() => client.end());
  return client;
}

/** A small shop in a SQLite file. */
async function makeSmallShop(t: TestContext): Promise<Shop> {
  const folder = temporaryFolder(t);
  const cli = commandLine(folder);
  await json(cli, 'migrate');
  await json(cli, 'accounts', 'create', 'shop', '--plan', 'pro');
  const { id: keyId } = await json(cli, 'keys', 'create', '--account', 'shop');
  await json(cli, 'pets', 'create', '7', '--quantity', '5');
  const file = join(folder, 'petstore.db');
  const pepper = readFileSync(`${file}.pepper`, 'utf8').trim();
  return { folder, file, from: `sqlite:${file}`, pepper, keyId: String(keyId), cli };
}

/** A copy of the shop with many pets, which is made once. */
async function makeShop(t: TestContext): Promise<Shop> {
  const keyId = await shopIsBuilt;
  const folder = temporaryFolder(t);
  const file = join(folder, 'petstore.db');
  cpSync(template, folder, { recursive: true });
  const pepper = readFileSync(`${file}.pepper`, 'utf8').trim();
  return { folder, file, from: `sqlite:${file}`, pepper, keyId, cli: commandLine(folder) };
}

/** Where the shop of a file moved. */
function movedTo(file: string): unknown {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database.prepare("SELECT value FROM metadata WHERE name = 'moved_to'").get()?.value;
  } finally {
    database.close();
  }
}

function serverEnv(shop: Shop, url: string): Record<string, string> {
  return { PETSTORE_DATABASE: url, PETSTORE_PEPPER: shop.pepper };
}

function onServer(shop: Shop, url: string): ReturnType<typeof commandLine> {
  return commandLine(shop.folder, { env: serverEnv(shop, url) });
}

async function assertRefused(
  shop: Shop,
  to: string,
  reason: RegExp,
  exitCode = 1,
  ...more: readonly string[]
): Promise<void> {
  const { code, stdout, stderr } = await shop.cli('move', '--from', shop.from, '--to', to, ...more);
  assert.equal(code, exitCode, stdout);
  assert.match(stderr, reason);
}

describe('petstore-server move', { concurrency: 3 }, () => {
  test('takes a shop along with its ledger, keys, counts and bans', async (t) => {
    if (isSkippedDaily(t)) return;
    const folder = temporaryFolder(t);
    const pets = Array.from({ length: 7 }, (_, i) => ({ petId: BigInt(i) - 3n, quantity: i }));
    const source = await startService(t, { databaseDir: folder, plan: 'pro', pets });
    const headers = { Authorization: `Bearer ${source.key}`, 'Content-Type': 'application/json' };
    for (const quantity of [4, 9, 0]) {
      const change = { method: 'PATCH', headers, body: JSON.stringify({ quantity }) };
      assert.equal((await fetch(`${source.url}/v1/inventory/2`, change)).status, 200);
    }
    const list = await (await fetch(`${source.url}/v1/inventory`, { headers })).text();
    assert.equal(await source.stop(), 0);

    const file = join(folder, 'petstore.db');
    const to = await postgres.createDatabase();
    const cli = commandLine(folder);
    const moved = await json(cli, 'move', '--from', `sqlite:${file}`, '--to', to);
    assert.deepEqual(
      { ...moved, from: '', to: '' },
      { from: '', to: '', pets: 7, movements: 10, orders: 0, accounts: 1, keys: 1, bans: 0 },
    );
    assert.doesNotMatch(JSON.stringify(moved), new RegExp(new URL(to).password), 'no password is shown');

    const env = {
      PETSTORE_DATABASE: to,
      PETSTORE_PEPPER: readFileSync(`${file}.pepper`, 'utf8').trim(),
    };
    const target = await startService(t, { databaseDir: folder, key: source.key, env });
    const answer = await fetch(`${target.url}/v1/inventory`, { headers });
    assert.equal(await answer.text(), list);
    const limits = (await (await fetch(`${target.url}/v1/rate-limit`, { headers })).json()) as {
      day: { remaining: number };
    };
    assert.equal(limits.day.remaining, 10_000 - 5, 'requests before and after the move count alike');
    assert.deepEqual((await target.cli('verify')).faults, []);
  });

  test('moves texts, large numbers, rotations and bans as they are', async (t) => {
    if (isSkippedDaily(t)) return;
    const shop = await makeShop(t);
    const lists = [['accounts', 'list'], ['keys', 'list'], ['bans', 'list'], ['verify']];
    const before = await Promise.all(lists.map((words) => json(shop.cli, ...words)));
    const to = await postgres.createDatabase();
    await json(shop.cli, 'move', '--from', shop.from, '--to', to);

    const destination = onServer(shop, to);
    for (const [i, words] of lists.entries()) {
      assert.deepEqual(await json(destination, ...words), before[i], words.join(' '));
    }
    assert.deepEqual(await json(shop.cli, 'verify'), before[3], 'the source keeps its ledger');
    const name = new URL(to).pathname.slice(1);
    const [pet] = await postgres.query('SELECT name, category FROM pets WHERE pet_id < 0', name);
    assert.deepEqual({ ...pet }, { name: 'a, "b"\\ {NULL}', category: null });

    // Generated ids continue after the moved ones.
    assert.equal((await json(destination, 'bans', 'lift', shop.keyId)).lifted, true);
    const ban = `INSERT INTO bans (key_id, level, banned_at, ends_at) VALUES ('${shop.keyId}', 1, 0, 1) RETURNING id`;
    assert.deepEqual(await postgres.query(ban, name), [{ id: '2' }]);
  });

  test('moves idempotency records, explanations of movements, and the start of a pruned ledger', async (t) => {
    if (isSkippedDaily(t)) return;
    const shop = await makeShop(t);
    await changeAndPrune(shop.file);
    const to = await postgres.createDatabase();
    await json(shop.cli, 'move', '--from', shop.from, '--to', to);
    const destination = onServer(shop, to);
    assert.deepEqual(await json(destination, 'verify'), await json(shop.cli, 'verify'));

    const name = new URL(to).pathname.slice(1);
    const [start] = await postgres.query(
      'SELECT count(*), max(sequence) AS sequence FROM ledger_start',
      name,
    );
    assert.deepEqual({ ...start }, { count: '1', sequence: '5005' });
    const [counted] = await postgres.query('SELECT count(*), min(sequence) AS first FROM movements', name);
    assert.deepEqual({ ...counted }, { count: '5003', first: '1' }, 'the newest one of each pet is kept');
    const [explained] = await postgres.query(
      `SELECT note, occurred_at, reverted_sequence, length(hash) AS bytes FROM movements WHERE sequence = 5005`,
      name,
    );
    const expected = { note: null, occurred_at: null, reverted_sequence: '5004', bytes: 32 };
    assert.deepEqual({ ...explained }, expected);
    const [noted] = await postgres.query(
      'SELECT note, reason, occurred_at FROM movements WHERE sequence = 5006',
      name,
    );
    assert.deepEqual({ ...noted }, { note: 'two\n"boxes"', reason: 'received', occurred_at: '-5' });

    // The ledger and the ids of idempotency records continue after the moved ones.
    const store = await PostgresStore.open({ url: to, ...STORE_OPTIONS });
    t.after(() => store.close());
    assert.deepEqual((await store.write(keyedRequest('a'))).kind, 'replayed');
    assert.deepEqual((await store.write(keyedRequest('b'))).kind, 'written');
    const answers = await postgres.query('SELECT id, scope FROM idempotency_records ORDER BY id', name);
    assert.deepEqual(
      answers.map((row) => Object.values(row)),
      [
        ['1', 'a'],
        ['2', 'b'],
      ],
    );
    assert.deepEqual((await json(destination, 'verify')).faults, []);
  });

  test('killed at random moments, it has moved nothing, and can be run again', async (t) => {
    if (isSkippedDaily(t)) return;
    const seed = Date.now() % 1_000_000;
    const random = new SeededRandom(seed);
    const [shop, same] = [await makeShop(t), await makeShop(t)];
    const to = await postgres.createDatabase();
    const name = new URL(to).pathname.slice(1);
    const words = [MAIN, 'move', '--from', shop.from, '--to', to, '--json'];
    const env = environmentOf(shop.folder);

    const startedAtMs = performance.now();
    const other = await postgres.createDatabase();
    await promisify(execFile)(process.execPath, words.with(3, same.from).with(5, other), { env });
    const wholeMs = performance.now() - startedAtMs;
    let interrupted = 0;
    for (let round = 1; round <= KILLS; round += 1) {
      const child = spawn(process.execPath, words, { env, stdio: 'ignore' });
      const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
      // The first kill is early, because a machine that was busy while the whole was measured may be quick now.
      const latestMs = Math.ceil(wholeMs * (interrupted === 0 ? 0.25 : 0.9));
      const timer = setTimeout(() => child.kill('SIGKILL'), random.integer(1, latestMs));
      const code = await ended;
      clearTimeout(timer);
      if (code === 0) break;
      interrupted += 1;
      const isMarked = movedTo(shop.file) !== undefined;
      const [table] = await postgres.query("SELECT to_regclass('movements') AS made", name);
      if (table?.made === null) continue;
      const [{ rows }] = (await postgres.query(
        'SELECT (SELECT count(*) FROM movements) + (SELECT count(*) FROM accounts) + (SELECT count(*) FROM pets) AS rows',
        name,
      )) as [{ rows: string }];
      const isWhole = rows === String(2 * 5_003 + 2);
      assert.ok(isWhole || rows === '0', `seed ${seed}, round ${round}: all or nothing arrived`);
      assert.ok(isMarked || !isWhole, `seed ${seed}, round ${round}: never both are served`);
    }
    t.diagnostic(`seed ${seed}: interrupted ${interrupted} times in ${Math.round(wholeMs)} ms`);
    assert.ok(interrupted > 0);
    await json(shop.cli, 'move', '--from', shop.from, '--to', to);
    assert.deepEqual((await json(onServer(shop, to), 'verify')).pets, 5_003);
  });

  test('stops, and moves nothing, when a row arrives changed', async (t) => {
    if (isSkippedDaily(t)) return;
    const shop = await makeShop(t);
    const to = await postgres.createDatabase();
    await json(onServer(shop, to), 'migrate');
    const name = new URL(to).pathname.slice(1);
    await postgres.query(
      `CREATE FUNCTION tidy() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.category := trim(coalesce(NEW.category, 'none')); RETURN NEW; END $$;
       CREATE TRIGGER tidy BEFORE INSERT ON pets FOR EACH ROW EXECUTE FUNCTION tidy()`,
      name,
    );
    await assertRefused(shop, to, /Row -9223372036854775808 of pets did not arrive as it is/);
    assert.deepEqual(await postgres.query('SELECT count(*) FROM accounts', name), [{ count: '0' }]);
    await postgres.query('DROP TRIGGER tidy ON pets', name);
    assert.equal((await shop.cli('move', '--from', shop.from, '--to', to)).code, 0);
  });

  test('refuses a shop whose balances contradict its ledger', async (t) => {
    if (isSkippedDaily(t)) return;
    const shop = await makeShop(t);
    const database = new DatabaseSync(shop.file);
    database.exec('UPDATE inventory SET quantity = 5 WHERE pet_id = 0');
    database.close();
    await assertRefused(shop, await postgres.createDatabase(), /Pet 0 has quantity 5.*Nothing was moved/);
  });

  test('refuses a shop that is being served, and a database that holds something', async (t) => {
    if (isSkippedDaily(t)) return;
    const shop = await makeShop(t);
    const to = await postgres.createDatabase();
    const service = await startService(t, { databaseDir: shop.folder, key: 'none' });
    await assertRefused(shop, to, /Another petstore-server is serving/);
    await service.stop();
    await json(shop.cli, 'move', '--from', shop.from, '--to', to);
    await assertRefused(await makeShop(t), to, /holds accounts already; name an empty database/);
  });

  test('leaves a source that says where the shop is, until an unchanged target is left again', async (t) => {
    const shop = await makeSmallShop(t);
    const [to, other] = [await postgres.createDatabase(), await postgres.createDatabase()];
    const words = ['move', '--from', shop.from, '--to', to];
    const target = onServer(shop, to);
    await assertRefused(shop, to, /did not move\. Nothing was changed/, 1, '--undo');
    const moved = await json(shop.cli, ...words);
    const { host, pathname, username, password } = new URL(to);
    const shown = `postgres://${username}@${host}${pathname}`;
    assert.equal(movedTo(shop.file), shown);
    for (const command of [
      'serve',
      'start',
      'migrate',
      'accounts list',
      'keys create --account shop',
      // A timer that was not changed would write the same figures for ever.
      'report stock',
      'pets reorders export',
      'stocktakes report stk_4fQ2n8Zk1bXw0aLr',
    ]) {
      const { code, stdout, stderr } = await shop.cli(...command.split(' '));
      assert.deepEqual([code, stdout], [1, ''], command);
      assert.ok(stderr.includes(`moved to ${shown}; set PETSTORE_DATABASE to that database.`), stderr);
      assert.ok(!stderr.includes(password), command);
    }
    assert.equal((await shop.cli('pets', 'export')).code, 0, 'what only reads still works');
    assert.equal((await shop.cli('backup', join(shop.folder, 'left.db'))).code, 0);
    // A timer that was not changed would make backups of a shop that is elsewhere, and nobody would notice.
    const timed = await shop.cli('backup', '--to', shop.folder, '--keep', '14d');
    assert.deepEqual([timed.code, timed.stdout], [1, '']);
    assert.ok(timed.stderr.includes(`moved to ${shown}; set PETSTORE_DATABASE`), timed.stderr);

    // The same command again changes nothing, and another target is refused.
    assert.deepEqual(await json(shop.cli, ...words), moved);
    await assertRefused(shop, other, /petstore\.db moved to .* already\. Nothing was moved/);
    await assertRefused(shop, other, /moved to .*, not to .*Nothing was changed/, 1, '--undo');

    const instance = await startService(t, {
      databaseDir: shop.folder,
      key: 'none',
      env: serverEnv(shop, to),
    });
    await assertRefused(shop, to, /is in use by a petstore-server; stop every instance/, 1, '--undo');
    await instance.stop();
    await json(shop.cli, ...words, '--undo');
    assert.equal(movedTo(shop.file), undefined);
    await json(shop.cli, 'accounts', 'create', 'later', '--plan', 'free');
    for (const command of ['serve', 'accounts list']) {
      const { code, stderr } = await target(...command.split(' '));
      assert.equal(code, 1, command);
      assert.ok(
        stderr.includes(`went back to ${shop.from}; set PETSTORE_DATABASE`) && !stderr.includes('--undo'),
        stderr,
      );
    }
    await assertRefused(shop, to, /holds accounts already/);
    // Of several servers the one that is there is used; the same addresses take the move back, in any order.
    const several = (hosts: string) => other.replace(`@${host}`, `@${hosts}`);
    await json(shop.cli, 'move', '--from', shop.from, '--to', several(`127.0.0.1:1,${host}`));
    const both = shown.replace(`@${host}`, `@127.0.0.1:1,${host}`);
    assert.equal(movedTo(shop.file), both.replace(pathname, new URL(other).pathname));
    const repeated = ['move', '--from', shop.from, '--to', several(`${host},127.0.0.1:1`)];
    assert.equal((await json(shop.cli, ...repeated)).pets, 1);
    await json(shop.cli, ...repeated, '--undo');
    assert.equal(movedTo(shop.file), undefined);
  });

  test('takes no move back whose target has changes', async (t) => {
    if (isSkippedDaily(t)) return;
    const shop = await makeSmallShop(t);
    const to = await postgres.createDatabase();
    await json(shop.cli, 'move', '--from', shop.from, '--to', to);
    await json(onServer(shop, to), 'pets', 'thresholds', '7', '--low', '3');
    await assertRefused(shop, to, /has changes since the move, such as row .* which .* lacks/, 1, '--undo');
    assert.notEqual(movedTo(shop.file), undefined);
    assert.equal((await onServer(shop, to)('accounts', 'list')).code, 0);
  });

  test('lets no change in while the target of a move is compared', async (t) => {
    const shop = await makeSmallShop(t);
    const to = await postgres.createDatabase();
    await json(shop.cli, 'move', '--from', shop.from, '--to', to);
    const holder = await connected(t, to, 'holder');
    let found: readonly { readonly relation: string }[] = [];
    const waiting = async (count: number) => {
      found = (await holder.query(WAITING_LOCKS)).rows;
      return found.length >= count;
    };
    // The activity is compared last, and the comparison stays there. A command writes it last, and stays there too.
    await holder.query('BEGIN; LOCK TABLE activity IN ACCESS EXCLUSIVE MODE');
    const undone = shop.cli('move', '--from', shop.from, '--to', to, '--undo');
    await until(() => waiting(1), 'the comparison waits');
    let hasEnded = false;
    const changed = onServer(shop, to)('accounts', 'create', 'late', '--plan', 'free');
    void changed.then(() => {
      hasEnded = true;
    });
    await until(
      async () => hasEnded || (await waiting(2)),
      () => `the command waits or ends; what waits: ${JSON.stringify(found)}`,
    );
    await holder.query('ROLLBACK');
    const [undo, change] = await Promise.all([undone, changed]);
    assert.equal(undo.code, 0, undo.stderr);
    assert.equal(change.code, 1, 'a change that the source lacks is not acknowledged');
    assert.match(change.stderr, /went back to/);
    await assert.rejects(
      PostgresStore.open({ url: to, ...STORE_OPTIONS }),
      /its shop went to sqlite:/,
      'an instance that read the identity before the mark',
    );
  });

  test('takes no move back while an instance reads the identity, and locks nothing of it', async (t) => {
    const shop = await makeSmallShop(t);
    const to = await postgres.createDatabase();
    await json(shop.cli, 'move', '--from', shop.from, '--to', to);
    const instance = await connected(t, to, 'petstore-server');
    // The lock of the identity would wait for it, and fail with another message.
    await instance.query('BEGIN; LOCK TABLE metadata IN ACCESS SHARE MODE');
    await assertRefused(shop, to, /is in use by a petstore-server; stop every instance/, 1, '--undo');
  });

  test('takes no move back when an instance connects after the first look', async (t) => {
    const shop = await makeSmallShop(t);
    const to = await postgres.createDatabase();
    await json(shop.cli, 'move', '--from', shop.from, '--to', to);
    const holder = await connected(t, to, 'holder');
    await holder.query('BEGIN; LOCK TABLE metadata IN ACCESS SHARE MODE');
    const undone = shop.cli('move', '--from', shop.from, '--to', to, '--undo');
    await until(async () => {
      const { rows } = await holder.query(WAITING_LOCKS);
      return rows.length === 1;
    }, 'the lock of the identity waits, after the first look');
    await connected(t, to, 'petstore-server');
    await holder.query('ROLLBACK');
    const { code, stderr } = await undone;
    assert.equal(code, 1);
    assert.match(stderr, /is in use by a petstore-server; stop every instance/);
    assert.notEqual(movedTo(shop.file), undefined);
  });

  test('says how to take a move back whose target is gone', async (t) => {
    const shop = await makeSmallShop(t);
    const database = new DatabaseSync(shop.file);
    database.exec(
      `INSERT INTO metadata VALUES ('move_id', 'one'), ('moved_to', 'postgres://gone@127.0.0.1:1/none')`,
    );
    database.close();
    const reason =
      /cannot be reached .*Nothing was changed.*make an empty database at the same address and repeat this/;
    await assertRefused(shop, 'postgres://gone@127.0.0.1:1/none', reason, 1, '--undo');
  });

  test('completes or takes back a move that was interrupted after the source was marked', async (t) => {
    const shop = await makeSmallShop(t);
    const to = await postgres.createDatabase();
    const { host, pathname, username } = new URL(to);
    const mark = () => {
      const database = new DatabaseSync(shop.file);
      database.exec(
        `INSERT INTO metadata VALUES ('move_id', 'one'), ('moved_to', 'postgres://${username}@${host}${pathname}')`,
      );
      database.close();
    };
    mark();
    await json(shop.cli, 'move', '--from', shop.from, '--to', to, '--undo');
    assert.equal((await shop.cli('accounts', 'list')).code, 0, 'nothing had arrived');
    mark();
    await json(shop.cli, 'move', '--from', shop.from, '--to', to);
    assert.deepEqual((await json(onServer(shop, to), 'verify')).pets, 1);
    assert.equal((await shop.cli('accounts', 'list')).code, 1);

    // The target is marked first when a move is taken back: this is a kill before the file is.
    const marked = join(shop.folder, 'marked.db');
    cpSync(shop.file, marked);
    await json(shop.cli, 'move', '--from', shop.from, '--to', to, '--undo');
    cpSync(marked, shop.file);
    await assertRefused(shop, to, /was being taken back, which was interrupted, and neither side is served/);
    await json(shop.cli, 'move', '--from', shop.from, '--to', to, '--undo');
    assert.equal((await shop.cli('accounts', 'list')).code, 0);
  });

  test('refuses another pepper, another environment, another direction and a server that is not there', async (t) => {
    if (isSkippedDaily(t)) return;
    const shop = await makeShop(t);
    const to = await postgres.createDatabase();
    const wrong = commandLine(shop.folder, { env: { PETSTORE_PEPPER: 'x'.repeat(32) } });
    await assertRefused({ ...shop, cli: wrong }, to, /PETSTORE_PEPPER is not the pepper/);
    await assertRefused(shop, shop.from, /--to must name a PostgreSQL database/, 2);
    await assertRefused({ ...shop, from: to }, to, /--from must name a SQLite file/, 2);
    await assertRefused(shop, 'postgres://nobody@127.0.0.1:1/none', /cannot be reached/);
    await assertRefused(shop, 'mysql://127.0.0.1/none', /--to must be sqlite: followed by a file/, 2);
    const staging = { PETSTORE_DATABASE: to, PETSTORE_PEPPER: shop.pepper, PETSTORE_ENVIRONMENT: 'staging' };
    await json(commandLine(shop.folder, { env: staging }), 'migrate');
    await assertRefused(shop, to, /was made for staging/);
  });
});
