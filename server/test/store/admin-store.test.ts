import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { SCOPES } from '../../src/domain/access/api-key.ts';
import type { NewKey } from '../../src/domain/admin-store.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { openAdmin, prepareStore } from '../../src/store/open-admin.ts';
import { openAdminEngine } from '../../src/store/open-engine.ts';
import { newAdminStore, petRow } from '../support/command-line.ts';
import { newDatabase, testOnceIn } from '../support/test-database.ts';

const once = testOnceIn();

const NOW_MS = 1_800_000_000_000;
const SHOP = {
  id: 'acc_shop',
  name: 'shop',
  plan: 'pro',
  limits: { perMinute: 300, perDay: 10_000 },
  createdAtMs: NOW_MS,
} as const;

function newKey(id: string, fields: Partial<NewKey> = {}): NewKey {
  const hash = Buffer.alloc(32, id);
  const defaults = {
    accountId: SHOP.id,
    role: null,
    name: 'till',
    hash,
    hint: 'psk_live_…abcd',
    scopes: null,
  };
  return { ...defaults, id, createdAtMs: NOW_MS, expiresAtMs: null, ...fields };
}

async function storeWithKey(t: TestContext, fields: Partial<NewKey> = {}) {
  const { store, database } = await newAdminStore(t);
  await store.accounts.create(SHOP, CLI_AUTHOR);
  await store.keys.create(newKey('key_old', fields), CLI_AUTHOR);
  const accessVersion = async () => Number((await database.rows('SELECT version FROM access_state'))[0]?.[0]);
  const keyOf = async (id: string) => (await store.keys.list()).find(({ key }) => key.id === id)?.key;
  return { store, database, accessVersion, keyOf };
}

once('an account is stored as created, and its name is unique', async (t) => {
  const { store } = await newAdminStore(t);
  await store.accounts.create(SHOP, CLI_AUTHOR);
  assert.deepEqual(
    (await store.accounts.list()).map((account) => ({ ...account })),
    [SHOP],
  );
  await assert.rejects(store.accounts.create({ ...SHOP, id: 'acc_other' }, CLI_AUTHOR), {
    name: 'OperatorError',
    message: /an account named "shop" already/,
  });
});

test('a change of plan sets its limits, and notifies a running service', async (t) => {
  const { store, accessVersion } = await storeWithKey(t);
  const before = await accessVersion();
  await store.accounts.update(SHOP.id, { plan: 'enterprise', perMinute: 7, perDay: 9 }, CLI_AUTHOR);
  const [account] = await store.accounts.list();
  assert.equal(account?.plan, 'enterprise');
  assert.deepEqual(account.limits, { perMinute: 7, perDay: 9 });
  assert.ok((await accessVersion()) > before);
  await assert.rejects(store.accounts.update('acc_none', { plan: 'free' }, CLI_AUTHOR), {
    name: 'OperatorError',
  });
});

once('accounts and keys are found by a part of a text, in capital or small letters', async (t) => {
  const { store } = await storeWithKey(t);
  const names = ['Müller & Söhne', 'MÜLLER', 'Muller', '100%', '100 cats', 'a_b', 'a!b', 'axb'];
  for (const [at, name] of names.entries()) {
    await store.accounts.create({ ...SHOP, id: `acc_${at}`, name }, CLI_AUTHOR);
    const fields = { name: `till ${at}`, accountId: `acc_${at}`, hint: `psk_live_…Zz${at}` };
    await store.keys.create(newKey(`key_${at}`, fields), CLI_AUTHOR);
    const person = { accountId: null, role: 'viewer', name } as const;
    await store.keys.create(newKey(`key_person_${at}`, person), CLI_AUTHOR);
  }
  const sorted = (texts: readonly string[]) => texts.toSorted();
  for (const [words, expected] of [
    ['müller', ['Müller & Söhne', 'MÜLLER']],
    [' SÖHNE', ['Müller & Söhne']],
    ['ULLER', ['Muller']],
    ['%', ['100%']],
    ['100', ['100%', '100 cats']],
    ['A_B', ['a_b']],
    ['a!b', ['a!b']],
    ['', [...names, SHOP.name]],
    ['nothing', []],
  ] as const) {
    const accounts = await store.accounts.list({ words });
    assert.deepEqual(sorted(accounts.map(({ name }) => name)), sorted(expected), words);
    const keys = await store.keys.list({ words });
    assert.deepEqual(sorted(keys.map(({ account }) => account.name)), sorted(expected), `keys: ${words}`);
    const people = await store.keys.list({ kind: 'management', words });
    const named = expected.filter((name) => name !== SHOP.name);
    assert.deepEqual(sorted(people.map(({ key }) => key.name)), sorted(named), `people: ${words}`);
    // Rows that only the engine takes for matching ones do not make a page short.
    const pages: string[] = [];
    for (let after: string | undefined; ; after = pages.at(-1)) {
      const page = await store.accounts.list({ words, limit: 1, ...(after !== undefined && { after }) });
      if (page.length === 0) break;
      pages.push(...page.map(({ name }) => name));
    }
    assert.deepEqual(sorted(pages), sorted(expected), `page by page: ${words}`);
  }
  const ids = async (words: string) => (await store.keys.list({ words })).map(({ key }) => key.id);
  assert.deepEqual(await ids('TILL 3'), ['key_3']);
  assert.deepEqual(await ids('KEY_5'), ['key_5']);
  assert.deepEqual(await ids('psk_live_…zz7'), ['key_7']);
  assert.deepEqual(
    (await store.accounts.list({ words: 'ACC_4' })).map(({ name }) => name),
    ['100 cats'],
  );
});

once('a change of an account that is sent again is recorded once', async (t) => {
  const { store, accessVersion } = await storeWithKey(t);
  const enterprise = { plan: 'enterprise', perMinute: 7, perDay: 9 } as const;
  for (const change of [enterprise, { name: 'till' }, { plan: 'free' }] as const) {
    const first = await store.accounts.update(SHOP.id, change, CLI_AUTHOR);
    const version = await accessVersion();
    assert.deepEqual(await store.accounts.update(SHOP.id, change, CLI_AUTHOR), first);
    assert.equal(await accessVersion(), version);
  }
  const recorded = await store.activity.list({ action: 'accounts.update', limit: 10 });
  assert.equal(recorded.length, 3);
});

once('limits that come together with a change to another plan are refused, or come first', async (t) => {
  const { store } = await storeWithKey(t);
  for (let round = 0; round < 10; round += 1) {
    await store.accounts.update(SHOP.id, { plan: 'enterprise', perMinute: 7, perDay: 9 }, CLI_AUTHOR);
    const [plan, limits] = await Promise.allSettled([
      store.accounts.update(SHOP.id, { plan: 'free' }, CLI_AUTHOR),
      store.accounts.update(SHOP.id, { perMinute: 700, perDay: 7_000 }, CLI_AUTHOR),
    ]);
    assert.equal(plan.status, 'fulfilled');
    if (limits.status === 'rejected') assert.equal(limits.reason.code, 'validation_failed');
    assert.equal((await store.accounts.list())[0]?.plan, 'free');
  }
});

once('a key without explicit scopes has every scope', async (t) => {
  const { store, keyOf } = await storeWithKey(t);
  await store.keys.create(
    newKey('key_reader', { scopes: ['inventory:read'], expiresAtMs: NOW_MS + 5 }),
    CLI_AUTHOR,
  );
  assert.deepEqual((await keyOf('key_old'))?.scopes, SCOPES);
  const reader = await keyOf('key_reader');
  assert.deepEqual(reader?.scopes, ['inventory:read']);
  assert.equal(reader.expiresAtMs, NOW_MS + 5);
});

once('a rotation adds the new key and ends the old one after the overlap, in one step', async (t) => {
  const { store, keyOf } = await storeWithKey(t);
  await store.keys.rotate('key_old', newKey('key_new'), NOW_MS + 60_000, CLI_AUTHOR);
  assert.equal((await keyOf('key_old'))?.expiresAtMs, NOW_MS + 60_000);
  assert.equal((await keyOf('key_new'))?.rotatedFrom, 'key_old');
  assert.equal((await keyOf('key_new'))?.expiresAtMs, null);
});

test('a rotated key never lives longer than its own expiry', async (t) => {
  const { store, keyOf } = await storeWithKey(t, { expiresAtMs: NOW_MS + 1_000 });
  await store.keys.rotate('key_old', newKey('key_new'), NOW_MS + 60_000, CLI_AUTHOR);
  assert.equal((await keyOf('key_old'))?.expiresAtMs, NOW_MS + 1_000);
});

test('an expired or a revoked key cannot be rotated, and no new key stays behind', async (t) => {
  const { store, keyOf } = await storeWithKey(t, { expiresAtMs: NOW_MS });
  await store.keys.create(newKey('key_revoked'), CLI_AUTHOR);
  await store.keys.revoke('key_revoked', NOW_MS, CLI_AUTHOR);
  for (const id of ['key_old', 'key_revoked', 'key_none']) {
    await assert.rejects(store.keys.rotate(id, newKey('key_new'), NOW_MS + 1, CLI_AUTHOR), {
      name: 'OperatorError',
    });
  }
  assert.equal(await keyOf('key_new'), undefined);
});

test('a revocation keeps its first time, and notifies a running service', async (t) => {
  const { store, keyOf, accessVersion } = await storeWithKey(t);
  const before = await accessVersion();
  await store.keys.revoke('key_old', NOW_MS, CLI_AUTHOR);
  await store.keys.revoke('key_old', NOW_MS + 1, CLI_AUTHOR);
  assert.equal((await keyOf('key_old'))?.revokedAtMs, NOW_MS);
  assert.ok((await accessVersion()) > before);
});

test('only bans that run are listed; lifting one forgives the earlier ones', async (t) => {
  const { store, database, accessVersion } = await storeWithKey(t);
  const ban = (level: number, bannedAtMs: number, endsAtMs: number) =>
    database.run(
      `INSERT INTO bans (key_id, level, banned_at, ends_at) VALUES ('key_old', ${level}, ${bannedAtMs}, ${endsAtMs})`,
    );
  await ban(1, NOW_MS - 10, NOW_MS);
  assert.deepEqual(await store.bans.list(NOW_MS), []);
  assert.equal(await store.bans.lift('key_old', NOW_MS, CLI_AUTHOR), false);

  await ban(2, NOW_MS, NOW_MS + 600_000);
  const [running, ...others] = await store.bans.list(NOW_MS);
  assert.equal(others.length, 0);
  assert.deepEqual(
    { ...running },
    {
      id: 2,
      keyId: 'key_old',
      level: 2,
      bannedAtMs: NOW_MS,
      endsAtMs: NOW_MS + 600_000,
      liftedAtMs: null,
      keyHint: 'psk_live_…abcd',
      accountName: 'shop',
    },
  );

  const before = await accessVersion();
  assert.equal(await store.bans.lift('key_old', NOW_MS + 1, CLI_AUTHOR), true);
  assert.deepEqual(await store.bans.list(NOW_MS + 1), []);
  assert.deepEqual(await database.rows('SELECT id FROM bans WHERE lifted_at IS NULL'), []);
  assert.ok((await accessVersion()) > before);
});

once(
  'settings of the service are replaced as a whole, and a later start does not lose the sample mark',
  async (t) => {
    const database = await newDatabase(t);
    const identity = { environment: 'production', pepperCheck: 'of this test' } as const;
    await prepareStore(database.url, [], () => ({ ...identity, isSample: true }));
    const opened = async () => {
      const store = await openAdmin(database.url);
      t.after(() => store.close());
      return store;
    };
    const first = await opened();
    assert.deepEqual([first.settings, first.isSample, first.move], [{}, true, undefined]);
    await first.recordSettings({ PORT: '1', PETSTORE_MAX_QUANTITY: '10' });
    await first.recordSettings({ PORT: '2' });
    await prepareStore(database.url, [], (found) => found ?? identity);
    const { settings, isSample } = await opened();
    assert.deepEqual([settings, isSample], [{ PORT: '2' }, true]);
  },
);

test('a command that only reads sees one moment, however long it takes', async (t) => {
  const { store, database } = await newAdminStore(t);
  await store.importPets([petRow(1)], 'cli', NOW_MS);
  const engine = await openAdminEngine(database.url);
  t.after(() => engine.close());
  const count = async () => (await engine.all('SELECT pet_id FROM pets')).length;
  await engine.snapshot(async () => {
    assert.equal(await count(), 1);
    await store.importPets([petRow(2)], 'cli', NOW_MS);
    assert.equal(await count(), 1);
  });
  assert.equal(await count(), 2);
});
