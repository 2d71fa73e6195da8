import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  choices,
  DEFAULT_PAGE_ITEMS,
  LIMIT,
  oneMore,
  parsePlace,
} from '../../src/http/operation/parameter.ts';
import { acceptedCodings } from '../../src/http/request/content-negotiation.ts';
import { answerVariants, unpackedVariant, variantOf } from '../../src/http/request/variants.ts';
import { contextOf } from '../support/request-contexts.ts';

test('a list of choices has known ones alone, and a place has a time and an id', () => {
  const states = choices(['low', 'out'], { description: '', schema: {} });
  assert.deepEqual(states.read('alert', 'out,low'), ['low', 'out']);
  for (const text of ['low,gone', 'low,', 'low,low,', '']) {
    assert.throws(() => states.read('alert', text), { code: 'invalid_parameter' }, text);
  }
  const id = 'imp_4fQ2n8Zk1bXw0aLr';
  assert.deepEqual(parsePlace(`7 ${id}`), { createdAtMs: 7, id });
  for (const text of ['7 x', `x ${id}`, id, `7 ${id} `]) assert.equal(parsePlace(text), undefined, text);
});

test('a page without a limit has the documented number of items, and the place 0 is one', () => {
  assert.equal(LIMIT.read('limit', null), DEFAULT_PAGE_ITEMS);
  assert.deepEqual(oneMore({ limit: 2, cursor: 0 }), { limit: 3, after: 0 });
  assert.deepEqual(oneMore({ limit: 2, cursor: undefined }), { limit: 3 });
});

test('each coding of a document has its name and its own tag, which a client that has it is answered by', () => {
  const gzip = variantOf(() => new Uint8Array(gzipSync('text')));
  const variants = { gzip, identity: unpackedVariant(gzip) };
  const answer = (headers: Record<string, string>) => {
    const { status, headers: sent, body } = answerVariants(contextOf('GET', headers), variants, {});
    return { status, tag: sent.ETag ?? '', coding: sent['Content-Encoding'], body };
  };
  const [packed, plain] = [answer({ 'accept-encoding': 'gzip' }), answer({})];
  assert.deepEqual([packed.coding, packed.body], ['gzip', gzip.bytes]);
  assert.deepEqual([plain.coding, Buffer.from(plain.body as Uint8Array).toString()], [undefined, 'text']);
  assert.notEqual(packed.tag, plain.tag);
  const held = { 'accept-encoding': 'gzip', 'if-none-match': packed.tag };
  assert.deepEqual([answer(held).status, answer(held).body], [304, null]);
  assert.equal(answer({ 'accept-encoding': 'br', 'if-none-match': packed.tag }).status, 200);
});

test('a client that accepts anything gets a compressed document', () => {
  assert.deepEqual(acceptedCodings('*'), ['br', 'gzip', 'identity']);
  assert.deepEqual(acceptedCodings('gzip;q=0.5, br;q=0.1'), ['gzip', 'br', 'identity']);
  assert.deepEqual(acceptedCodings('br;q=0, *;q=0'), ['identity']);
});
