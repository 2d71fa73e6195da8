import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { startService } from '../../../server/test/blackbox/service.ts';
import { EVENT_TYPES } from '../../../server/src/domain/webhooks/events.ts';
import { until } from '../../../server/test/support/until.ts';
import { PetstoreClient, verifyWebhook, type WebhookEvent } from '../../src/index.ts';
import { petstoreOf } from './support/petstore.ts';
import { isSkippedDaily } from '../../../server/test/support/long-test.ts';

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const ENV = { PETSTORE_WEBHOOK_SECRET: SECRET };

/** A receiver that answers as `listener` does. */
async function receive(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  t.after(() => server.close().closeAllConnections());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
}

interface Arrived {
  readonly request: IncomingMessage;
  readonly body: Buffer;
}

/** A receiver that takes everything. */
async function collect(t: TestContext): Promise<{ url: string; arrived: Arrived[] }> {
  const arrived: Arrived[] = [];
  const url = await receive(t, (request, response) => {
    void buffer(request).then((body) => {
      arrived.push({ request, body });
      response.writeHead(204).end();
    });
  });
  return { url, arrived };
}

const eventOf = ({ request, body }: Arrived): Promise<WebhookEvent> =>
  verifyWebhook({ body, headers: request.headers, secret: SECRET, nowMs: Date.now() });

test('sends a signed event of each type, with the present time and a new id', async (t) => {
  const { url, arrived } = await collect(t);
  const petstore = petstoreOf(t, undefined, { env: ENV, fetch });
  for (const type of [...EVENT_TYPES, 'webhook.test']) {
    const { code, stdout, stderr } = await petstore.run(`trigger ${type} --url ${url}`);
    assert.equal(code, 0, stderr);
    assert.match(stdout, new RegExp(`^${type} \\S+ was taken: 204 in \\d+ ms\\n$`));
    const event = await eventOf(arrived.at(-1) as Arrived);
    assert.equal(event.type, type);
    assert.ok(stdout.includes(event.id));
    assert.ok(Math.abs(Date.parse(event.timestamp) - Date.now()) < 60_000);
    const times = JSON.stringify(event.data, (_name, value) =>
      typeof value === 'bigint' ? `${value}` : value,
    );
    for (const [time] of times.matchAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g))
      assert.ok(Math.abs(Date.parse(time) - Date.now()) <= 86_400_000, `${type}: ${time}`);
  }
  const ids = arrived.map(({ request }) => request.headers['webhook-id']);
  assert.equal(new Set(ids).size, EVENT_TYPES.length + 1);
});

test('sends the pet and the id that are chosen, and reports the message as JSON', async (t) => {
  const { url, arrived } = await collect(t);
  const petstore = petstoreOf(t, undefined, { env: ENV, fetch });
  for (const type of ['inventory.low', 'order.placed']) {
    const line = `trigger ${type} --url ${url} --pet 9007199254740993 --id 7.1-ab --json`;
    const { body, ...result } = await petstore.json(line);
    assert.deepEqual(
      { ...result, durationMs: 0 },
      { id: '7.1-ab', type, url, statusCode: 204, durationMs: 0, response: '' },
    );
    assert.equal(arrived.at(-1)?.body.toString(), body);
    assert.match(String(body), /"petId":9007199254740993,/);
    assert.equal((await eventOf(arrived.at(-1) as Arrived)).id, '7.1-ab');
  }
});

test('an event has the headers and the members of one that the service sends', async (t) => {
  if (isSkippedDaily(t)) return;
  const { url, arrived } = await collect(t);
  const service = await startService(t, {
    env: { PETSTORE_WEBHOOK_NETWORKS: '127.0.0.1' },
    pets: [{ petId: 7n, quantity: 5 }],
  });
  const client = new PetstoreClient({ baseUrl: service.url, apiKey: service.key });
  const { endpoint } = await client.createWebhookEndpoint({ url });
  await client.adjustInventory(7, { delta: -1, reason: 'sold' });
  await client.placeOrder({ lines: [{ petId: 7, quantity: 1 }] });
  await client.testWebhookEndpoint(endpoint.id);
  const typeOf = ({ body }: Arrived) => (JSON.parse(body.toString()) as { readonly type: string }).type;
  const types = ['inventory.changed', 'order.placed', 'webhook.test'];
  await until(() => types.every((type) => arrived.some((one) => typeOf(one) === type)), 'the events arrive');
  const real = types.map((type) => arrived.find((one) => typeOf(one) === type) as Arrived);
  const petstore = petstoreOf(t, undefined, { env: ENV, fetch });
  for (const [i, type] of types.entries()) {
    await petstore.text(`trigger ${type} --url ${url}`);
    const [sent, expected] = [arrived.at(-1), real[i]] as [Arrived, Arrived];
    assert.equal(
      shapeOf(JSON.parse(sent.body.toString())),
      shapeOf(JSON.parse(expected.body.toString())),
      type,
    );
    for (const name of Object.keys(expected.request.headers).filter((one) => one !== 'connection'))
      assert.ok(name in sent.request.headers, name);
    for (const name of ['content-type', 'user-agent'])
      assert.equal(sent.request.headers[name], expected.request.headers[name]);
    for (const name of ['webhook-timestamp', 'webhook-signature']) {
      const form = (one: Arrived) => String(one.request.headers[name]).replaceAll(/[^,]/g, 'x');
      assert.equal(form(sent), form(expected), name);
    }
  }
});

/** The names of all members, in their order. */
function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.slice(0, 1).map(shapeOf).join()}]`;
  if (typeof value !== 'object' || value === null) return '';
  return `{${Object.entries(value)
    .map(([name, one]) => `${name}:${shapeOf(one)}`)
    .join()}}`;
}

test('a receiver that refuses, redirects, hangs up or sends without end is explained', async (t) => {
  const petstore = petstoreOf(t, undefined, { env: ENV, fetch });
  const run = (url: string, more = '') => petstore.run(`trigger inventory.low --url ${url}${more}`);
  const refusing = await receive(
    t,
    (_request, response) => void response.writeHead(401).end('no\u001b[2J\u0007'),
  );
  const refused = await run(refusing);
  assert.deepEqual([refused.code, refused.stdout], [3, '']);
  assert.equal(
    refused.stderr,
    'error: The receiver answered 401: no\\u001b[2J\\u0007. Does it verify with the same secret? The service would send the event again.\n',
  );
  const asJson = await run(refusing, ' --json');
  assert.deepEqual([asJson.code, asJson.stderr], [3, '']);
  assert.equal((JSON.parse(asJson.stdout) as { statusCode: number }).statusCode, 401);

  let isFollowed = false;
  const target = await receive(t, (_request, response) => {
    isFollowed = true;
    response.end();
  });
  const redirecting = await receive(
    t,
    (_request, response) => void response.writeHead(307, { Location: target }).end(),
  );
  const redirected = await run(redirecting);
  assert.equal(redirected.code, 3);
  assert.match(redirected.stderr, /answered 307\. The service follows no redirect either/);
  assert.equal(isFollowed, false);

  const hangingUp = await receive(t, (request) => void request.socket.destroy());
  const broken = await run(hangingUp, ' --json');
  assert.equal(broken.code, 7);
  assert.match((JSON.parse(broken.stderr) as { error: string }).error, /did not take the event: /);

  const endless = await receive(t, (_request, response) => {
    const piece = Buffer.alloc(65_536, 'x');
    const more = () => response.destroyed || response.write(piece, () => setImmediate(more));
    more();
  });
  const { code, stdout } = await run(endless);
  assert.equal(code, 0);
  assert.ok(stdout.length < 1_200, 'the beginning of it');
});

test('what cannot be sent is refused, with what to do', async (t) => {
  const petstore = petstoreOf(t, undefined, { env: ENV, fetch });
  const cases: readonly (readonly [line: readonly string[], message: RegExp])[] = [
    [
      ['inventory.none', '--url', 'http://127.0.0.1:1'],
      /"inventory.none" is no type; give one of inventory\.changed,/,
    ],
    [['inventory.low'], /--url <url> is missing/],
    [['inventory.low', '--url', 'shop.example'], /give an address such as http:/],
    [['inventory.low', '--url', 'file:///etc/passwd'], /give an address such as http:/],
    [['inventory.low', '--url', 'http://a:b@127.0.0.1/'], /without a user name and a password/],
    [['inventory.low', '--url', 'http://127.0.0.1:1', '--id', 'a\r\nb'], /give up to 100 letters/],
    [
      ['inventory.low', '--url', 'http://127.0.0.1:1', '--pet', '9223372036854775808'],
      /a whole number of 64 bits/,
    ],
    [['inventory.low', '--url', 'http://127.0.0.1:1', '--secret', SECRET], /PETSTORE_WEBHOOK_SECRET/],
  ];
  for (const [words, message] of cases) {
    const { code, stderr } = await petstore.run(['trigger', ...words]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, message);
    assert.ok(!stderr.includes(SECRET));
  }
  const url = 'http://127.0.0.1:1';
  const without = await petstoreOf(t, undefined, { fetch }).run(`trigger inventory.low --url ${url}`);
  assert.deepEqual(
    [without.code, /Set PETSTORE_WEBHOOK_SECRET to the secret/.test(without.stderr)],
    [2, true],
  );
  const wrong = petstoreOf(t, undefined, { fetch, env: { PETSTORE_WEBHOOK_SECRET: 'whsec_\u001b' } });
  assert.match(
    (await wrong.run(`trigger inventory.low --url ${url}`)).stderr,
    /must be a secret such as whsec_/,
  );
});
