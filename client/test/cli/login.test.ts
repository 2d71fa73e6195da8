import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startApp } from '../../../server/test/support/harness.ts';
import { petRow } from '../../../server/test/support/pet-rows.ts';
import { configFile } from '../../cli/account/config-file.ts';
import { fetchOf } from '../support/client-of.ts';
import { petstoreOf } from './support/petstore.ts';

const pets = [petRow(7n, 5)];

test('a key from standard input is checked, kept for its owner only, used and forgotten', async (t) => {
  const app = await startApp(t, { pets });
  const petstore = petstoreOf(t, undefined, { fetch: fetchOf(app) });
  const login = await petstore.run('login http://localhost', { stdin: `${app.key}\n` });
  assert.deepEqual([login.code, login.stderr], [0, '']);
  const file = join(petstore.home, 'config/petstore/login.json');
  assert.equal(
    login.stdout,
    `The key works at http://localhost (plan enterprise). It is kept in ${file}, which only you can read.\n`,
  );
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(statSync(join(file, '..')).mode & 0o777, 0o700);
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { url: 'http://localhost', apiKey: app.key });
  assert.equal((await petstore.list('list')).length, 1);

  chmodSync(file, 0o644);
  const exposed = await petstore.run('list');
  assert.equal(exposed.code, 0);
  assert.match(exposed.stderr, /^warning: other users of this machine can read .*Run chmod 600 on it\.\n$/);
  await petstore.run('login http://localhost', { stdin: app.key });
  assert.equal(statSync(file).mode & 0o777, 0o600);

  assert.equal(await petstore.text('logout'), 'The key is forgotten.\n');
  assert.equal(existsSync(file), false);
  assert.equal(await petstore.text('logout'), 'There was no key to forget.\n');
  assert.equal((await petstore.run('list')).code, 5);
});

test('a key that does not work is not kept, and what is no API key is not sent', async (t) => {
  const app = await startApp(t, { pets });
  let requests = 0;
  const counting: typeof fetch = (input, init) => {
    requests += 1;
    return fetchOf(app)(input, init);
  };
  const petstore = petstoreOf(t, undefined, { fetch: counting });
  const file = join(petstore.home, 'config/petstore/login.json');
  const unknown = `psk_live_${'x'.repeat(38)}`;
  const { code, stderr } = await petstore.run('login http://localhost', { stdin: unknown });
  assert.deepEqual([code, requests], [5, 1]);
  assert.match(stderr, /Run petstore login with a valid key/);
  for (const [stdin, reason] of [
    ['', /not an API key/],
    ['hello', /not an API key/],
    [`psa_live_${'x'.repeat(38)}`, /management key/],
  ] as const) {
    const refused = await petstore.run('login http://localhost', { stdin });
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, reason);
  }
  assert.equal((await petstore.run('login', { stdin: unknown })).code, 2);
  assert.equal((await petstore.run('login ftp://localhost', { stdin: unknown })).code, 2);
  const escaped = await petstore.run('login http://%zz', { stdin: unknown });
  assert.match(escaped.stderr, /^error: The address must be whole, /);
  assert.equal(escaped.code, 2);
  const nonsense = await petstore.run('login localhost:8080', { stdin: unknown });
  assert.equal(nonsense.code, 2);
  assert.match(nonsense.stderr, / Add the scheme: http:\/\/localhost:8080$/m);
  assert.equal(requests, 1);
  assert.equal(existsSync(file), false);
});

test('a key or a secret on the command line is refused and not repeated', async (t) => {
  const app = await startApp(t, { pets });
  const petstore = petstoreOf(t, app);
  for (const secret of [
    app.key,
    `--key=${app.key}`,
    `psa_test_${'x'.repeat(38)}`,
    `whsec_${'x'.repeat(32)}`,
  ]) {
    const { code, stdout, stderr } = await petstore.run(['login', 'http://localhost', secret]);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^error: A key or secret on the command line can be read by other users/);
    assert.doesNotMatch(stderr, /ps[ak]_\w+_\w|whsec_\w/);
  }
});

test('the environment takes precedence, and a kept key goes to no other service', async (t) => {
  const app = await startApp(t, { pets });
  const hosts: string[] = [];
  const recording: typeof fetch = (input, init) => {
    hosts.push(
      `${new URL(String(input)).host} ${new Headers(init?.headers).get('Authorization')?.slice(-4)}`,
    );
    return fetchOf(app)(input, init);
  };
  const petstore = petstoreOf(t, undefined, { fetch: recording });
  await petstore.run('login http://localhost/', { stdin: app.key });
  hosts.length = 0;
  const other = await petstore.run('list', { env: { PETSTORE_URL: 'http://elsewhere' } });
  assert.equal(other.code, 5);
  assert.match(other.stderr, /is for http:\/\/localhost and is sent to no other service/);
  assert.deepEqual(hosts, []);
  await petstore.run('limits', { env: { PETSTORE_URL: 'http://localhost/v1' } });
  const { key } = await app.makeKey();
  await petstore.run('limits', { env: { PETSTORE_API_KEY: key } });
  await petstore.run('limits', { env: { PETSTORE_URL: 'http://elsewhere', PETSTORE_API_KEY: key } });
  const [own, made] = [app.key.slice(-4), key.slice(-4)];
  assert.deepEqual(hosts, [`localhost ${own}`, `localhost ${made}`, `elsewhere ${made}`]);
  const alone = await petstoreOf(t).run('list', { env: { PETSTORE_API_KEY: key } });
  assert.match(alone.stderr, /PETSTORE_URL is not/);
  const wrong = async (PETSTORE_URL: string, PETSTORE_API_KEY: string) => {
    const { code, stderr } = await petstore.run('list', { env: { PETSTORE_URL, PETSTORE_API_KEY } });
    return `${code} ${stderr}`;
  };
  assert.match(await wrong('localhost:8080', key), /^2 error: PETSTORE_URL must be an address such as/);
  for (const url of [
    'http://%zz',
    'http://localhost:99999',
    'http://localhost/?a=1',
    'http://me:secret@localhost',
  ]) {
    const refused = await wrong(url, key);
    assert.match(refused, /^2 error: PETSTORE_URL must be a whole address such as/, url);
    assert.doesNotMatch(refused, /secret/);
  }
  assert.match(
    await wrong('http://localhost', key.replace('psk', 'psa')),
    /^5 error: PETSTORE_API_KEY has a management key \(psa_\)\. /,
  );
});

test('space around a variable or an address is not part of it', async (t) => {
  const app = await startApp(t);
  const env = { PETSTORE_URL: ' http://localhost\n', PETSTORE_API_KEY: `${app.key}\r\n` };
  const { code, stderr } = await petstoreOf(t, app, { env }).run('limits');
  assert.deepEqual([code, stderr], [0, '']);
  const kept = await petstoreOf(t, app).run(['login', ' http://localhost/ '], { stdin: `${app.key} \n` });
  assert.match(kept.stdout, /^The key works at http:\/\/localhost \(plan /);
});

test('a damaged login is reported; plain http to another machine is warned about', async (t) => {
  const app = await startApp(t, { pets });
  const petstore = petstoreOf(t, undefined, { fetch: fetchOf(app) });
  const login = await petstore.run('login http://192.168.0.9:8080', { stdin: app.key });
  assert.equal(login.code, 0);
  assert.match(login.stderr, /^warning: http sends the key unencrypted/);
  writeFileSync(join(petstore.home, 'config/petstore/login.json'), '{');
  const { code, stderr } = await petstore.run('list');
  assert.equal(code, 5);
  assert.match(stderr, /is damaged\. Run petstore login again\.\n$/);
});

test('the file is where each platform keeps settings', () => {
  const place = (platform: NodeJS.Platform, env: Record<string, string>) =>
    configFile({ platform, env, home: '/home/a' }).replaceAll('\\', '/');
  assert.equal(place('linux', {}), '/home/a/.config/petstore/login.json');
  assert.equal(place('darwin', { XDG_CONFIG_HOME: '/x' }), '/x/petstore/login.json');
  assert.equal(place('win32', { APPDATA: '/roaming' }), '/roaming/petstore/login.json');
  assert.equal(place('win32', {}), '/home/a/AppData/Roaming/petstore/login.json');
});
