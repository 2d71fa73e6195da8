import assert from 'node:assert/strict';
import { type StdioOptions, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startApp } from '../../../server/test/support/harness.ts';
import { machineEnvironment } from '../../../server/test/support/machine-environment.ts';
import { petRow } from '../../../server/test/support/pet-rows.ts';
import { EXIT } from '../../cli/exit-codes.ts';
import { petstoreOf, type Surroundings } from './support/petstore.ts';

const PETSTORE = fileURLToPath(new URL('../../bin/petstore.js', import.meta.url));
const pets = [petRow(7n, 5)];

const WRONG_USAGE: readonly (readonly [string, RegExp])[] = [
  ['lst', /unknown command 'lst' .*list/],
  ['get', /pet/],
  ['get id:01', /64 bits/],
  ['get id:9223372036854775808', /64 bits/],
  ['get barcode:4006381333932', /check digit, which must be 1/],
  ['get sku:', /petId, an SKU or a barcode/],
  ['get 7 8', /too many arguments/],
  ['list --status gone', /available, pending, sold/],
  ['list --alert high', /low, out, oversold/],
  ['list --limit 0', /whole number, 1 or more/],
  ['list --min-quantity -1', /0 or more/],
  ['list --min-quantity 9007199254740993', /0 or more/],
  ['list --since 2026-02-30', /UTC time/],
  ['list --since 2026-13-45', /UTC time/],
  ['list --since 999999999d', /UTC time/],
  ['orders place 7=1 --expires 999999999d', /UTC time/],
  ['list --as-of yesterday', /UTC time/],
  ['list --as-of 1d --at-sequence 4', /cannot be used/],
  [`list --pet ${Array.from({ length: 1_001 }, (_, i) => i).join()}`, /at most 1000 pets/],
  ['list --max-wait 1e3', /^--max-wait is "1e3"; give seconds or a duration such as 2m, from 0 to 1d\./],
  ['get id:abc', /give a whole number of 64 bits, such as 42\./],
  ['get', /^the argument <pet> is missing\./],
  ['sell 7 0', /1 unit or more/],
  ['sell 7 --reason sold', /--reason/],
  ['set 7', /quantity or --status/],
  ['set 7 4 --status sold', /quantity or --status/],
  ['set 7 1.5', /whole number/],
  ['adjust 7 -1', /--reason/],
  ['adjust 7 -1 --reason stolen', /^--reason is "stolen"; give one of correction, /],
  ['adjust 7 1e3 --reason sold', /whole number/],
  ['adjust 7 0 --reason sold', /delta/],
  ['history --all --limit 3', /cannot be used/],
  ['orders', /^$/],
  ['orders show 0', /number of 1 or more/],
  ['orders place 7', /such as 42=2/],
  ['orders place 7=0', /1 unit or more/],
  ['orders place 7=', /1 unit or more/],
  ['orders place 7=1=1', /such as 42=2/],
  ['orders place 7=1 --expires 2d --never-expires', /cannot be used/],
  ['export --json', /name a file/],
  ['export stock.xlsx', /would have CSV inside/],
  ['export stock.TSV --as-of 1d', /would have CSV inside/],
  ['import missing.csv', /no such file/],
  ['import stock.csv --add', /--reason/],
  ['webhooks listen', /--url/],
  ['webhooks listen --port 70000', /from 0 to 65535/],
  ['webhooks listen --types everything', /inventory\.low/],
  ['completion csh', /bash, zsh, fish/],
  ['adjust 7 -1 --reason sold --idempotency-key ä', /visible ASCII/],
];

test('2: wrong usage, in text and in JSON, before any request changes anything', async (t) => {
  const petstore = petstoreOf(t, await startApp(t, { pets }));
  for (const [line, message] of WRONG_USAGE) {
    const { code, stdout, stderr } = await petstore.run(`${line} --json`);
    assert.deepEqual([code, stdout], [EXIT.wrongUsage, ''], line);
    if (line === 'orders') continue;
    const { error, errors } = JSON.parse(stderr) as { error: string; errors: { message: string }[] };
    assert.match(error, message, line);
    assert.equal(errors[0]?.message.startsWith(error.slice(0, 20)), true, line);
  }
  const nothing = await petstore.run('');
  assert.deepEqual([nothing.code, nothing.stdout], [EXIT.wrongUsage, '']);
  assert.match(nothing.stderr, /^Usage: petstore/);
  assert.match((await petstore.run('lst')).stderr, /^error: unknown command[^\n]*\nSee petstore --help\.\n$/);
});

test('0, 3 and 4: done, refused by the present state, not there', async (t) => {
  const petstore = petstoreOf(t, await startApp(t, { pets }));
  assert.deepEqual(await petstore.run('--version'), { code: EXIT.done, stdout: '1.0.0\n', stderr: '' });
  const help = await petstore.run('--help');
  assert.equal(help.code, EXIT.done);
  for (const code of Object.values(EXIT)) assert.match(help.stdout, new RegExp(`\n {2}${code} +\\w`));
  const refused = await petstore.run('adjust 7 -6 --reason sold');
  assert.equal(refused.code, EXIT.refused);
  assert.match(refused.stderr, /^error: The stock is not enough/);
  assert.equal((await petstore.run('set 7 6 --if-quantity 4')).code, EXIT.refused);
  for (const line of ['get 99', 'orders show 99', 'set 99 1']) {
    const { code, stdout, stderr } = await petstore.run(`${line} --json`);
    assert.deepEqual([code, stdout], [EXIT.notFound, ''], line);
    const report = JSON.parse(stderr) as Record<string, unknown>;
    assert.deepEqual([report.code, report.status], ['not_found', 404]);
    const [{ code: listed, message } = {}] = report.errors as { code?: string; message?: string }[];
    assert.equal(listed, 'not_found');
    assert.ok(String(report.error).startsWith(String(message)));
    assert.match(String(report.requestId), /^[\w-]{8,}$/);
  }
});

test('5: no key, an unknown key, a key without the scope', async (t) => {
  const app = await startApp(t, { pets });
  const none = await petstoreOf(t).run('list');
  assert.deepEqual([none.code, none.stdout], [EXIT.notAllowed, '']);
  assert.match(none.stderr, /^error: There is no API key\. Run petstore login/);
  const unknown = petstoreOf(t, {
    ...app,
    key: `${app.key.slice(0, -6)}${app.key.slice(-6).replace(/./g, 'x')}`,
  });
  const refused = await unknown.run('list');
  assert.equal(refused.code, EXIT.notAllowed);
  assert.match(refused.stderr, /Run petstore login/);
  const { key } = await app.makeKey({ scopes: ['inventory:read'] });
  const reader = petstoreOf(t, { ...app, key });
  assert.equal((await reader.run('list')).code, EXIT.done);
  const { code, stderr } = await reader.run('set 7 3');
  assert.equal(code, EXIT.notAllowed);
  assert.match(stderr, /inventory:write.*operator/);
});

test('6: the limit is used up; the command fails immediately or waits', async (t) => {
  const app = await startApp(t, { pets, limits: { perMinute: 1, perDay: 100 } });
  const petstore = petstoreOf(t, app);
  assert.equal((await petstore.run('list')).code, EXIT.done);
  const { code, stdout, stderr } = await petstore.run('list --max-wait 0 --json');
  assert.deepEqual([code, stdout], [EXIT.limited, '']);
  const report = JSON.parse(stderr) as { error: string; retryAfterSeconds: number };
  assert.ok(report.retryAfterSeconds > 0);
  assert.match(report.error, /Try again in \d+ s\./);
});

function failingWith(status: number, code: string): Surroundings {
  const body = { code, message: 'It failed.', status };
  return {
    fetch: () => Promise.resolve(Response.json(body, { status, headers: { 'X-Request-Id': 'request-1' } })),
  };
}

test('1 and 7: the service failed, cannot respond, or is not there', async (t) => {
  const petstore = petstoreOf(t, await startApp(t, { pets }));
  const failed = await petstore.run('list --max-wait 0', failingWith(500, 'internal_error'));
  assert.equal(failed.code, EXIT.failed);
  assert.match(failed.stderr, /Report the request request-1 to the operator/);
  const busy = await petstore.run('list --max-wait 0', failingWith(503, 'service_unavailable'));
  assert.equal(busy.code, EXIT.unreachable);
  const gone = () =>
    Promise.reject(new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }));
  const unreachable = await petstore.run('list --max-wait 0', { fetch: gone });
  assert.equal(unreachable.code, EXIT.unreachable);
  assert.match(unreachable.stderr, /ECONNREFUSED.*Check that the service runs/);
  const page = () => Promise.resolve(new Response('<html>', { status: 200 }));
  assert.equal((await petstore.run('list --max-wait 0', { fetch: page })).code, EXIT.unreachable);
  const write = await petstore.run('adjust id:7 -1 --reason sold --max-wait 0 --json', { fetch: gone });
  const { error, idempotencyKey } = JSON.parse(write.stderr) as Record<string, string>;
  assert.match(String(idempotencyKey), /^[0-9a-f]{32}$/);
  assert.match(String(error), /The change may have been made\. Repeat the command with --idempotency-key/);
});

test('130: interrupted while it waits', async (t) => {
  const app = await startApp(t, { pets });
  const petstore = petstoreOf(t, app);
  const interruption = new AbortController();
  const ended = petstore.run('watch --after 0', {
    signal: interruption.signal,
    onOutput: () => interruption.abort(),
  });
  const { code, stdout, stderr } = await ended;
  assert.deepEqual([code, stderr], [EXIT.interrupted, '']);
  assert.match(stdout, /pet 7 {2}import/);
});

test('7: an address with a wrong path', async (t) => {
  const app = await startApp(t, { pets });
  const env = { PETSTORE_URL: 'http://localhost/shop', PETSTORE_API_KEY: app.key };
  const { code, stderr } = await petstoreOf(t, app, { env }).run('get 7');
  assert.equal(code, EXIT.unreachable);
  assert.match(stderr, /Check that the address is that of the service/);
});

test('1: a full disk below standard output is reported in a sentence; below standard error it changes nothing', async () => {
  const full = openSync('/dev/full', 'w');
  const run = (stdio: StdioOptions, word: string) =>
    spawnSync(process.execPath, [PETSTORE, word], { stdio, env: machineEnvironment(), encoding: 'utf8' });
  const { status, stderr } = run(['ignore', full, 'pipe'], '--help');
  assert.equal(status, EXIT.failed);
  assert.match(stderr, /^error: Standard output cannot be written \(ENOSPC.*\)\.\n$/);
  assert.equal(run(['ignore', 'pipe', full], 'lst').status, EXIT.wrongUsage);
  closeSync(full);
});
