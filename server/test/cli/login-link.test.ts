import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtFixture } from '../dashboard/serving/built-fixture.ts';
import { commandLine, json, temporaryFolder } from '../support/command-line.ts';
import { startUntil } from '../support/launched-process.ts';

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
});

test('a revoked key gets no link', async (t) => {
  const folder = temporaryFolder(t);
  const cli = commandLine(folder);
  await json(cli, 'migrate');
  const made = await json(cli, 'admin-keys', 'create', '--role', 'administrator');
  await json(cli, 'admin-keys', 'revoke', String(made.id));
  const refused = await cli('login-link');
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /make one: petstore-server admin-keys create --role administrator\.\n$/);
});
