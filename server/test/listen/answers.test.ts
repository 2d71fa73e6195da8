import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { arrivedIn, LateBody } from '../../src/listen/body-pieces.ts';
import { RawSocket } from '../blackbox/raw-socket.ts';
import { isSkippedOnBun } from '../support/long-test.ts';
import { until } from '../support/until.ts';
import { answerOf, listen } from './listening.ts';

const HEAD = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n';

test('a text arrives in UTF-8, whatever its characters are', async (t) => {
  const texts = ['plain', 'Größe', '3 € 🐈', ''];
  let next = 0;
  const { port } = await listen(t, () => answerOf(texts[next++] as string));
  const socket = await RawSocket.open(port);
  t.after(() => socket.destroy());
  for (const text of texts) {
    socket.send('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const answer = await socket.next();
    assert.equal(answer?.body.toString('utf8'), text);
  }
});

test('a client that has gone is known, and the rest of its body not awaited, also by what asks late', async (t) => {
  if (isSkippedOnBun(t, 'it makes the signal and the body itself')) return;
  const { promise: gone, resolve: leave } = Promise.withResolvers<void>();
  const { promise: asked, resolve: noteAsked } = Promise.withResolvers<unknown[]>();
  let hasBegun = false;
  const { port } = await listen(t, async (request) => {
    hasBegun = true;
    await gone;
    const body = await request.readBody(100).catch((error: Error) => error.message);
    noteAsked([request.signal.aborted, body]);
    return answerOf('late');
  });
  const socket = await RawSocket.open(port);
  socket.send(`${HEAD}abc`);
  await until(() => hasBegun, 'the request arrives');
  socket.destroy();
  // Both ends are in this process, so that a few turns of its loop read the end of the connection.
  for (let i = 0; i < 300; i += 1) await turn();
  leave();
  assert.deepEqual(await asked, [true, 'The connection closed before the end of the body.']);
});

test('a body in time leaves no timer, and one that fails after its time harms nothing', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  assert.equal(await arrivedIn(3_600, Promise.resolve(7)), 7);
  assert.equal(timers(), before);
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  const { promise, reject } = Promise.withResolvers<void>();
  await assert.rejects(arrivedIn(0.001, promise), LateBody);
  reject(new Error('The connection failed.'));
  for (let i = 0; i < 3; i += 1) await turn();
  process.off('unhandledRejection', note);
  assert.deepEqual(unhandled, []);
});
