import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { RawSocket } from '../blackbox/raw-socket.ts';
import { answerOf, listen } from './listening.ts';

const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
/** A socket is closed after twice the time-out of a request. */
const TIMES = { headersTimeoutSeconds: 0.1, requestTimeoutSeconds: 0.1 };

/** Resolves when the service has cut a client that does not read. */
async function untilDeafIsCut(port: number): Promise<void> {
  const deaf = connect({ port, host: '127.0.0.1' });
  deaf.pause();
  deaf.on('error', () => {});
  const closed = new Promise((resolve) => deaf.once('close', resolve));
  await once(deaf, 'connect');
  deaf.write(GET.replace('/', '/large'));
  // Only a write detects the reset.
  const writing = setInterval(() => deaf.write(GET), 20);
  await closed;
  clearInterval(writing);
}

test('an answer that takes longer than the time-out of a socket arrives; one that is not read is cut', async (t) => {
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  const large = 'x'.repeat(30_000_000);
  const { port } = await listen(
    t,
    async (request) => {
      if (request.target.endsWith('/large')) return answerOf(large);
      await gate;
      return answerOf('late');
    },
    TIMES,
  );
  const patient = await RawSocket.open(port);
  patient.send(GET);
  // Twice, so that the time-out of the patient one has passed, too.
  await untilDeafIsCut(port);
  await untilDeafIsCut(port);
  release();
  assert.equal((await patient.next())?.body.toString(), 'late');
  patient.destroy();
});
