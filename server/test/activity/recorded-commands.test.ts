import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Command } from 'commander';
import { buildProgram } from '../../src/cli/program.ts';
import { createAccount } from '../../src/domain/actions/accounts.ts';
import type { AdminStore } from '../../src/domain/admin-store.ts';
import { UNEXPLAINED } from '../../src/domain/ledger/ledger.ts';
import { openAdmin } from '../../src/store/open-admin.ts';
import { ImportShop } from '../imports/import-shop.ts';
import { type CommandLine, commandLine, json, petRow, temporaryFolder } from '../support/command-line.ts';
import { newDatabase, type TestDatabase, testEngine } from '../support/test-database.ts';
import { until } from '../support/until.ts';

/** Preparations have another author than the command. */
const OTHER = { actor: 'key_other', requestId: null };
const FILE = 'petId,quantity\n1,1\n5,2\n';

interface Shop {
  readonly store: AdminStore;
  readonly database: TestDatabase;
  readonly cli: CommandLine;
  readonly imports: ImportShop;
  /** An id in the output of a command. */
  made(...words: string[]): Promise<string>;
}

/** The action of a command, and its words after its name. */
type Row = readonly [action: string, words: (shop: Shop) => string | Promise<string>];

const newEndpoint = ({ made }: Shop) =>
  made('webhooks', 'create', 'https://shop.invalid', '--account', 'shop');

/** The id of a new order; `undefined` if the expiry was no longer in the future when the order arrived. */
async function newOrder(store: AdminStore, expiresAtMs: number | null): Promise<string | undefined> {
  const lines = [{ petId: 1n, quantity: 1 }];
  const placed = await store.write({ kind: 'place', lines, expiresAtMs, explanation: UNEXPLAINED }, OTHER);
  if (placed.code === 'expiry_passed') return undefined;
  assert.ok(placed.kind === 'order' && placed.order, placed.code);
  return String(placed.order.orderId);
}

/** An order whose expiry has passed, for a command that names none. */
async function newExpired(store: AdminStore): Promise<''> {
  // Long enough to place an order before it, however busy the machine is.
  for (let soonMs = 1_000; ; soonMs *= 2) {
    const expiresAtMs = (await store.now()) + soonMs;
    if ((await newOrder(store, expiresAtMs)) === undefined) continue;
    await until(async () => (await store.now()) > expiresAtMs, 'the expiry has passed');
    return '';
  }
}

const RECORDED: Readonly<Record<string, readonly Row[]>> = {
  'accounts create': [['accounts.create', () => 'shop-2 --plan pro']],
  'accounts set-plan': [['accounts.update', () => 'shop --plan business']],
  'keys create': [['keys.create', () => '--account shop']],
  'keys rotate': [['keys.rotate', ({ made }) => made('keys', 'create', '--account', 'shop')]],
  'keys revoke': [
    ['keys.revoke', async ({ made }) => `${await made('keys', 'create', '--account', 'shop')} --yes`],
  ],
  'admin-keys create': [['admin-keys.create', () => '--role viewer']],
  'admin-keys rotate': [
    ['admin-keys.rotate', ({ made }) => made('admin-keys', 'create', '--role', 'viewer')],
  ],
  'admin-keys revoke': [
    [
      'admin-keys.revoke',
      async ({ made }) => `${await made('admin-keys', 'create', '--role', 'viewer')} --yes`,
    ],
  ],
  'login-link': [
    [
      'sign-in-codes.create',
      async ({ made }) => {
        await made('admin-keys', 'create', '--role', 'staff', '--name', 'Ada');
        return '--name Ada';
      },
    ],
  ],
  'bans lift': [
    [
      'keys.lift-ban',
      async ({ database, made }) => {
        const id = await made('keys', 'create', '--account', 'shop');
        await database.run(
          `INSERT INTO bans (key_id, level, banned_at, ends_at) VALUES ('${id}', 1, 0, ${Date.UTC(2100, 0, 1)})`,
        );
        return id;
      },
    ],
  ],
  'pets create': [['pets.create', () => '42 --name Rex']],
  'pets edit': [['pets.update', () => '1 --name Rex']],
  'pets archive': [['pets.archive', () => '2']],
  'inventory set': [['inventory.set', () => '1 5']],
  'inventory adjust': [['inventory.adjust', () => '1 2']],
  'pets set': [['inventory.set', () => '1 5']],
  'pets adjust': [['inventory.adjust', () => '1 2']],
  // The plan, and its application.
  'pets change': [['bulk-changes.create bulk-changes.apply', () => '1 --set status=sold --yes']],
  'pets restore': [['pets.restore', () => '2']],
  'pets delete': [['pets.delete', () => '2 --yes']],
  'pets import': [['pets.import', () => 'pets.csv']],
  // The plan, and its application.
  'pets imports undo': [
    [
      'imports.undo imports.apply',
      async ({ imports }) => {
        const { id } = await imports.planned(FILE, 'csv', 'add');
        await imports.apply(id);
        return `${id} --yes`;
      },
    ],
  ],
  'pets imports cancel': [['imports.cancel', async ({ imports }) => (await imports.planned(FILE)).id]],
  'pets imports delete': [['imports.delete', async ({ imports }) => (await imports.planned(FILE)).id]],
  'pets mappings delete': [
    [
      'import-mappings.delete',
      async ({ store }) => {
        const columns = [{ heading: 'Artikel', field: 'sku' as const }];
        await store.importMappings.set('Zoo', { columns, decimal: null, encoding: null, sheet: null }, OTHER);
        return 'Zoo';
      },
    ],
  ],
  'pets reorders set': [['reorders.update', () => '1 --ordered 140']],
  'pets thresholds': [
    ['inventory.batch', () => '1 --low 3'],
    ['thresholds.set', () => '--default --low 4'],
  ],
  'orders expire': [
    ['orders.expire', async ({ store }) => `${await newOrder(store, null)} --yes`],
    ['orders.expire', ({ store }) => newExpired(store)],
  ],
  'webhooks create': [['webhooks.create', () => 'https://shop.invalid --account shop']],
  'webhooks update': [['webhooks.update', async (shop) => `${await newEndpoint(shop)} --description till`]],
  'webhooks pause': [['webhooks.pause', newEndpoint]],
  'webhooks resume': [
    [
      'webhooks.resume',
      async (shop) => {
        const id = await newEndpoint(shop);
        await shop.store.webhooks.pause(id, OTHER);
        return id;
      },
    ],
  ],
  'webhooks rotate': [['webhooks.rotate', newEndpoint]],
  'webhooks replay': [['webhooks.replay', async (shop) => `${await newEndpoint(shop)} --after 0.0`]],
  'webhooks resend': [['webhooks.resend', async (shop) => `${await newEndpoint(shop)} --event 1.0`]],
  'webhooks test': [['webhooks.test', newEndpoint]],
  'webhooks delete': [['webhooks.delete', async (shop) => `${await newEndpoint(shop)} --yes`]],
  'movements prune': [['movements.prune', () => '--before 2020-01-01 --yes']],
};

/** Commands that send a message, to a host that does not exist. */
const UNREACHED = new Set(['webhooks resend', 'webhooks test']);

/** Commands that change nothing of a shop; `migrate` and `move` make a database, and the rest reads or runs the service. */
const UNRECORDED = [
  ...[
    'serve',
    'start',
    'migrate',
    'move',
    'backup',
    'backup check',
    'restore',
    'verify',
    'openapi',
    'activity',
    'accounts list',
  ],
  ...['completion', 'doctor', 'help', 'inventory get'],
  ...['accounts usage', 'keys list', 'admin-keys list', 'bans list', 'pets list', 'pets search', 'pets show'],
  ...['pets imports list', 'pets imports show', 'pets export', 'orders list', 'orders show'],
  ...['pets mappings list', 'pets mappings show', 'pets reorders list', 'pets reorders export'],
  ...['webhooks list', 'webhooks show', 'webhooks deliveries'],
  ...['stocktakes list', 'stocktakes report', 'stocktakes show'],
  ...['report stock', 'report movements', 'report variance'],
];

function commandsBelow(command: Command, path: readonly string[] = []): string[] {
  if (command.commands.length === 0) return [path.join(' ')];
  const itself = command.registeredArguments.length > 0 ? [path.join(' ')] : [];
  return [...itself, ...command.commands.flatMap((child) => commandsBelow(child, [...path, child.name()]))];
}

async function openShop(t: TestContext): Promise<Shop> {
  const database = await newDatabase(t);
  const folder = temporaryFolder(t);
  const cli = commandLine(folder, { env: { ...testEngine().variables, PETSTORE_DATABASE: database.url } });
  await json(cli, 'migrate');
  const store = await openAdmin(database.url);
  t.after(() => store.close());
  await createAccount(store, { name: 'shop', plan: 'pro' }, OTHER);
  writeFileSync(join(folder, 'pets.csv'), FILE);
  // Old enough for the prune, which keeps the newest movement of each pet.
  for (const quantity of [7, 8]) await store.importPets([petRow(1, { quantity })], OTHER.actor, quantity);
  await store.importPets([petRow(2, { quantity: 0 })], OTHER.actor);
  const made = async (...words: string[]) => {
    const value = await json(cli, ...words);
    return String((value.endpoint as { id: string } | undefined)?.id ?? value.id);
  };
  return { store, database, cli, imports: new ImportShop(store, database), made };
}

test('each command that changes a shop adds one line to the activity log, by cli', async (t) => {
  const commands = commandsBelow(buildProgram());
  assert.deepEqual([...Object.keys(RECORDED), ...UNRECORDED].toSorted(), commands.toSorted());
  const shop = await openShop(t);
  const actions = async () => {
    const lines = await shop.store.activity.list({ actor: 'cli', limit: 1_000 });
    return lines.map(({ id, action }) => ({ id, action })).toSorted((a, b) => a.id - b.id);
  };
  for (const [command, [action, words]] of Object.entries(RECORDED).flatMap(([name, rows]) =>
    rows.map((row) => [name, row] as const),
  )) {
    const line = `${command} ${await words(shop)}`.trim();
    const before = await actions();
    const { code, stderr } = await shop.cli(...line.split(' '), '--json');
    // Nobody receives the test message; its attempt is recorded.
    assert.equal(code, UNREACHED.has(command) ? 1 : 0, `${line}: ${stderr}`);
    const added = (await actions()).slice(before.length).map((entry) => entry.action);
    assert.deepEqual(added, action.split(' '), line);
  }
});
