import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { FIRST_HASH } from '../../src/domain/ledger/ledger.ts';
import { commandLine, environmentOf, json, run, temporaryFolder } from '../support/command-line.ts';
import { LAUNCHER, startUntil } from '../support/launched-process.ts';
import { isSkippedDaily } from '../support/long-test.ts';

/** Also in a parent, as in the sandbox of mutations. */
function isInstalledAbove(folder: string): boolean {
  if (existsSync(join(folder, 'node_modules/.bin/petstore-server'))) return true;
  return dirname(folder) !== folder && isInstalledAbove(dirname(folder));
}

test('start opens a sample shop with a key that works, and a second start keeps everything', async (t) => {
  const folder = temporaryFolder(t);
  const isOpen = (text: string) => text.includes('Ctrl-C');
  const first = await startUntil(t, folder, ['start'], isOpen);
  assert.match(first.text, /account demo \(plan pro\), shown only this once/);
  const [, key] = /^ {2}export KEY=(psk_live_\w+)$/m.exec(first.text) ?? [];
  const [, url] = /^ {2}curl -H "Authorization: Bearer \$KEY" (\S+)$/m.exec(first.text) ?? [];
  assert.ok(key && url);
  const response = await fetch(url, { headers: { Authorization: `Bearer ${key}` } });
  assert.equal(response.status, 200);
  assert.equal(((await response.json()) as unknown[]).length, 60);
  for (const path of ['/', '/docs', '/healthz']) {
    const [, address] = new RegExp(`(http://\\S+${path})\n`).exec(first.text) ?? [];
    assert.equal((await fetch(address ?? '')).status, 200, path);
  }
  // The command line works next to the running service, which sees its changes.
  const cli = commandLine(folder);
  const orders = (await json(cli, 'orders', 'list')) as unknown as readonly { status: string }[];
  assert.deepEqual(
    orders.map(({ status }) => status),
    ['approved', 'placed'],
  );
  const { key: second } = await json(cli, 'keys', 'create', '--account', 'demo');
  const withSecond = await fetch(url, { headers: { Authorization: `Bearer ${String(second)}` } });
  assert.equal(((await withSecond.json()) as unknown[]).length, 60);
  assert.equal(await first.stop(), 0);

  const again = await startUntil(t, folder, ['start', '--json'], (text) => text.endsWith('\n'));
  const value = JSON.parse(again.text) as Record<string, unknown>;
  assert.deepEqual([value.account, value.key, value.samplePets], ['demo', null, 0]);
  const kept = await fetch(`${String(value.api)}/inventory`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  assert.equal(((await kept.json()) as unknown[]).length, 60);
  assert.equal(((await json(cli, 'orders', 'list')) as unknown as unknown[]).length, 2);
  assert.equal(await again.stop(), 0);

  // The printed command works in a terminal that has none of the service's variables.
  const third = await startUntil(t, folder, ['start'], isOpen);
  assert.match(third.text, /^ {2}export PETSTORE_DATABASE=sqlite:\S+petstore\.db$/m);
  // Where nothing is installed, npx would ask a registry for a package of that name.
  assert.equal(third.text.includes('npx '), isInstalledAbove(folder));
  assert.equal(await third.stop(), 0);
  for (const [words, made] of [
    ['keys create --account demo', /psk_live_\w{38}/],
    ['admin-keys create --role administrator --name operator', /psa_live_\w{38}/],
  ] as const) {
    const [, command] = new RegExp(`^ {2}(PETSTORE_DATABASE=.* ${words})$`, 'm').exec(third.text) ?? [];
    assert.ok(command, third.text);
    const line = command.replace('npx petstore-server', `"${process.execPath}" "${LAUNCHER}"`);
    const { code, stdout, stderr } = await run('sh', ['-c', line], tmpdir(), { PATH: process.env.PATH });
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, made);
  }
  assert.deepEqual((await json(cli, 'verify')).faults, []);
});

test('start leaves the shop empty if requested, and a start that fails hides no key', async (t) => {
  if (isSkippedDaily(t)) return;
  const folder = temporaryFolder(t);
  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  const conflicting = commandLine(folder, { env: { PORT: String(port) } });
  const failed = await conflicting('start', '--no-sample');
  assert.deepEqual([failed.code, failed.stdout], [1, '']);
  assert.match(failed.stderr, /^error: Port \d+ is taken; [^\n]*\n$/);

  const isOpen = (text: string) => text.includes('Ctrl-C');
  const started = await startUntil(t, folder, ['start', '--no-sample'], isOpen);
  assert.match(started.text, /psk_live_\w{38}/);
  assert.doesNotMatch(started.text, /sample shop/);
  assert.equal(await started.stop(), 0);
});

test('start fills no database that migrate made', async (t) => {
  const folder = temporaryFolder(t);
  const cli = commandLine(folder);
  await json(cli, 'migrate');
  const started = await startUntil(t, folder, ['start', '--json'], (text) => text.endsWith('\n'));
  const { samplePets, isSample } = JSON.parse(started.text) as Record<string, unknown>;
  assert.deepEqual([samplePets, isSample], [0, false]);
  assert.equal(await started.stop(), 0);
  await json(cli, 'accounts', 'create', 'shop', '--plan', 'pro');
});

test('serve makes no sample and no key, and logs JSON only', async (t) => {
  if (isSkippedDaily(t)) return;
  const folder = temporaryFolder(t);
  const { text, stop } = await startUntil(t, folder, ['serve'], (output) => /"listening".*\n$/.test(output));
  for (const line of text.trim().split('\n')) JSON.parse(line);
  assert.equal(await stop(), 0);
  const cli = commandLine(folder);
  assert.deepEqual(await json(cli, 'accounts', 'list'), []);
  assert.deepEqual(await json(cli, 'verify'), {
    pets: 0,
    movements: 0,
    hashesChecked: 0,
    retentionStart: { sequence: 0, recordedAt: null },
    prunes: [],
    head: { sequence: 0, hash: FIRST_HASH },
    firstBadSequence: null,
    faults: [],
    findings: [],
  });
});

test('the launcher ends as the command ends', async (t) => {
  const folder = temporaryFolder(t);
  const launched = await run(process.execPath, [LAUNCHER, 'accounts', 'list'], folder, environmentOf(folder));
  assert.equal(launched.code, 1);
  assert.match(launched.stderr, /There is no database/);
});
