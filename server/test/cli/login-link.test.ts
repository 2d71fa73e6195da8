import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { builtFixture } from '../../../web/test/serving/built-fixture.ts';
import { openAdmin } from '../../src/store/open-admin.ts';
import { commandLine, json, temporaryFolder } from '../support/command-line.ts';
import { startUntil } from '../support/launched-process.ts';
import { newDatabase, testEngine } from '../support/test-database.ts';

const isOpen = (text: string) => text.includes('Ctrl-C');
const LINK = /^ {2}(http:\/\/127\.0\.0\.1:\d+)\/sign-in#code=([\w-]{43})$/m;

async function signIn(
  origin: string,
  code: string,
): Promise<{ status: number; name?: string; role?: string }> {
  const response = await fetch(`${origin}/admin/v1/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code }),
  });
  return { ...((await response.json()) as object), status: response.status };
}

test('start and login-link print links that sign in one time, with the role of a key', async (t) => {
  const folder = temporaryFolder(t);
  const started = await startUntil(t, folder, ['start', '--no-sample'], isOpen, {
    PETSTORE_DASHBOARD: builtFixture(t),
  });
  const [, origin = '', code = ''] = LINK.exec(started.text) ?? [];
  const first = await signIn(origin, code);
  assert.deepEqual([first.status, first.name, first.role], [200, 'demo', 'administrator']);
  assert.equal((await signIn(origin, code)).status, 401);

  const cli = commandLine(folder, { env: { PETSTORE_BASE_URL: 'https://shop.example/v1' } });
  await json(cli, 'admin-keys', 'create', '--role', 'staff', '--name', 'Ada');
  await json(cli, 'admin-keys', 'create', '--role', 'viewer', '--name', 'Bob');
  const signInWith = async (...choice: readonly string[]) => {
    const made = (await json(cli, 'login-link', ...choice)) as { link: string; name: string; role: string };
    const [address, secret = ''] = made.link.split('#code=');
    assert.equal(address, 'https://shop.example/sign-in');
    const session = await signIn(origin, secret);
    assert.deepEqual([session.status, session.name, session.role], [200, made.name, made.role]);
    return made.name;
  };
  assert.equal(await signInWith(), 'demo');
  assert.equal(await signInWith('--name', 'Ada'), 'Ada');
  assert.equal(await signInWith('--role', 'viewer'), 'Bob');
  const missing = await cli('login-link', '--name', 'Bob', '--role', 'staff');
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /admin-keys create --role staff --name "Bob"/);
  const text = await cli('login-link');
  assert.match(text.stdout, /^Sign-in link of demo \(role administrator\), valid one time until /);
  assert.equal(await started.stop(), 0);

  // Without a setting of its own the command takes the address of the service, also when it has stopped.
  const plain = (await json(commandLine(folder), 'login-link')) as { link: string; addressFrom: string };
  const [address] = plain.link.split('/sign-in#');
  assert.deepEqual([address, plain.addressFrom], [`http://localhost:${new URL(origin).port}`, 'service']);
});

test('a revoked key gets no link', async (t) => {
  const folder = temporaryFolder(t);
  const cli = commandLine(folder);
  await json(cli, 'migrate');
  const made = await json(cli, 'admin-keys', 'create', '--role', 'administrator');
  await json(cli, 'admin-keys', 'revoke', '--yes', String(made.id));
  const refused = await cli('login-link');
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /make one: petstore-server admin-keys create --role administrator\.\n$/);
});

test('a name of two keys gets no link, but the id of one does, and a rotated key has its successor', async (t) => {
  const cli = commandLine(temporaryFolder(t));
  await json(cli, 'migrate');
  const create = ['admin-keys', 'create', '--role', 'administrator', '--name', 'owner'];
  const first = await json(cli, ...create);
  const rotated = await json(cli, 'admin-keys', 'rotate', String(first.id));
  assert.equal((await json(cli, 'login-link', '--name', 'owner')).keyId, rotated.id);
  const second = await json(cli, ...create, '--yes');
  const { code, stderr } = await cli('login-link', '--name', 'owner');
  assert.equal(code, 1);
  for (const { id } of [rotated, second]) assert.ok(stderr.includes(`  ${String(id)}  administrator, made `));
  assert.ok(!stderr.includes(String(first.id)), 'its successor has the same rights');
  for (const { id } of [rotated, second]) {
    assert.equal((await json(cli, 'login-link', String(id))).keyId, id);
  }
  assert.match((await cli('login-link', 'key_0000000000000000')).stderr, /There is no management key/);
  assert.match(
    (await cli('login-link', String(second.id), '--role', 'viewer')).stderr,
    /another name or role/,
  );
});

test('commands use the settings of the service that started last, except those of their own environment', async (t) => {
  const database = await newDatabase(t);
  const folder = temporaryFolder(t);
  const env = { ...testEngine().variables, PETSTORE_PEPPER: 'x'.repeat(32), PETSTORE_DATABASE: database.url };
  const cli = commandLine(folder, { env });
  await json(cli, 'migrate');
  await json(cli, 'accounts', 'create', 'shop', '--plan', 'pro');
  await json(cli, 'admin-keys', 'create', '--role', 'administrator');
  const store = await openAdmin(database.url);
  t.after(() => store.close());
  writeFileSync(join(folder, 'many.csv'), 'petId,quantity\n7,11\n');
  const originOf = async (line: typeof cli) =>
    String((await json(line, 'login-link')).link).split('/sign-in#')[0];
  const refusals = async (line: typeof cli) => {
    const commands = [
      'pets create 7 --quantity 11',
      `pets import ${join(folder, 'many.csv')} --dry-run`,
      'webhooks create http://10.1.2.3/hook --account shop',
    ];
    const ended = await Promise.all(commands.map((command) => line(...command.split(' '))));
    return ended.map(({ code, stderr }) => (code === 0 ? '' : stderr));
  };

  await store.recordSettings({
    PORT: '24100',
    PETSTORE_MAX_QUANTITY: '10',
    PETSTORE_WEBHOOK_NETWORKS: '10.0.0.0/8',
    PETSTORE_MAX_WEBHOOK_ENDPOINTS: '1',
    PETSTORE_VARIABLE_OF_A_LATER_RELEASE: '1',
  });
  assert.equal(await originOf(cli), 'http://localhost:24100');
  const [create, plan, webhook] = await refusals(cli);
  assert.match(create ?? '', /10/);
  assert.match(plan ?? '', /10/);
  assert.equal(webhook, '');
  assert.match((await refusals(cli))[2] ?? '', /has 1 webhook endpoint, and may have 1;/);
  const own = commandLine(folder, {
    env: { ...env, PETSTORE_BASE_URL: 'https://shop.example/v1', PETSTORE_MAX_QUANTITY: '12', PORT: '1' },
  });
  assert.equal(await originOf(own), 'https://shop.example');
  assert.deepEqual((await refusals(own)).slice(0, 2), ['', '']);

  // A later start replaces what an earlier one recorded, and a value that cannot be read counts as none.
  await store.recordSettings({ PORT: '24200' });
  assert.equal(await originOf(cli), 'http://localhost:24200');
  assert.match((await refusals(cli))[2] ?? '', /https/);
  await store.recordSettings({ PORT: 'none' });
  assert.equal(await originOf(cli), 'http://localhost:8080');
});
