import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createKey } from '../../src/cli/keys/new-key.ts';
import { prepareDatabase } from '../../src/cli/prepare-database.ts';
import { withDatabase } from '../../src/cli/with-database.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { createId, hashApiKey } from '../../src/domain/access/api-key.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import { commandLine, temporaryFolder } from '../support/command-line.ts';
import { MIGRATION_NAMES } from '../support/migration-names.ts';
import { isSkippedDaily } from '../support/long-test.ts';

function setUp(t: TestContext, extra: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder(t);
  const file = join(folder, 'petstore.db');
  const configOf = (variables: Readonly<Record<string, string>>) =>
    readConfig({ PETSTORE_DATABASE: `sqlite:${file}`, ...variables });
  return { folder, file, pepperFile: `${file}.pepper`, config: configOf(extra), configOf };
}

function makeKey(config: Config) {
  return withDatabase(config, async (store) => {
    const accountId = createId('acc');
    const limits = { perMinute: 60, perDay: 1_000 };
    await store.accounts.create(
      { id: accountId, name: 'shop', plan: 'free', limits, createdAtMs: 0 },
      CLI_AUTHOR,
    );
    return createKey(config, store, { accountId, name: 'till', scopes: null, expiresAtMs: null });
  });
}

const refusal = (message: RegExp) => ({ name: 'OperatorError', message });

test('a new database gets its own pepper, which only its owner can read, and keeps it', async (t) => {
  const { config, pepperFile } = setUp(t);
  const { pepper, isEmpty, migrations } = await prepareDatabase(config);
  assert.deepEqual([isEmpty, migrations], [true, MIGRATION_NAMES]);
  assert.equal(pepper.length, 64);
  assert.equal(readFileSync(pepperFile, 'utf8'), `${Buffer.from(pepper)}\n`);
  if (process.platform !== 'win32') assert.equal(statSync(pepperFile).mode & 0o777, 0o600);

  const again = await prepareDatabase(config);
  assert.deepEqual([again.pepper, again.migrations], [pepper, []]);
});

test('keys are stored as their hash under the pepper, and no file in the data folder contains a key', async (t) => {
  const { config, file, folder } = setUp(t);
  const { pepper } = await prepareDatabase(config);
  const { secret } = await makeKey(config);
  const database = openDatabase(file);
  const { hash } = database.prepare('SELECT hash FROM api_keys').get() as { hash: Uint8Array };
  database.close();
  assert.deepEqual(Buffer.from(hash), Buffer.from(hashApiKey(secret, pepper)));
  for (const name of readdirSync(folder))
    assert.ok(!readFileSync(join(folder, name)).includes(secret.slice(9)), name);
});

test('the digits of the pepper file can be moved into PETSTORE_PEPPER', async (t) => {
  const { config, configOf, pepperFile } = setUp(t);
  const { pepper } = await prepareDatabase(config);
  await makeKey(config);
  const moved = configOf({ PETSTORE_PEPPER: readFileSync(pepperFile, 'utf8').trim() });
  rmSync(pepperFile);
  assert.deepEqual((await prepareDatabase(moved)).pepper, pepper);
  assert.ok(!existsSync(pepperFile));
});

test('a pepper that is lost while there are keys is refused, and without keys replaced', async (t) => {
  const { config, pepperFile } = setUp(t);
  const { pepper } = await prepareDatabase(config);
  rmSync(pepperFile);
  const { pepper: next } = await prepareDatabase(config);
  assert.notDeepEqual(next, pepper);

  await makeKey(config);
  rmSync(pepperFile);
  await assert.rejects(prepareDatabase(config), refusal(/pepper is missing.*restore it/));
  assert.ok(!existsSync(pepperFile));
});

test('another pepper than the one of the keys is refused', async (t) => {
  const { config, configOf, pepperFile } = setUp(t);
  await prepareDatabase(config);
  await makeKey(config);
  await assert.rejects(
    prepareDatabase(configOf({ PETSTORE_PEPPER: 'x'.repeat(32) })),
    refusal(/PETSTORE_PEPPER is not the pepper/),
  );
  writeFileSync(pepperFile, 'ab'.repeat(32));
  await assert.rejects(prepareDatabase(config), refusal(/\.pepper is not the pepper/));
  writeFileSync(pepperFile, '');
  await assert.rejects(prepareDatabase(config), refusal(/holds no pepper/));
});

test('a pepper that others can read is refused', { skip: process.platform === 'win32' }, async (t) => {
  const { config, pepperFile } = setUp(t);
  await prepareDatabase(config);
  for (const mode of [0o640, 0o604, 0o660]) {
    chmodSync(pepperFile, mode);
    await assert.rejects(prepareDatabase(config), refusal(/can be read by others.*chmod 600/));
  }
});

test('a database keeps the environment it was made for', async (t) => {
  if (isSkippedDaily(t)) return;
  const { folder } = setUp(t);
  const staging = commandLine(folder, { env: { PETSTORE_ENVIRONMENT: 'staging' } });
  const production = commandLine(folder, { env: { PETSTORE_ENVIRONMENT: 'production' } });
  const unset = commandLine(folder);
  assert.equal((await staging('migrate')).code, 0);
  for (const words of [['migrate'], ['accounts', 'list'], ['serve']]) {
    const { code, stderr } = await production(...words);
    assert.equal(code, 1);
    assert.match(stderr, /holds the keys of staging, and PETSTORE_ENVIRONMENT is production/);
  }
  assert.equal((await unset('migrate')).code, 0);
  await unset('accounts', 'create', 'shop', '--plan', 'free');
  const { stdout } = await unset('keys', 'create', '--account', 'shop', '--json');
  assert.match((JSON.parse(stdout) as { key: string }).key, /^psk_test_/);
});

test('processes that create a database concurrently all use the same pepper', async (t) => {
  if (isSkippedDaily(t)) return;
  const { folder, config } = setUp(t);
  const migrate = commandLine(folder);
  const ended = await Promise.all(Array.from({ length: 4 }, () => migrate('migrate')));
  assert.deepEqual(
    ended.map(({ code, stderr }) => [code, stderr]),
    Array.from({ length: 4 }, () => [0, '']),
  );
  await prepareDatabase(config);
});
