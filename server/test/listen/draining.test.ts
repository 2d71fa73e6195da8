import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { until } from '../support/until.ts';
import { answerOf, listen } from './listening.ts';

/** More than the buffers of two sockets hold. */
const BODY = 'x'.repeat(20_000_000);

test('a stop waits until a client has taken an answer that was made in one piece', async (t) => {
  const { port, close } = await listen(t, () => answerOf(BODY));
  const socket = connect({ port, host: '127.0.0.1' });
  t.after(() => socket.destroy());
  let isClosed = false;
  socket.on('error', () => {});
  socket.on('close', () => {
    isClosed = true;
  });
  socket.pause();
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await once(socket, 'readable');
  const stopped = close(30_000);
  let byteLength = 0;
  socket.on('data', (bytes) => {
    byteLength += bytes.length;
  });
  socket.resume();
  await until(() => isClosed, 'the connection ends');
  assert.ok(byteLength > BODY.length, `${byteLength} bytes of ${BODY.length}`);
  await stopped;
});

test('a stop cuts at its deadline what is not answered', async (t) => {
  let isAsked = false;
  const { port, close } = await listen(t, () => {
    isAsked = true;
    return new Promise(() => {});
  });
  const socket = connect({ port, host: '127.0.0.1' });
  t.after(() => socket.destroy());
  socket.on('error', () => {});
  const cut = once(socket, 'close');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await until(() => isAsked, 'the request has begun');
  await close(50);
  await cut;
});
