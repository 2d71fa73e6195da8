import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { startService } from '../../../server/test/blackbox/service.ts';
import { startApp } from '../../../server/test/support/harness.ts';
import { machineEnvironment } from '../../../server/test/support/machine-environment.ts';
import { petRow } from '../../../server/test/support/pet-rows.ts';
import { until } from '../../../server/test/support/until.ts';
import { petstoreOf } from './support/petstore.ts';
import { isSkippedDaily } from '../../../server/test/support/long-test.ts';

const PETSTORE = fileURLToPath(new URL('../../bin/petstore.js', import.meta.url));
const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const OTHER = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
const LISTENING = /Listening on (http:\/\/127\.0\.0\.1:\d+)\./;

function messageOf(id: string, secret = SECRET, at = new Date()) {
  const data = {
    order: { orderId: 17, status: 'placed', lines: [{ petId: 7, quantity: 2 }] },
    actor: { keyId: null, name: 'cli' },
  };
  const body = JSON.stringify({ id, type: 'order.placed', timestamp: '2026-07-01T12:00:30.000Z', data });
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  };
  return { method: 'POST', headers, body };
}

test('prints signed messages, marks repeated ones, and refuses others', async (t) => {
  const petstore = petstoreOf(t, undefined, { env: { PETSTORE_WEBHOOK_SECRET: SECRET } });
  let url = '';
  const ended = petstore.run('webhooks listen --port 0 --count 3', {
    onOutput: (text) => {
      url ||= LISTENING.exec(text)?.[1] ?? '';
    },
  });
  await until(() => url !== '', 'it listens');
  const send = async (init: RequestInit) => (await fetch(url, init)).status;
  assert.equal(await send(messageOf('1.0-a', OTHER)), 401);
  assert.equal(await send(messageOf('1.0-a', SECRET, new Date(Date.now() - 600_000))), 401);
  assert.equal(await send({ method: 'GET' }), 405);
  assert.equal(await send({ method: 'POST', body: 'x'.repeat(1_000_001) }), 413);
  assert.equal(await send(messageOf('1.0-a')), 204);
  assert.equal(await send(messageOf('1.0-a')), 204);
  assert.equal(await send(messageOf('2.0-b')), 204);
  const { code, stdout, stderr } = await ended;
  assert.equal(code, 0);
  const line = 'order.placed  12:00:30  order 17  placed  7=2';
  assert.equal(stdout, `${line}  1.0-a\n${line}  1.0-a  delivered again\n${line}  2.0-b\n`);
  assert.equal(stderr.match(/not to be trusted/g)?.length, 2);
  await assert.rejects(fetch(url), 'it listens no more');
});

test('--count takes exactly so many, also while a slow reader has not read them', async (t) => {
  const petstore = petstoreOf(t, undefined, { env: { PETSTORE_WEBHOOK_SECRET: SECRET } });
  let url = '';
  let read = () => {};
  const readAfter = new Promise<void>((resolve) => {
    read = resolve;
  });
  const ended = petstore.run('webhooks listen --port 0 --count 3', {
    readAfter,
    onOutput: (text) => {
      url ||= LISTENING.exec(text)?.[1] ?? '';
    },
  });
  await until(() => url !== '', 'it listens');
  const statuses: (readonly [id: string, status: number])[] = [];
  const sent = Array.from({ length: 8 }, async (_, i) => {
    const { status } = await fetch(url, messageOf(`${i}.0-a`));
    statuses.push([`${i}.0-a`, status]);
  });
  await until(() => statuses.length === 5, 'the others are answered');
  read();
  await Promise.all(sent);
  const { code, stdout } = await ended;
  assert.equal(code, 0);
  assert.deepEqual(
    statuses.map(([, status]) => status),
    [503, 503, 503, 503, 503, 204, 204, 204],
  );
  const taken = statuses.flatMap(([id, status]) => (status === 204 ? [id] : []));
  const printed = [...stdout.matchAll(/^order\.placed .* (\S+)$/gm)].map(([, id]) => id);
  assert.deepEqual(printed.toSorted(), taken.toSorted());
});

test('a wrong secret, a used port and a missing scope are explained', async (t) => {
  const petstore = petstoreOf(t, undefined, { env: { PETSTORE_WEBHOOK_SECRET: 'secret' } });
  assert.match((await petstore.run('webhooks listen')).stderr, /must be a secret such as whsec_/);
  const app = await startApp(t, { pets: [petRow(7n, 5)] });
  const { key } = await app.makeKey({ scopes: ['inventory:read'] });
  const reader = petstoreOf(t, { ...app, key });
  const refused = await reader.run('webhooks listen --port 0 --url https://hooks.example.com');
  assert.equal(refused.code, 5);
  assert.match(refused.stderr, /webhooks:manage.*PETSTORE_WEBHOOK_SECRET/);
  const local = await petstoreOf(t, app).run('webhooks listen --port 0 --url http://127.0.0.1:9000');
  assert.equal(local.code, 2);
  assert.match(local.stderr, /only to public addresses by https/);
});

test('makes an endpoint, prints its events, and removes it at Ctrl-C', async (t) => {
  const env = { PETSTORE_WEBHOOK_NETWORKS: '127.0.0.1' };
  const pets = [{ petId: 9007199254740993n, quantity: 5 }];
  const { url, key } = await startService(t, { env, pets });
  const petstore = petstoreOf(t, undefined, { env: { PETSTORE_URL: url, PETSTORE_API_KEY: key } });
  const port = await freePort();
  const line = `webhooks listen --port ${port} --url http://127.0.0.1:${port}/hooks`;
  let output = '';
  const interruption = new AbortController();
  const ended = petstore.run(`${line} --json`, {
    signal: interruption.signal,
    onOutput: (text) => {
      output += text;
    },
  });
  await until(() => output.includes('The test message arrived.'), 'the test message arrives');
  await petstore.text('adjust 9007199254740993 -1 --reason sold');
  await until(() => output.includes('"inventory.changed"'), 'the event arrives');
  interruption.abort();
  const { code, stdout, stderr } = await ended;
  assert.equal(code, 130);
  assert.match(stdout, /^\{"id":".*"petId":9007199254740993,.*\}\n$/);
  assert.match(stderr, /Made the endpoint (whe_\w+) [\s\S]*Removed the endpoint \1\.\n$/);

  const unreachable = await petstore.run(`webhooks listen --port 0 --url http://127.0.0.1:${port}/`);
  assert.equal(unreachable.code, 7);
  assert.match(unreachable.stderr, /Removed the endpoint[\s\S]*A test message did not arrive at/);
  const headers = { Authorization: `Bearer ${key}` };
  assert.deepEqual(await (await fetch(`${url}/v1/webhook-endpoints`, { headers })).json(), []);
});

test('removes the endpoint when it is terminated, and when nothing reads its output', async (t) => {
  if (isSkippedDaily(t)) return;
  const env = { PETSTORE_WEBHOOK_NETWORKS: '127.0.0.1' };
  const { url, key } = await startService(t, { env, pets: [{ petId: 7n, quantity: 5 }] });
  const own = { ...machineEnvironment(), PETSTORE_URL: url, PETSTORE_API_KEY: key };
  const petstore = petstoreOf(t, undefined, { env: own });
  const headers = { Authorization: `Bearer ${key}` };
  for (const [end, code] of [
    ['terminate', 130],
    ['close the pipe', 0],
  ] as const) {
    const port = await freePort();
    const words = ['webhooks', 'listen', '--port', `${port}`, '--url', `http://127.0.0.1:${port}/hooks`];
    const child = spawn(process.execPath, [PETSTORE, ...words], { env: own });
    t.after(() => child.kill('SIGKILL'));
    const exit = once(child, 'exit');
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    await until(() => output.includes('The test message arrived.'), 'the test message arrives');
    if (end === 'terminate') child.kill('SIGTERM');
    else {
      child.stdout.destroy();
      await petstore.text('adjust 7 -1 --reason sold');
    }
    assert.deepEqual(await exit, [code, null], end);
    assert.deepEqual(await (await fetch(`${url}/v1/webhook-endpoints`, { headers })).json(), [], end);
  }
});

/** A port that nothing uses now. */
async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
