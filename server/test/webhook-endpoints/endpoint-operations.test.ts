import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { CLI_AUTHOR } from '../../src/domain/management/activity.ts';
import { EVENT_TYPES } from '../../src/domain/webhooks/events.ts';
import { parseNetworks } from '../../src/webhooks/delivery/addresses.ts';
import { signatureHeader, signingKey } from '../../src/webhooks/delivery/signature.ts';
import { TestSender } from '../../src/webhooks/test-sender.ts';
import { WebhookService } from '../../src/webhooks/webhook-service.ts';
import { type Answer, type Sending, startApp, type TestApp } from '../support/harness.ts';
import { petRows } from '../support/pet-rows.ts';
import { until } from '../support/until.ts';
import { startReceiver } from '../webhooks/receiver.ts';

const PATH = '/v1/webhook-endpoints';
const URL_TEXT = 'https://shop.example/hooks?x=1';

interface Shown extends Record<string, unknown> {
  readonly id: string;
  readonly version: number;
}

function post(app: TestApp, body: object | string, sending: Sending = {}): Promise<Answer> {
  return app.request('POST', PATH, {
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...sending,
  });
}

async function make(
  app: TestApp,
  members: object = {},
): Promise<{ endpoint: Shown; secret: string; path: string }> {
  const answer = await post(app, { url: URL_TEXT, ...members });
  assert.equal(answer.status, 201, answer.text);
  const { endpoint, secret } = answer.json as { endpoint: Shown; secret: string };
  return { endpoint, secret, path: `${PATH}/${endpoint.id}` };
}

async function start(t: TestContext, config = {}): Promise<TestApp> {
  return startApp(t, { pets: petRows(3), config });
}

test('an endpoint is made, shown without its secret, listed and deleted', async (t) => {
  const app = await start(t);
  const made = await post(app, {
    url: URL_TEXT,
    types: ['order.placed'],
    petIds: [3, 1],
    statuses: ['sold'],
  });
  assert.equal(made.status, 201);
  assert.equal(made.headers.get('Cache-Control'), 'no-store');
  const { endpoint, secret } = made.json as { endpoint: Shown; secret: string };
  assert.match(secret, /^whsec_/);
  const path = `${PATH}/${endpoint.id}`;
  assert.equal(made.headers.get('Location'), `${app.config.baseUrl.replace(/\/v1$/, '')}${path}`);
  const shown = await app.request('GET', path);
  assert.equal(shown.status, 200);
  assert.deepEqual(shown.json, endpoint);
  assert.doesNotMatch(shown.text, /whsec_/);
  assert.deepEqual([endpoint.url, endpoint.types, endpoint.statuses], [URL_TEXT, ['order.placed'], ['sold']]);
  assert.match(shown.text, /"petIds":\[1,3\]/);
  assert.equal(endpoint.lastEventId, '3.1');
  assert.deepEqual((await app.request('GET', PATH)).json, [endpoint]);
  const deleted = await app.request('DELETE', path);
  assert.deepEqual([deleted.status, deleted.text], [204, '']);
  for (const again of [await app.request('DELETE', path), await app.request('GET', path)]) {
    assert.deepEqual([again.status, again.code], [404, 'not_found']);
  }
  assert.deepEqual((await app.request('GET', PATH)).json, []);
});

test('every petId is exact, from the body to the list', async (t) => {
  const app = await start(t);
  const petIds = '[-9223372036854775808,9007199254740993,9223372036854775807]';
  const made = await post(app, `{"url":"${URL_TEXT}","petIds":${petIds}}`);
  assert.ok(made.text.includes(`"petIds":${petIds}`), made.text);
  assert.ok((await app.request('GET', PATH)).text.includes(`"petIds":${petIds}`));
});

test('an endpoint of another account is not found by any operation', async (t) => {
  const app = await start(t);
  const { endpoint, path } = await make(app);
  const accountId = await app.makeAccount();
  const { key } = await app.makeKey({ accountId });
  const requests: readonly [string, string, Sending?][] = [
    ['GET', ''],
    ['PATCH', '', { body: '{"description":"x"}' }],
    ['DELETE', ''],
    ['POST', '/rotate'],
    ['POST', '/pause'],
    ['POST', '/resume'],
    ['POST', '/test'],
    ['POST', '/replay?after=0.0'],
    ['GET', '/deliveries'],
  ];
  for (const [method, suffix, sending] of requests) {
    const answer = await app.request(method, path + suffix, { key, ...sending });
    assert.deepEqual([answer.status, answer.code], [404, 'not_found'], method + suffix);
  }
  assert.deepEqual((await app.request('GET', PATH, { key })).json, []);
  assert.deepEqual((await app.request('GET', path)).json, endpoint);
});

test('a change sets the given members, and null removes a filter', async (t) => {
  const app = await start(t);
  const { endpoint, path } = await make(app, { types: ['inventory.low'], petIds: [1], description: 'a' });
  const patch = (body: object, type = 'application/json') =>
    app.request('PATCH', path, { body: JSON.stringify(body), headers: { 'Content-Type': type } });
  const changed = await patch({ petIds: null, description: null }, 'application/merge-patch+json');
  assert.equal(changed.status, 200, changed.text);
  const { updatedAt } = changed.json as Shown;
  assert.deepEqual(changed.json, { ...endpoint, petIds: null, description: null, version: 2, updatedAt });
  assert.equal((await patch({ url: 'https://127.0.0.1/' })).code, 'validation_failed');
  assert.equal((await patch({ secret: 'whsec_x' })).code, 'validation_failed');
  assert.deepEqual((await app.request('GET', path)).json, changed.json);
});

test('pause, resume, rotate and replay can be sent again', async (t) => {
  const app = await start(t);
  const { secret, path } = await make(app);
  const send = async (suffix: string, body?: string) => {
    const answer = await app.request('POST', path + suffix, body === undefined ? {} : { body });
    assert.equal(answer.status, 200, answer.text);
    return answer.json as Shown;
  };
  const paused = await send('/pause');
  assert.equal(paused.pauseReason, 'requested');
  assert.deepEqual(await send('/pause', '{}'), paused);
  const resumed = await send('/resume');
  assert.equal(resumed.pausedAt, null);
  assert.deepEqual(await send('/resume'), resumed);
  const rotated = await send('/rotate', '{"overlapSeconds":60}');
  assert.match(String(rotated.secret), /^whsec_/);
  assert.notEqual(rotated.secret, secret);
  const { previousSecretExpiresAt, updatedAt } = rotated.endpoint as Shown;
  assert.equal(Date.parse(String(previousSecretExpiresAt)) - Date.parse(String(updatedAt)), 60_000);
  const again = await app.request('POST', `${path}/rotate`);
  assert.deepEqual(
    [again.status, again.code],
    [409, 'conflict'],
    'the receiver may still have the old secret',
  );
  assert.match(
    again.text,
    new RegExp(`signs until ${previousSecretExpiresAt}.* with an overlap of 0 seconds`),
  );
  assert.deepEqual((await app.request('GET', path)).json, rotated.endpoint);
  for (const _time of [1, 2]) {
    const ended = await send('/rotate', '{"overlapSeconds":0}');
    assert.equal((ended.endpoint as Shown).previousSecretExpiresAt, null);
    assert.notEqual(ended.secret, rotated.secret);
  }
  for (const _time of [1, 2]) assert.equal((await send('/replay?after=1.0')).lastEventId, '1.0');
});

test('a replay after an unknown or a pruned event is refused', async (t) => {
  const app = await start(t);
  const { path } = await make(app);
  const replay = async (query: string) => {
    const { status, code } = await app.request('POST', `${path}/replay${query}`);
    return [status, code];
  };
  for (const query of [
    '',
    '?after=',
    '?after=1',
    '?after=1.0.0',
    '?after=1.0-',
    '?after=1.0-1A2B3C4D',
    '?after=1.0-1a2b3c4d5',
    '?after=-1.0',
    '?after=1.0&after=2.0',
    '?to=1.0',
  ]) {
    assert.deepEqual(await replay(query), [400, 'invalid_parameter'], query);
  }
  assert.deepEqual(await replay('?after=99999999999999999999.0'), [400, 'invalid_parameter']);
  assert.deepEqual(await replay('?after=4.0'), [400, 'validation_failed']);
  assert.deepEqual(await replay('?after=1.0-1a2b3c4d'), [400, 'validation_failed']);
  await app.admin.importPets([{ ...petRows(1)[0]!, quantity: 77 }], 'test');
  await app.admin.pruneMovements((await app.admin.now()) + 1, CLI_AUTHOR);
  assert.deepEqual(await replay('?after=0.0'), [410, 'history_pruned']);
});

test('a body that is not valid is refused by the name of its member', async (t) => {
  const app = await start(t);
  const url = URL_TEXT;
  const manyIds = Array.from({ length: 1_001 }, (_, i) => i);
  const bodies: readonly [object | string, RegExp][] = [
    [{}, /^url is required/],
    [{ url: 1 }, /^url must be/],
    [{ url: '' }, /^url/],
    [{ url: 'shop.example' }, /^url: /],
    [{ url: 'ftp://shop.example/' }, /^url: /],
    [{ url: 'http://shop.example/' }, /^url: .*https/],
    [{ url: 'https://user:secret@shop.example/' }, /^url: .*user name/],
    [{ url: `https://shop.example/${'x'.repeat(2_100)}` }, /^url must be/],
    [{ url: 'https://shop.example/{id}' }, /^url must be/],
    [`{"url":"https://shop.example/\\ud800"}`, /^url must be/],
    [{ url: 'https://localhost/' }, /^url: /],
    [{ url: 'https://[::1]/' }, /^url: /],
    [{ url: 'https://[::ffff:10.0.0.1]/' }, /^url: /],
    [{ url: 'https://0x7f.1/' }, /^url: /],
    [{ url: 'https://169.254.169.254/latest' }, /^url: /],
    [{ url, types: [] }, /^types must be/],
    [{ url, types: ['inventory.low', 'inventory.low'] }, /^types must be/],
    [{ url, types: ['inventory.huge'] }, /^types\[0\] must be one of/],
    [{ url, types: 'inventory.low' }, /^types must be/],
    [{ url, petIds: [] }, /^petIds must be/],
    [{ url, petIds: [1, 2, 1] }, /^petIds must be/],
    [{ url, petIds: ['1'] }, /^petIds\[0\] is the text "1"; send 1 without quotes/],
    [`{"url":"${url}","petIds":[1.5]}`, /^petIds\[0\] must be a 64-bit integer/],
    [`{"url":"${url}","petIds":[9223372036854775808]}`, /^petIds\[0\] must be a 64-bit integer/],
    [{ url, petIds: manyIds }, /more than 1000 elements/],
    [{ url, statuses: ['gone'] }, /^statuses\[0\] must be one of/],
    [{ url, description: 'x'.repeat(201) }, /^description must be/],
    [{ url, description: 'a\0b' }, /^description must be/],
    [`{"url":"${url}","description":"\\udfff"}`, /^description must be/],
    [{ url, accountId: 'acc_x' }, /^accountId is not a member/],
    [[], /^The body must be/],
  ];
  for (const [body, message] of bodies) {
    const answer = await post(app, body);
    assert.deepEqual([answer.status, answer.code], [400, 'validation_failed'], answer.text);
    assert.match((answer.json as { message: string }).message, message);
  }
  assert.equal((await post(app, '{')).code, 'malformed_json');
  assert.equal((await post(app, `{"url":"${url}","description":"${'x'.repeat(70_000)}"}`)).status, 413);
  assert.deepEqual((await app.request('GET', PATH)).json, []);
  const { path } = await make(app);
  for (const overlapSeconds of [-1, 1.5, 604_801, 'a minute', null]) {
    const answer = await app.request('POST', `${path}/rotate`, { body: JSON.stringify({ overlapSeconds }) });
    assert.equal(answer.code, 'validation_failed');
    assert.match(answer.text, /overlapSeconds must be/);
  }
  for (const id of ['x', 'whe_', `whe_${'0'.repeat(17)}`, "whe_000000000000000'", '%00', '..%2f']) {
    assert.equal((await app.request('GET', `${PATH}/${id}`)).code, 'invalid_parameter', id);
  }
});

test('the longest valid endpoint is accepted: every type and 1,000 petIds', async (t) => {
  const app = await start(t);
  const petIds = Array.from({ length: 1_000 }, (_, i) => `${-9_223_372_036_854_775_808n + BigInt(i)}`);
  const url = `https://shop.example/${'x'.repeat(2_048 - 'https://shop.example/'.length)}`;
  const members = { url, types: EVENT_TYPES, description: '\u{1f431}'.repeat(100) };
  const answer = await post(app, `${JSON.stringify(members).slice(0, -1)},"petIds":[${petIds.join(', ')}]}`);
  assert.equal(answer.status, 201, answer.text.slice(0, 300));
});

test('an account has at most PETSTORE_MAX_WEBHOOK_ENDPOINTS endpoints, also with concurrent requests', async (t) => {
  const app = await start(t, { PETSTORE_MAX_WEBHOOK_ENDPOINTS: '3' });
  const answers = await Promise.all(Array.from({ length: 8 }, () => post(app, { url: URL_TEXT })));
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 201, 201, 409, 409, 409, 409, 409]);
  assert.equal(answers.find(({ status }) => status === 409)?.code, 'conflict');
});

test('the author of a change is the key of the request', async (t) => {
  const app = await start(t);
  const made = await post(app, { url: URL_TEXT });
  const [entry] = await app.admin.activity.list({ action: 'webhooks.create', limit: 10 });
  assert.equal(entry?.actor, app.principal.key.id);
  assert.equal(entry.requestId, made.headers.get('X-Request-Id'));
});

test('the sender of the instance hears of each change, and of no refusal', async (t) => {
  const { mock: wake } = t.mock.method(WebhookService.prototype, 'wake', () => {});
  const app = await start(t);
  const { path } = await make(app);
  assert.equal(wake.callCount(), 1);
  for (const [i, [method, suffix, body]] of (
    [
      ['PATCH', '', '{"description":"x"}'],
      ['POST', '/rotate'],
      ['POST', '/pause'],
      ['POST', '/resume'],
      ['POST', '/replay?after=0.0'],
      ['DELETE', ''],
    ] as const
  ).entries()) {
    await app.request(method, path + suffix, body === undefined ? {} : { body });
    assert.equal(wake.callCount(), i + 2, method + suffix);
  }
  assert.equal((await app.request('DELETE', path)).status, 404);
  assert.equal(wake.callCount(), 7);
});

test('a test is sent to an allowed network, logged, and returned', async (t) => {
  const received: string[] = [];
  const receiver = createServer((request, response) => {
    received.push(String(request.headers['webhook-signature']));
    request.resume().on('end', () => response.writeHead(503).end('later'));
  });
  await new Promise<void>((resolve) => {
    receiver.listen(0, '127.0.0.1', resolve);
  });
  t.after(() => receiver.close());
  const app = await start(t, { PETSTORE_WEBHOOK_NETWORKS: '127.0.0.0/8' });
  const { port } = receiver.address() as AddressInfo;
  const { path } = await make(app, { url: `http://127.0.0.1:${port}/` });
  const answer = await app.request('POST', `${path}/test`);
  assert.equal(answer.status, 200, answer.text);
  const attempt = answer.json as Shown;
  assert.deepEqual(
    [attempt.eventType, attempt.statusCode, attempt.response, attempt.number],
    ['webhook.test', 503, 'later', 1],
  );
  assert.match(String(attempt.error), /503/);
  assert.deepEqual((await app.request('GET', `${path}/deliveries`)).json, [attempt]);
  assert.equal(received.length, 1);
  assert.match(received[0] ?? '', /^v1,[A-Za-z0-9+/]{43}=$/);
});

test('a failed attempt is described within the length of its schema, whatever the host', async (t) => {
  const app = await start(t);
  const { path } = await make(app, { url: `https://${Array(31).fill('a'.repeat(63)).join('.')}/` });
  const answer = await app.request('POST', `${path}/test`);
  assert.equal(answer.status, 200, answer.text);
  const { error } = answer.json as { error: string };
  assert.match(error, /^The name aaa/);
  assert.equal(error.length, 500);
  assert.deepEqual((await app.request('GET', `${path}/deliveries`)).json, [answer.json]);
});

const secretOf = (text: string) => `whsec_${Buffer.alloc(32, text).toString('base64')}`;

test('a test that waits for others is signed with the secrets of the moment when it is sent', async (t) => {
  const tests = new TestSender(parseNetworks(['127.0.0.0/8']), '1.0.0', Date.now);
  t.after(() => tests.close());
  const held: (() => void)[] = [];
  const receiver = await startReceiver(t, (response, { path }) => {
    if (path === '/hangs') held.push(() => response.writeHead(204).end());
    else response.writeHead(204).end();
  });
  const endpoint = { url: `${receiver.url}/hangs` };
  // All places, of 16 accounts with their maximum.
  const hanging = Array.from({ length: 256 }, (_, i) =>
    tests.send({ id: 'whe_0000000000000000', accountId: `acc_${i % 16}` }, () =>
      Promise.resolve({ endpoint, secrets: [secretOf('one')] }),
    ),
  );
  await until(() => held.length === 256, 'all places are taken');
  let now = { endpoint: { url: `${receiver.url}/old` }, secrets: [secretOf('old')] };
  const waiting = tests.send({ id: 'whe_1111111111111111', accountId: 'acc_16' }, () => Promise.resolve(now));
  // It was rotated with an overlap of 0 seconds, and moved.
  now = { endpoint: { url: `${receiver.url}/new` }, secrets: [secretOf('new')] };
  held.shift()?.();
  assert.equal((await waiting).error, null);
  const [message] = receiver.messages().filter(({ path }) => path !== '/hangs');
  assert.ok(message);
  assert.equal(message.path, '/new');
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = message.headers;
  assert.equal(
    signature,
    signatureHeader([signingKey(secretOf('new'))], String(id), Number(at), message.body),
  );
  for (const answer of held) answer();
  await Promise.all(hanging);
});

test('an account that has the maximum of tests in progress takes no place of another account', async (t) => {
  const tests = new TestSender(parseNetworks(['127.0.0.0/8']), '1.0.0', Date.now);
  t.after(() => tests.close());
  const held: (() => void)[] = [];
  const receiver = await startReceiver(t, (response, message) => {
    if (message.path === '/hangs') held.push(() => response.writeHead(204).end());
    else response.writeHead(204).end();
  });
  const send = (accountId: string, path: string) =>
    tests.send({ id: 'whe_0000000000000000', accountId }, () =>
      Promise.resolve({ endpoint: { url: receiver.url + path }, secrets: [secretOf('one')] }),
    );
  const sendHanging = () => send('acc_one', '/hangs');
  const hanging = Array.from({ length: 16 }, sendHanging);
  await assert.rejects(sendHanging(), { code: 'conflict', message: /16 test messages in progress/ });
  assert.equal((await send('acc_two', '/')).error, null);
  await until(() => held.length === hanging.length, 'all tests of the first account');
  for (const answer of held) answer();
  for (const { error } of await Promise.all(hanging)) assert.equal(error, null);
  assert.equal((await send('acc_one', '/')).error, null, 'its places are free again');
});
