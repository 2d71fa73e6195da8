import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ActivityAction } from '@petstore-inventory/shared/words';
import type { Action, ActionAuthor } from '../../src/domain/management/activity.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import type { AdminEngine } from '../../src/store/admin/admin-engine.ts';
import { recordAction } from '../../src/store/ledger/activity.ts';
import { isPostgres } from '../../src/store/open-engine.ts';
import { PostgresAdminEngine } from '../../src/store/postgres/admin/engine.ts';
import { SqliteAdminEngine } from '../../src/store/sqlite/admin/engine.ts';
import { databaseFile } from '../../src/store/sqlite/open.ts';
import { newAdminStore } from '../support/command-line.ts';

const NOW_MS = 1_800_000_000_000;
const CLI: ActionAuthor = { actor: 'cli', requestId: null };
const KEY: ActionAuthor = { actor: 'key_admin', requestId: '0198-request' };
const CREATE: Action = { action: 'accounts.create', target: 'acc_shop', details: { plan: 'pro' } };
const PRUNE: Action = { action: 'movements.prune', target: null, details: {} };
/** Texts that a filter must compare as they are. */
const HOSTILE_TEXTS = ["' OR '1'='1", '%', '_', '\\', '"', 'cli; DROP TABLE activity', '\u202e', '𝔠𝔩𝔦', ''];

async function openLog(t: TestContext) {
  const { store, database } = await newAdminStore(t);
  const engine: AdminEngine = isPostgres(database.url)
    ? await PostgresAdminEngine.connect(database.url)
    : SqliteAdminEngine.open(databaseFile(database.url));
  t.after(() => engine.close());
  const record = (author: ActionAuthor, action: Action, atMs: number) =>
    engine.transaction(() => recordAction(engine, author, action, atMs));
  return { store, engine, record, log: store.activity };
}

test('actions are listed as recorded, the newest first, with the name of the key', async (t) => {
  const { store, record, log } = await openLog(t);
  const limits = { perMinute: 60, perDay: 1_000 };
  await store.accounts.create(
    { id: 'acc_shop', name: 'shop', plan: 'free', limits, createdAtMs: NOW_MS },
    CLI_AUTHOR,
  );
  const key = {
    accountId: 'acc_shop',
    role: null,
    name: 'Ada',
    hash: Buffer.alloc(32),
    hint: '',
    scopes: null,
  };
  await store.keys.create({ ...key, id: KEY.actor, createdAtMs: NOW_MS, expiresAtMs: null }, CLI_AUTHOR);
  await record(CLI, CREATE, NOW_MS);
  await record(KEY, PRUNE, NOW_MS + 1);
  const recorded = await log.list({ sinceMs: NOW_MS, untilMs: NOW_MS + 2, limit: 10 });
  const entries = recorded.map(({ id: _id, ...entry }) => ({ ...entry }));
  assert.deepEqual(entries, [
    { ...KEY, ...PRUNE, actorName: 'Ada', recordedAtMs: NOW_MS + 1 },
    { ...CLI, ...CREATE, actorName: 'cli', recordedAtMs: NOW_MS },
  ]);
});

test('a number among the details is recorded with all digits', async (t) => {
  const { record, log } = await openLog(t);
  const details = {
    petIds: [9_223_372_036_854_775_807n, -9_007_199_254_740_993n],
    units: 7,
    text: '9223372036854775807',
  };
  await record(CLI, { ...CREATE, details }, NOW_MS);
  assert.deepEqual((await log.list({ limit: 1 }))[0]?.details, details);
});

test('an action without a time has the time of the database', async (t) => {
  const { engine, log } = await openLog(t);
  const beforeMs = await engine.now();
  await engine.transaction(() => recordAction(engine, CLI, PRUNE));
  const [entry] = await log.list({ limit: 1 });
  assert.ok(entry && entry.recordedAtMs >= beforeMs && entry.recordedAtMs <= (await engine.now()));
});

test('an action of a transaction that fails is not recorded', async (t) => {
  const { engine, log } = await openLog(t);
  const failing = engine.transaction(async () => {
    await recordAction(engine, CLI, PRUNE, NOW_MS);
    throw new Error('refused');
  });
  await assert.rejects(failing, /refused/);
  assert.deepEqual(await log.list({ limit: 10 }), []);
});

test('each filter restricts the list, also together with the others', async (t) => {
  const { record, log } = await openLog(t);
  await record(CLI, CREATE, NOW_MS);
  await record(KEY, CREATE, NOW_MS + 10);
  await record(CLI, PRUNE, NOW_MS + 20);
  const times = async (filter: Parameters<typeof log.list>[0]) =>
    (await log.list(filter)).map(({ recordedAtMs }) => recordedAtMs - NOW_MS);
  assert.deepEqual(await times({ actor: 'cli', limit: 10 }), [20, 0]);
  assert.deepEqual(await times({ action: 'accounts.create', limit: 10 }), [10, 0]);
  assert.deepEqual(await times({ target: 'acc_shop', limit: 10 }), [10, 0]);
  assert.deepEqual(await times({ sinceMs: NOW_MS + 10, limit: 10 }), [20, 10]);
  assert.deepEqual(await times({ sinceMs: NOW_MS + 9.5, untilMs: NOW_MS + 19.5, limit: 10 }), [10]);
  assert.deepEqual(await times({ untilMs: NOW_MS + 20, limit: 10 }), [10, 0]);
  const all = { actor: 'cli', action: 'accounts.create', target: 'acc_shop', sinceMs: NOW_MS };
  assert.deepEqual(await times({ ...all, untilMs: NOW_MS + 30, limit: 10 }), [0]);
});

test('pages continue after an entry, also within one millisecond and after a step back of the clock', async (t) => {
  const { record, log } = await openLog(t);
  for (const [i, atMs] of [30, 10, 10, 20, 10, 20].entries()) {
    await record(CLI, { ...PRUNE, target: String(i) }, NOW_MS + atMs);
  }
  const whole = (await log.list({ limit: 10 })).map(({ target }) => target);
  assert.deepEqual(whole, ['0', '5', '3', '4', '2', '1']);
  const paged: (string | null)[] = [];
  for (let before: number | undefined; ;) {
    const page = await log.list({ limit: 1, ...(before !== undefined && { before }) });
    if (page.length === 0) break;
    paged.push(...page.map(({ target }) => target));
    before = page.at(-1)?.id;
  }
  assert.deepEqual(paged, whole);
  assert.deepEqual(await log.list({ before: 9_007_199_254_740_991, limit: 10 }), []);
});

test('hostile values of filters are compared as they are', async (t) => {
  const { record, log } = await openLog(t);
  await record(CLI, CREATE, NOW_MS);
  for (const text of HOSTILE_TEXTS) {
    for (const name of ['actor', 'action', 'target'] as const) {
      assert.deepEqual(await log.list({ [name]: text, limit: 10 }), [], `${name} ${JSON.stringify(text)}`);
    }
    const action = text as ActivityAction;
    await record({ actor: text, requestId: text }, { action, target: text, details: { text } }, NOW_MS);
    const found = await log.list({ actor: text, action: text, target: text, limit: 10 });
    assert.deepEqual(
      found.map(({ actor, actorName, requestId, details }) => ({ actor, actorName, requestId, details })),
      [{ actor: text, actorName: text, requestId: text, details: { text } }],
    );
  }
});
