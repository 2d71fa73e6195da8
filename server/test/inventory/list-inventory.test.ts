import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { startApp } from '../support/harness.ts';
import { listJson, petRow, petRows } from '../support/pet-rows.ts';
import { fetchFrom } from '../support/web-exchange.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const LIST = '/v1/inventory';

test('200: the whole list, ascending by petId, with exactly the three fields of each item', async (t) => {
  const pets = [petRow(30n, 0, 'sold'), petRow(-7n, 2, 'pending'), petRow(4n, 9_007_199_254_740_991)];
  const { request } = await startApp(t, { pets });
  const { status, headers, text } = await request('GET', LIST);
  assert.equal(status, 200);
  assert.equal(
    text,
    '[{"petId":-7,"quantity":2,"status":"pending"},{"petId":4,"quantity":9007199254740991,"status":"available"},{"petId":30,"quantity":0,"status":"sold"}]',
  );
  assert.equal(headers.get('Cache-Control'), 'private, no-cache');
  assert.match(headers.get('Vary') ?? '', /Accept-Encoding/);
  assert.equal(headers.get('Content-Length'), String(text.length));
});

test('200: an empty shop is an empty array', async (t) => {
  const { request } = await startApp(t);
  const { status, text } = await request('GET', LIST);
  assert.deepEqual([status, text], [200, '[]']);
});

test('200: petIds keep every digit over the whole of int64', async (t) => {
  const petIds = [-(2n ** 63n), -(2n ** 53n) - 1n, 0n, 2n ** 53n + 1n, 2n ** 63n - 1n];
  const pets = petIds.map((petId) => petRow(petId));
  const { request } = await startApp(t, { pets });
  const { text } = await request('GET', LIST);
  assert.equal(text, listJson(pets));
});

for (const count of [0, 1, 100, 5_000, 20_000]) {
  test(`200: of ${count} pets, the gzip stream holds the same bytes as the plain answer`, async (t) => {
    if (count > 1_000 && isSkippedDaily(t)) return;
    const pets = petRows(count);
    const { request } = await startApp(t, { pets });
    const plain = await request('GET', LIST);
    assert.equal(plain.text, listJson(pets));
    const zipped = await request('GET', LIST, { headers: { 'Accept-Encoding': 'br, gzip;q=0.5' } });
    assert.equal(zipped.text, plain.text);

    const isWorthIt = plain.bytes.length >= 1_024;
    assert.equal(zipped.headers.get('Content-Encoding'), isWorthIt ? 'gzip' : null);
    if (!isWorthIt) return;
    assert.deepEqual(gunzipSync(zipped.bytes), plain.bytes);
    assert.ok(zipped.bytes.length < plain.bytes.length / 3, 'it is worth the work');
    // Other bytes, so another strong entity tag (RFC 9110 section 8.8.3.3).
    assert.notEqual(zipped.headers.get('ETag'), plain.headers.get('ETag'));
  });
}

test('200: gzip is only sent to clients that accept it', async (t) => {
  const { request } = await startApp(t, { pets: petRows(200) });
  const encodingFor = async (acceptEncoding: string) => {
    const { headers } = await request('GET', LIST, { headers: { 'Accept-Encoding': acceptEncoding } });
    return headers.get('Content-Encoding');
  };
  for (const accepted of ['gzip', 'GZIP', 'x-gzip', '*', 'identity;q=0.1, gzip;q=1', 'deflate, gzip']) {
    assert.equal(await encodingFor(accepted), 'gzip', accepted);
  }
  for (const accepted of ['gzip, identity', 'gzip;q=0.5, identity;q=0.5', 'gzip;q=0.1']) {
    assert.equal(await encodingFor(accepted), 'gzip', accepted);
  }
  for (const refused of ['', 'identity', 'br', 'gzip;q=0', '*;q=0', 'gzip;q=0, *', 'gzipped']) {
    assert.equal(await encodingFor(refused), null, refused);
  }
  for (const preferred of ['gzip;q=0.5, identity', 'identity;q=0.5, gzip;q=0.4', 'identity, *;q=0.1']) {
    assert.equal(await encodingFor(preferred), null, preferred);
  }
});

test('304: a client with these bytes does not get them again, for any notation of the tag', async (t) => {
  const { request } = await startApp(t, { pets: petRows(200) });
  const { headers } = await request('GET', LIST);
  const tag = headers.get('ETag') as string;
  assert.match(tag, /^"[^"]+"$/, 'the tag is a strong one');
  const zipped = await request('GET', LIST, { headers: { 'Accept-Encoding': 'gzip' } });
  const gzipTag = zipped.headers.get('ETag') as string;
  assert.notEqual(gzipTag, tag, 'other bytes have another tag');
  for (const sent of [tag, `W/${tag}`, '*', ` * `, `"other", ${tag}`, `W/"a",W/${tag} , "b"`]) {
    const answer = await request('GET', LIST, { headers: { 'If-None-Match': sent } });
    assert.equal(answer.status, 304, sent);
    assert.equal(answer.headers.get('ETag'), tag, sent);
    assert.equal(answer.headers.get('Cache-Control'), 'private, no-cache');
    assert.match(answer.headers.get('Vary') ?? '', /Accept-Encoding/);
  }
  for (const sent of [
    gzipTag,
    '"other"',
    tag.replaceAll('"', ''),
    `"${tag}"`,
    '"*"',
    '',
    `${tag.slice(0, -1)}`,
  ]) {
    const answer = await request('GET', LIST, { headers: { 'If-None-Match': sent } });
    assert.equal(answer.status, 200, sent);
  }
});

test('304: a client with the gzip bytes gets their tag', async (t) => {
  const { request } = await startApp(t, { pets: petRows(200) });
  const zipped = await request('GET', LIST, { headers: { 'Accept-Encoding': 'gzip' } });
  const tag = zipped.headers.get('ETag') as string;
  const again = await request('GET', LIST, { headers: { 'Accept-Encoding': 'gzip', 'If-None-Match': tag } });
  assert.deepEqual([again.status, again.headers.get('ETag')], [304, tag]);
});

test('304: a gzip form that another process made of the same list is as good', async (t) => {
  const { request } = await startApp(t, { pets: petRows(200) });
  const zipped = await request('GET', LIST, { headers: { 'Accept-Encoding': 'gzip' } });
  const own = zipped.headers.get('ETag') as string;
  const other = own.replace(/-[0-9a-z]+"$/, '-other"');
  const headers = { 'Accept-Encoding': 'gzip', 'If-None-Match': `"a", W/${other}` };
  const again = await request('GET', LIST, { headers });
  assert.deepEqual([again.status, again.headers.get('ETag')], [304, other]);
});

test('304 has the entity tag that 200 would have, also if the answer is never compressed', async (t) => {
  const { request } = await startApp(t, { pets: petRows(20) });
  for (const path of [LIST, `${LIST}?limit=20`]) {
    const headers = { 'Accept-Encoding': 'gzip' };
    const { headers: received } = await request('GET', path, { headers });
    const tag = received.get('ETag') as string;
    const again = await request('GET', path, { headers: { ...headers, 'If-None-Match': tag } });
    assert.deepEqual([again.status, again.headers.get('ETag')], [304, tag], path);
  }
});

test('400 precedes 304: an invalid request is also refused with a condition', async (t) => {
  const { request } = await startApp(t, { pets: petRows(20) });
  for (const query of ['limit=0', 'cursor=x', 'page=1']) {
    const { status } = await request('GET', `${LIST}?${query}`, { headers: { 'If-None-Match': '*' } });
    assert.equal(status, 400, query);
  }
});

test('304 ends with the next change, and an equal quantity is none', async (t) => {
  const { request } = await startApp(t, { pets: petRows(3) });
  const { headers } = await request('GET', LIST);
  const conditional = { headers: { 'If-None-Match': headers.get('ETag') as string } };
  await request('PATCH', '/v1/inventory/2', { body: '{"quantity":37}' });
  assert.equal((await request('GET', LIST, conditional)).status, 304);
  await request('PATCH', '/v1/inventory/2', { body: '{"quantity":38}' });
  const changed = await request('GET', LIST, conditional);
  assert.equal(changed.status, 200);
  assert.notEqual(changed.headers.get('ETag'), headers.get('ETag'));
});

test('a page has an entity tag too, which changes with every change', async (t) => {
  const { request } = await startApp(t, { pets: petRows(5) });
  const page = await request('GET', `${LIST}?limit=2`);
  const conditional = { headers: { 'If-None-Match': page.headers.get('ETag') as string } };
  assert.equal((await request('GET', `${LIST}?limit=2`, conditional)).status, 304);
  await request('PATCH', '/v1/inventory/5', { body: '{"quantity":777}' });
  assert.equal((await request('GET', `${LIST}?limit=2`, conditional)).status, 200);
});

test('HEAD has the headers of GET and no body', async (t) => {
  const { request } = await startApp(t, { pets: petRows(200) });
  const get = await request('GET', LIST);
  const head = await request('HEAD', LIST);
  assert.deepEqual([head.status, head.bytes.length], [200, 0]);
  for (const name of ['ETag', 'Content-Type', 'Content-Length', 'Cache-Control', 'Vary']) {
    assert.equal(head.headers.get(name), get.headers.get(name), name);
  }
  const conditional = { headers: { 'If-None-Match': head.headers.get('ETag') as string } };
  assert.equal((await request('HEAD', LIST, conditional)).status, 304);
});

test('a list does not change while it is sent', async (t) => {
  if (isSkippedDaily(t)) return;
  const pets = petRows(20_000);
  const { app, key, request, config } = await startApp(t, { pets });
  assert.ok(config.baseUrl);
  const url = 'http://localhost/v1/inventory';
  const response = await fetchFrom(app, new Request(url, { headers: { Authorization: `Bearer ${key}` } }));
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const pieces: Uint8Array[] = [];
  for (let petId = 1; ; petId += 1_000) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    await request('PATCH', `/v1/inventory/${20_000 - petId}`, { body: '{"quantity":123456789}' });
  }
  assert.ok(pieces.length > 3, 'the list came in pieces');
  assert.equal(Buffer.concat(pieces).toString(), listJson(pets));
});
