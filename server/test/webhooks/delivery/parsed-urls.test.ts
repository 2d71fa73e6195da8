import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseEndpointUrl } from '../../../src/webhooks/delivery/endpoint-url.ts';
import { ParsedUrls } from '../../../src/webhooks/delivery/parsed-urls.ts';

test('a URL is parsed once; long ones and more than a thousand do not fill the memory of the sending thread', () => {
  const urls = new ParsedUrls([]);
  const first = 'https://shop.example/hooks';
  const read = urls.read(first);
  assert.deepEqual(read, parseEndpointUrl(first, []));
  assert.equal(urls.read(first), read);
  // Of 18,000 bytes in its parsed form, of which thousands were more than the thread has.
  const long = `${first}/${'€'.repeat(2_000)}`;
  assert.notEqual(urls.read(long), urls.read(long));
  assert.deepEqual(urls.read(long), parseEndpointUrl(long, []));
  for (let i = 0; i < 1_024; i += 1) urls.read(`${first}/${i}`);
  assert.notEqual(urls.read(first), read);
});

test('what is wrong with a URL is known too', () => {
  const urls = new ParsedUrls([]);
  assert.match(String(urls.read('http://shop.example/')), /Begin the URL with https/);
  assert.equal(urls.read('http://shop.example/'), parseEndpointUrl('http://shop.example/', []));
});
