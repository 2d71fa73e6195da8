import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { DAY_MS } from '@petstore-inventory/shared/durations';
import type { Command } from 'commander';
import { buildProgram } from '../../src/cli/program.ts';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { openAdmin } from '../../src/store/open-admin.ts';
import { type CommandLine, commandLine, json, temporaryFolder } from '../support/command-line.ts';
import { MIGRATION_NAMES } from '../support/migration-names.ts';
import { isSkippedDaily } from '../support/long-test.ts';

interface Shop {
  readonly folder: string;
  readonly cli: CommandLine;
  readonly keyId: string;
  readonly adminKeyId: string;
  readonly endpointId: string;
  readonly importId: string;
}

/** Command lines that would change the shop. The tests of `move` are those of PostgreSQL. */
const CHANGES: Readonly<Record<string, (shop: Shop) => string>> = {
  'accounts set-plan': () => 'shop --plan business',
  'keys revoke': ({ keyId }) => keyId,
  'admin-keys revoke': ({ adminKeyId }) => adminKeyId,
  'pets change': () => '1 --set status=sold',
  'pets import': () => 'more.csv',
  'pets imports delete': ({ importId }) => importId,
  'pets mappings delete': () => 'Zoo',
  'orders expire': () => '',
  'webhooks delete': ({ endpointId }) => endpointId,
  'webhooks replay': ({ endpointId }) => `${endpointId} --after 0.0`,
  'movements prune': () => '--before 2026-01-01',
  migrate: () => '',
};

async function newShop(t: TestContext): Promise<Shop> {
  const folder = temporaryFolder(t);
  const cli = commandLine(folder);
  await json(cli, 'migrate');
  await json(cli, 'accounts', 'create', 'shop', '--plan', 'pro');
  writeFileSync(join(folder, 'pets.csv'), 'petId,quantity\n1,1\n2,2\n');
  writeFileSync(join(folder, 'more.csv'), 'petId,quantity\n1,5\n3,2\n');
  await json(cli, 'pets', 'import', 'pets.csv');
  const { id: keyId } = await json(cli, 'keys', 'create', '--account', 'shop', '--name', 'till');
  const { id: adminKeyId } = await json(cli, 'admin-keys', 'create', '--role', 'viewer');
  const { endpoint } = await json(cli, 'webhooks', 'create', 'https://shop.example', '--account', 'shop');
  const { id: endpointId } = endpoint as { id: string };
  const importId = await sendFile(`sqlite:${join(folder, 'petstore.db')}`);
  return { folder, cli, keyId: String(keyId), adminKeyId: String(adminKeyId), endpointId, importId };
}

/** Leaves an import that waits for its check, and a mapping. */
async function sendFile(url: string): Promise<string> {
  const store = await openAdmin(url);
  const { imports } = store;
  const id = await imports.begin({
    format: 'csv',
    mode: 'set',
    fileName: 'pets.csv',
    actor: CLI_AUTHOR.actor,
  });
  await imports.addPart(id, 0, Buffer.from('petId,quantity\n1,1\n'));
  await imports.complete(id, CLI_AUTHOR);
  const columns = [{ heading: 'Artikel', field: 'sku' as const }];
  await store.importMappings.set('Zoo', { columns, decimal: null, encoding: null, sheet: null }, CLI_AUTHOR);
  await store.close();
  return id;
}

/** Every row of every table. */
function contentOf(folder: string): Record<string, unknown[]> {
  const database = new DatabaseSync(join(folder, 'petstore.db'), { readOnly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    return Object.fromEntries(
      tables.map(({ name }) => [name, database.prepare(`SELECT * FROM "${name}"`).all()]),
    );
  } finally {
    database.close();
  }
}

function dryRunsOf(command: Command, path: readonly string[] = []): string[] {
  const own = command.options.some(({ long }) => long === '--dry-run') ? [path.join(' ')] : [];
  return [...own, ...command.commands.flatMap((child) => dryRunsOf(child, [...path, child.name()]))];
}

test('every command with --dry-run changes nothing with it, and says so', async (t) => {
  if (isSkippedDaily(t)) return;
  const shop = await newShop(t);
  assert.deepEqual(dryRunsOf(buildProgram()).toSorted(), [...Object.keys(CHANGES), 'move'].toSorted());
  const [content, files] = [contentOf(shop.folder), readdirSync(shop.folder)];
  for (const [command, wordsOf] of Object.entries(CHANGES)) {
    const words = `${command} ${wordsOf(shop)}`.trim().split(' ');
    assert.equal((await json(shop.cli, ...words, '--dry-run')).dryRun, true, command);
    const { code, stdout, stderr } = await shop.cli(...words, '--dry-run');
    assert.deepEqual([code, stderr], [0, ''], command);
    assert.match(stdout, /\nNothing was changed\.\n$/, command);
    assert.deepEqual(contentOf(shop.folder), content, command);
    assert.deepEqual(readdirSync(shop.folder), files, command);
  }
});

test('a dry run fails as the command does', async (t) => {
  const { cli, keyId } = await newShop(t);
  for (const [line, message] of [
    ['keys revoke key_none', /There is no key/],
    [`admin-keys revoke ${keyId}`, /There is no management key/],
    ['accounts set-plan shpo --plan free', /no account "shpo"/],
    ['webhooks delete whe_0000000000000000', /There is no webhook endpoint/],
  ] as const) {
    const { code, stderr } = await cli(...line.split(' '), '--dry-run');
    assert.equal(code, 1, line);
    assert.match(stderr, message);
  }
});

test('keys revoke --dry-run shows the key, also one that is revoked', async (t) => {
  const { cli, keyId } = await newShop(t);
  const would = await cli('keys', 'revoke', keyId, '--dry-run');
  assert.match(would.stdout, /, till, account shop\) would be revoked; it was last used: never\.\n/);
  await json(cli, 'keys', 'revoke', '--yes', keyId);
  assert.match((await cli('keys', 'revoke', keyId, '--dry-run')).stdout, /was revoked already, 20/);
});

test('a command that cannot be taken back does nothing without a terminal, except with --yes', async (t) => {
  const { cli, keyId } = await newShop(t);
  const refused = await cli('keys', 'revoke', keyId, '--json');
  const error =
    'keys revoke is for good: requests with the key fail from then on. Add --yes to confirm, or --dry-run to see what would change. Nothing was revoked.';
  const { code, stderr } = refused;
  assert.deepEqual([code, JSON.parse(stderr)], [1, { error, errorCount: 1, errors: [{ message: error }] }]);
  assert.match((await cli('keys', 'list')).stdout, /active/);
  await json(cli, 'keys', 'revoke', keyId, '--yes');
  assert.match((await cli('keys', 'list')).stdout, /revoked/);
});

test('every command that loses something for good, or makes a second key of a name, has --yes', () => {
  const confirmed: string[] = [];
  const walk = (command: Command, path: string) => {
    if (command.options.some(({ long }) => long === '--yes')) confirmed.push(path.trim());
    for (const child of command.commands) walk(child, `${path} ${child.name()}`);
  };
  walk(buildProgram(), '');
  assert.deepEqual(confirmed.toSorted(), [
    'admin-keys create',
    'admin-keys revoke',
    'keys create',
    'keys revoke',
    'movements prune',
    'orders expire',
    'pets change',
    'pets delete',
    'pets imports undo',
    'webhooks delete',
  ]);
});

test('accounts set-plan --dry-run shows both limits, and when today’s requests are too many', async (t) => {
  const { folder, cli } = await newShop(t);
  const accounts = (await json(cli, 'accounts', 'list')) as unknown as { id: string }[];
  const day = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const database = new DatabaseSync(join(folder, 'petstore.db'));
  database
    // The next day has as many: it may begin before the command.
    .prepare("INSERT INTO usage_history VALUES (?, 'day', ?, 1500), (?, 'day', ?, 1500), (?, 'day', ?, 9)")
    .run(...[day, day + DAY_MS, day - DAY_MS].flatMap((atMs) => [accounts[0]?.id ?? '', atMs]));
  database.close();
  const { stdout } = await cli('accounts', 'set-plan', 'shop', '--plan', 'free', '--dry-run');
  assert.deepEqual(stdout.split('\n').slice(0, 3), [
    'Account shop is on plan pro: 300 requests per minute, 10,000 per day.',
    'It would be on plan free: 60 requests per minute, 1,000 per day.',
    'It has used 1,500 requests today (UTC), and the new limit is 1,000: its requests would be refused until midnight.',
  ]);
  const { plan, before, usedToday } = await json(
    cli,
    'accounts',
    'set-plan',
    'shop',
    '--plan',
    'free',
    '--dry-run',
  );
  assert.deepEqual(
    { plan, before, usedToday },
    { plan: 'free', before: { plan: 'pro', perMinute: 300, perDay: 10_000 }, usedToday: 1_500 },
  );
});

test('migrate --dry-run of a missing database names its migrations and its pepper, and makes neither', async (t) => {
  const folder = temporaryFolder(t);
  const cli = commandLine(folder);
  const { migrations, newPepperFile } = await json(cli, 'migrate', '--dry-run');
  assert.deepEqual([migrations, newPepperFile], [MIGRATION_NAMES, join(folder, 'petstore.db.pepper')]);
  assert.ok(!existsSync(join(folder, 'petstore.db')) && readdirSync(folder).length === 0);
  await json(cli, 'migrate');
  assert.match((await cli('migrate', '--dry-run')).stdout, /is up to date, for the keys of production\.\n/);
});
