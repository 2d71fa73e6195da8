import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../support/harness.ts';
import { petRow } from '../support/pet-rows.ts';

const MAX_BODY_BYTES = 16 * 1024;

test('400 validation_failed when the body is JSON but no object', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n)] });
  for (const body of ['5', '"quantity"', 'null', '[]', '[{"quantity":5}]', 'true']) {
    const { status, code } = await app.request('PATCH', '/v1/inventory/1', { body });
    assert.deepEqual([status, code], [400, 'validation_failed'], body);
  }
});

test('400 malformed_json when the body is not JSON in UTF-8', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n)] });
  const bodies = [
    '',
    ' ',
    '{',
    '{"quantity":5}}',
    "{'quantity':5}",
    '{"quantity":05}',
    '{"quantity":+5}',
    '{"quantity":NaN}',
    '\u{feff}{"quantity":5}',
  ];
  for (const body of [...bodies, Buffer.from('7b227175616e74697479223a357dff', 'hex')]) {
    const { status, code } = await app.request('PATCH', '/v1/inventory/1', { body });
    assert.deepEqual([status, code], [400, 'malformed_json'], String(body));
  }
});

test('413 body_too_large, whether the length is declared or counted, and the connection ends', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n)] });
  const bodyOf = (bytes: number) => `{"quantity":5,"extra":"${'x'.repeat(bytes - 25)}"}`;
  const streamed = (text: string) => new Blob([text]).stream() as ReadableStream<Uint8Array>;
  assert.equal(bodyOf(100).length, 100);
  const fits = bodyOf(MAX_BODY_BYTES);
  const tooLarge = bodyOf(MAX_BODY_BYTES + 1);
  for (const body of [fits, streamed(fits)]) {
    assert.equal((await app.request('PATCH', '/v1/inventory/1', { body })).status, 200);
  }
  for (const body of [tooLarge, streamed(tooLarge), streamed(bodyOf(1_000_000))]) {
    const { status, code, headers } = await app.request('PATCH', '/v1/inventory/1', { body });
    assert.deepEqual([status, code], [413, 'body_too_large']);
    assert.equal(headers.get('Connection'), 'close');
  }
});

test('413: of an endless body no more is read than the first byte too many', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n)] });
  let pieces = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pieces += 1;
      controller.enqueue(new Uint8Array(1_024).fill(0x20));
    },
  });
  const { status } = await app.request('PATCH', '/v1/inventory/1', { body: endless });
  assert.equal(status, 413);
  assert.ok(pieces < 40, `${pieces} pieces were read`);
});

test('415 unsupported_media_type with Accept-Patch, when the body is not plain JSON in UTF-8', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n)] });
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/jsonp',
    'application/json-patch+json',
    'json',
    '',
  ];
  for (const type of types) {
    const sent = { body: '{"quantity":1}', headers: { 'Content-Type': type } };
    const { status, code, headers } = await app.request('PATCH', '/v1/inventory/1', sent);
    assert.deepEqual([status, code], [415, 'unsupported_media_type'], type);
    assert.equal(headers.get('Accept-Patch'), 'application/json, application/merge-patch+json');
  }
  const zipped = { body: '{"quantity":1}', headers: { 'Content-Encoding': 'gzip' } };
  assert.equal((await app.request('PATCH', '/v1/inventory/1', zipped)).status, 415);
  assert.equal((await app.request('PATCH', '/v1/inventory/1')).status, 415, 'no body at all');
});

test('a refused change is refused for its first fault: media type, size, JSON, field, then the pet', async (t) => {
  const app = await startApp(t, { pets: [petRow(1n)] });
  const huge = `{"quantity":"${'x'.repeat(20_000)}`;
  const codeOf = async (petId: string, body: string, type = 'application/json') =>
    (await app.request('PATCH', `/v1/inventory/${petId}`, { body, headers: { 'Content-Type': type } })).code;
  assert.equal(await codeOf('x', huge, 'text/plain'), 'invalid_parameter');
  assert.equal(await codeOf('99', huge, 'text/plain'), 'unsupported_media_type');
  assert.equal(await codeOf('99', huge), 'body_too_large');
  assert.equal(await codeOf('99', '{"quantity":"5"'), 'malformed_json');
  assert.equal(await codeOf('99', '{"quantity":"5"}'), 'validation_failed');
  assert.equal(await codeOf('99', '{"quantity":5}'), 'not_found');
});
