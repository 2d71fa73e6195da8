import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../support/until.ts';
import { errorOf } from '../api-request.ts';
import type { RawSocket } from '../raw-socket.ts';
import { testTargets } from '../targets.ts';
import { answerOf, checked, settled, startUploads, type Uploading } from './uploading.ts';
import { isSkippedDaily } from '../../support/long-test.ts';

/** Shorter than a slow upload, and longer than a request waits on a busy machine: Bun then cuts its connection. */
const TIMEOUTS = {
  PETSTORE_HEADERS_TIMEOUT: '9',
  PETSTORE_REQUEST_TIMEOUT: '10',
  PETSTORE_KEEP_ALIVE_TIMEOUT: '10',
};
const FILE = 'petId,quantity\n1,1\n2,2\n';
const MAX_BYTES = 256 * 1024 * 1024;
const PIECE = Buffer.alloc(1_000_000, 'x');

/** The error of an answer, after which the connection ends. */
async function refusalOf(socket: RawSocket): Promise<readonly [number, string]> {
  const answer = await answerOf(socket);
  assert.deepEqual(await socket.untilClosed(), []);
  return [answer.status, errorOf(answer).code];
}

describe('uploads', { concurrency: true }, () => {
  for (const target of testTargets()) {
    test(`on ${target.name}, a file that is too large or of another type is refused before it is sent`, async (t) => {
      if (target.name.startsWith('bun') && isSkippedDaily(t)) return;
      const { open } = await startUploads(t, target, TIMEOUTS);
      for (const length of [String(MAX_BYTES + 1), '1000000000000000', String(Number.MAX_SAFE_INTEGER)]) {
        assert.deepEqual(await refusalOf(await open({ 'Content-Length': length })), [413, 'body_too_large']);
      }
      for (const type of ['text/plain', 'application/json; charset=utf-16', 'multipart/form-data', '']) {
        const socket = await open({ 'Content-Type': type, 'Content-Length': '1000' });
        assert.deepEqual([(await answerOf(socket)).status, type], [415, type]);
      }
      const encoded = await open({ 'Content-Encoding': 'gzip', 'Content-Length': '1000' });
      assert.equal((await answerOf(encoded)).status, 415);
    });

    test(`on ${target.name}, an empty body is an empty file, and a body in chunks a file`, async (t) => {
      if (target.name.startsWith('bun') && isSkippedDaily(t)) return;
      const uploading = await startUploads(t, target);
      const empty = await settled(uploading, await uploading.open({ 'Content-Length': '0' }));
      assert.deepEqual([empty.state, empty.byteCount], ['invalid', 0]);
      const chunked = await uploading.open({ 'Transfer-Encoding': 'chunked' });
      for (const line of FILE.split(/(?<=\n)/))
        chunked.send(`${Buffer.byteLength(line).toString(16)}\r\n${line}\r\n`);
      chunked.send('0\r\n\r\n');
      assert.deepEqual((await settled(uploading, chunked)).counts, { new: 2, changed: 0, unchanged: 0 });
    });

    test(`on ${target.name}, uploads whose client disconnects leave nothing`, async (t) => {
      if (target.name.startsWith('bun') && isSkippedDaily(t)) return;
      const uploading = await startUploads(t, target, TIMEOUTS);
      const { service, open, get } = uploading;
      for (const end of [
        'reset',
        'destroy',
        'halfClose',
        'reset',
        'destroy',
        'halfClose',
        'reset',
      ] as const) {
        const socket = await open({ 'Content-Length': '50000000' });
        for (let sent = 0; sent < 3; sent += 1) socket.send(PIECE);
        await until(() => socket.unsentBytes === 0 || socket.isClosed, 'the bytes are sent');
        const states = async () =>
          ((await get('')) as unknown as readonly { state: string }[]).map(({ state }) => state);
        await until(async () => (await states()).join() === 'receiving', 'the upload is listed');
        socket[end]();
        await until(async () => (await states()).length === 0, 'nothing is left of it');
      }
      assert.equal((await uploaded(uploading)).state, 'planned');
      assert.ok(service.isAlive(), service.logs());
    });

    test(`on ${target.name}, an upload may be slow and have pauses, and ends after 15 s of silence`, async (t) => {
      // Only Bun shows that an upload is allowed more silence than a connection.
      if (target.name.startsWith('node') && isSkippedDaily(t)) return;
      const uploading = await startUploads(t, target, TIMEOUTS);
      const open = () => uploading.open({ 'Content-Length': String(FILE.length) });
      const [trickling, pausing, silent] = await Promise.all([open(), open(), open()]);
      silent.send(FILE.slice(0, 5));
      const send = async (socket: RawSocket, parts: string[], pauseMs: number) => {
        for (const part of parts) {
          socket.send(part);
          await delay(pauseMs);
        }
        return settled(uploading, socket);
      };
      const [ended, ...found] = await Promise.all([
        refusalOf(silent),
        send(trickling, [...FILE], 500),
        send(pausing, [FILE.slice(0, 9), FILE.slice(9, 12), FILE.slice(12)], 5_000),
      ]);
      assert.deepEqual(
        found.map(({ state }) => state),
        ['planned', 'planned'],
      );
      assert.deepEqual(ended, [408, 'request_timeout']);
    });
  }
});

/** The import of a file, sent again while a busy service still begins and abandons the uploads before it. */
async function uploaded(uploading: Uploading): Promise<Record<string, unknown>> {
  let found: Record<string, unknown> = {};
  await until(async () => {
    const socket = await uploading.open({ 'Content-Length': String(FILE.length) });
    socket.send(FILE);
    const answer = await answerOf(socket);
    if (answer.status === 409) return false;
    found = await checked(uploading, answer);
    return true;
  }, 'an upload is accepted');
  return found;
}
