import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { FILE, type FileLimits, receiveFile } from '../../src/http/admin/imports/receive-file.ts';
import type { RequestContext } from '../../src/http/request/request-context.ts';
import type { Import, ImportStore } from '../../src/domain/management/imports.ts';

const MEBIBYTE = 1_048_576;
const LARGE: FileLimits = { maxBytes: 2 ** 40, room: async () => undefined };

interface Part {
  readonly number: number;
  readonly text: string;
}

/** Receives pieces, of which each arrives so many milliseconds after the one before. */
async function receive(
  t: TestContext,
  pieces: readonly (readonly [afterMs: number, piece: Uint8Array])[],
  { headers = {}, limits = LARGE }: { headers?: Record<string, string>; limits?: FileLimits } = {},
) {
  let nowMs = performance.now();
  t.mock.method(performance, 'now', () => nowMs);
  const parts: Part[] = [];
  const calls: string[] = [];
  const imports: Partial<ImportStore> = {
    begin: async () => {
      calls.push('begin');
      return 'imp_1';
    },
    addPart: async (_id, number, content) => {
      parts.push({ number, text: Buffer.from(content).toString('latin1') });
    },
    complete: async () => {
      calls.push('complete');
      return {} as Import;
    },
    abandon: async () => {
      calls.push('abandon');
    },
  };
  const context = {
    closes: false,
    header: (name: string) => headers[name] ?? null,
    requireStillValid: () => {},
    request: {
      async *readPieces() {
        for (const [afterMs, piece] of pieces) {
          nowMs += afterMs;
          yield piece;
        }
      },
    },
  };
  const file = { author: { actor: 'key_1', requestId: null }, limits, format: 'csv' };
  const received = receiveFile(context as unknown as RequestContext, imports as ImportStore, file as never);
  const error = await received.then(
    () => undefined,
    ({ code }: { code: string }) => code,
  );
  t.mock.restoreAll();
  return { error, parts, calls, closes: context.closes };
}

test('a file arrives in parts of a mebibyte, in their order, whatever its pieces are', async (t) => {
  const sent = Buffer.from(Array.from({ length: 250_000 }, (_, i) => `${i};7\r\n`).join(''), 'latin1');
  const pieces: [number, Uint8Array][] = [];
  for (let at = 0; at < sent.length; at += 700_001) pieces.push([0, sent.subarray(at, at + 700_001)]);
  const { error, parts, calls } = await receive(t, pieces);
  assert.equal(error, undefined);
  assert.ok(parts.length > 2);
  assert.deepEqual(
    parts.map(({ number, text }) => [number, text.length]),
    parts.map((_, i) => [i, i < parts.length - 1 ? MEBIBYTE : sent.length % MEBIBYTE]),
  );
  assert.ok(parts.map(({ text }) => text).join('') === sent.toString('latin1'));
  assert.deepEqual(calls, ['begin', 'complete']);
});

test('a slow file is written every 10 seconds, and refused after an hour, or below 1,000 bytes per second', async (t) => {
  const piece = new Uint8Array(12_000);
  const slow = await receive(t, [
    [9_000, piece],
    [2_000, piece],
    [9_000, piece],
  ]);
  assert.deepEqual(
    slow.parts.map(({ text }) => text.length),
    [24_000, 12_000],
  );
  const hour = Array.from({ length: 364 }, (): [number, Uint8Array] => [10_000, piece]);
  for (const pieces of [
    hour,
    [
      [30_000, piece],
      [13_000, new Uint8Array(1)],
    ] as [number, Uint8Array][],
  ]) {
    const late = await receive(t, pieces);
    assert.deepEqual([late.error, late.closes], ['request_timeout', true]);
    assert.deepEqual(late.calls, ['begin', 'abandon']);
  }
});

test('a file for which the disk has no room is refused before its import begins', async (t) => {
  const headers = { 'content-length': '1000' };
  const limits = { maxBytes: 2_000, room: async () => 999 };
  const { error, calls, closes } = await receive(t, [[0, new Uint8Array(10)]], { headers, limits });
  assert.deepEqual([error, calls, closes], ['disk_full', [], true]);
});

test('a packed file is refused by its encoding', async () => {
  const header = (name: string) => ({ 'content-type': 'text/csv', 'content-encoding': 'gzip' })[name] ?? null;
  await assert.rejects(async () => FILE.read({ header } as unknown as RequestContext), {
    code: 'unsupported_media_type',
  });
});
