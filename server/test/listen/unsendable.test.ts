import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RawSocket } from '../blackbox/raw-socket.ts';
import { answerOf, listen } from './listening.ts';

const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

test('an answer that Node refuses to send becomes an error, and the service continues', async (t) => {
  const answers = [
    () => answerOf('a', 200, { Link: '<https://店.example/v1>' }),
    async () => answerOf('b', 200, { Link: 'a\nb' }),
    () => answerOf('c'),
  ];
  const { port, noted } = await listen(t, () => (answers.shift() as (typeof answers)[0])());
  for (const expected of [400, 400, 200]) {
    const socket = await RawSocket.open(port);
    socket.send(GET);
    assert.equal((await socket.next())?.status, expected);
    socket.destroy();
  }
  assert.equal(noted.length, 2);
});

test('a stream that breaks ends the connection, and its cause is noted', async (t) => {
  const broken = new Error('broken');
  const { port, noted } = await listen(t, () => {
    const pieces = [Buffer.from('first')];
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = pieces.shift();
        if (piece) controller.enqueue(piece);
        else controller.error(broken);
      },
    });
    return { status: 200, headers: {}, body };
  });
  const socket = await RawSocket.open(port);
  socket.send(GET);
  await socket.untilClosed().catch(() => undefined);
  assert.doesNotMatch(socket.unread, /\r\n0\r\n\r\n/, 'it has no end');
  assert.deepEqual(noted, [broken]);
});
