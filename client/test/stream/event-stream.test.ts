import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EventStreamParser } from '../../src/stream/event-stream.ts';
import { isSkippedDaily } from '../../../server/test/support/long-test.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('reads the same blocks for any split and any line break', () => {
  const text = 'retry: 5\n\nid: 1\r\nevent: movement\r\ndata: ä\r\n\r\n: silence\r\rdata: a\ndata: b\n\n';
  const whole = new EventStreamParser().push(bytes(text));
  assert.deepEqual(
    whole.map(({ type, data, id, retryMs }) => [type, data, id, retryMs]),
    [
      ['message', '', undefined, 5],
      ['movement', 'ä', '1', undefined],
      ['message', '', undefined, undefined],
      ['message', 'a\nb', undefined, undefined],
    ],
  );
  const all = bytes(text);
  for (let size = 1; size < 9; size += 1) {
    const parser = new EventStreamParser();
    const blocks = [];
    for (let at = 0; at < all.length; at += size) blocks.push(...parser.push(all.subarray(at, at + size)));
    assert.deepEqual(blocks, whole, `in pieces of ${size} bytes`);
  }
});

test('gives up an endless line, which takes linear time', { timeout: 10_000 }, (t) => {
  if (isSkippedDaily(t)) return;
  const parser = new EventStreamParser();
  const piece = bytes('xxxx');
  assert.throws(
    () => {
      for (let i = 0; i < 300_000; i += 1) parser.push(piece);
    },
    { code: 'connection_failed' },
  );
});

test('gives up an endless number of lines', () => {
  const parser = new EventStreamParser();
  const piece = bytes('data: x\n'.repeat(1_000));
  assert.throws(
    () => {
      for (let i = 0; i < 200; i += 1) parser.push(piece);
    },
    { code: 'connection_failed' },
  );
});

test('reads any number of events', () => {
  const parser = new EventStreamParser();
  const event = new TextEncoder().encode(`data: ${'x'.repeat(100_000)}\n\n`);
  for (let i = 0; i < 20; i += 1) assert.equal(parser.push(event).length, 1);
});
