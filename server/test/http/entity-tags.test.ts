import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, startApp, type TestApp } from '../support/harness.ts';
import { petRow, petRows } from '../support/pet-rows.ts';
import { update } from '../support/stock-requests.ts';

/** Every read, by its target; those of which the representation has a tag. */
const TAGGED = [
  '/v1/inventory',
  '/v1/inventory?limit=2',
  '/v1/inventory?status=available',
  '/v1/inventory/7',
];
const TAGLESS = [
  '/v1/inventory/7/movements',
  '/v1/movements',
  '/v1/movements/1',
  '/v1/store/inventory',
  '/v1/ledger/audit',
  '/v1/pets/7',
  '/v1/rate-limit',
];

function shop(t: Parameters<typeof startApp>[0]): Promise<TestApp> {
  return startApp(t, { pets: [petRow(7n, 10), petRow(8n, 5)] });
}

function outcome({ status, code }: Answer): unknown {
  return code === undefined ? status : [status, code];
}

for (const target of [...TAGGED, ...TAGLESS]) {
  test(`GET and HEAD ${target} answer 412 to an If-Match that does not name the present state`, async (t) => {
    const { request } = await shop(t);
    for (const method of ['GET', 'HEAD']) {
      const requestWith = (headers: Record<string, string>) => request(method, target, { headers });
      const tag = (await requestWith({})).headers.get('ETag');
      assert.equal(tag !== null, TAGGED.includes(target));
      const refused = ['"x"', 'W/"x"', '"x", "y"', ...(tag === null ? [] : [`W/${tag}`])];
      for (const value of refused) {
        const answer = await requestWith({ 'If-Match': value });
        assert.equal(answer.status, 412, `${method} ${value}`);
        if (method === 'GET') assert.equal(answer.code, 'precondition_failed');
        assert.equal(
          (await requestWith({ 'If-Match': value, 'If-None-Match': '*' })).status,
          412,
          'If-Match is first',
        );
      }
      for (const value of ['*', ...(tag === null ? [] : [tag, `"x",, ${tag}`])]) {
        assert.equal((await requestWith({ 'If-Match': value })).status, 200, `${method} ${value}`);
        assert.equal((await requestWith({ 'If-Match': value, 'If-None-Match': '*' })).status, 304);
      }
      assert.equal((await requestWith({ 'If-None-Match': '*' })).status, 304);
      assert.equal((await requestWith({ 'If-None-Match': '"x"' })).status, 200);
      assert.equal((await requestWith({ 'If-Match': 'x' })).status, 400);
    }
  });
}

test('a list that is compressed matches by either tag', async (t) => {
  const { request } = await startApp(t, { pets: petRows(100) });
  const plain = (await request('GET', '/v1/inventory')).headers.get('ETag') as string;
  const zipped = await request('GET', '/v1/inventory', { headers: { 'Accept-Encoding': 'gzip' } });
  assert.equal(zipped.headers.get('Content-Encoding'), 'gzip');
  for (const tag of [plain, zipped.headers.get('ETag') as string]) {
    const headers = { 'Accept-Encoding': 'gzip', 'If-Match': tag };
    assert.equal((await request('GET', '/v1/inventory', { headers })).status, 200, tag);
  }
});

test('a request that fails without conditions fails the same with them', async (t) => {
  const { request } = await shop(t);
  const headers = { 'If-Match': '"x"', 'If-None-Match': '*' };
  assert.deepEqual(outcome(await request('GET', '/v1/inventory/9', { headers })), [404, 'not_found']);
  assert.deepEqual(outcome(await request('GET', '/v1/inventory?limit=0', { headers })), [
    400,
    'invalid_parameter',
  ]);
  assert.deepEqual(outcome(await request('GET', '/v1/nothing', { headers })), [404, 'route_not_found']);
  const options = await request('OPTIONS', '/v1/inventory', { headers });
  assert.equal(options.status, 204, 'OPTIONS has no conditions');
});

test('a stream that is not wanted gives its place back', async (t) => {
  const { request, app } = await startApp(t, { config: { PETSTORE_MAX_STREAMS: '1' } });
  for (const headers of [{ 'If-Match': '"x"' }, { 'If-None-Match': '*' }, { 'If-Match': '"y"' }]) {
    const { status } = await request('GET', '/v1/movements/stream', { headers });
    assert.equal(status, 'If-Match' in headers ? 412 : 304);
  }
  app.startDraining();
});

test('a list of the past that has been changed since keeps its tag', async (t) => {
  const app = await shop(t);
  const target = '/v1/inventory?atSequence=2';
  const tag = (await app.request('GET', target)).headers.get('ETag') as string;
  await update(app, 7, { quantity: 1 });
  assert.equal((await app.request('GET', target, { headers: { 'If-Match': tag } })).status, 200);
  const now = await app.request('GET', '/v1/inventory?status=available', { headers: { 'If-Match': tag } });
  assert.equal(now.status, 412);
});
