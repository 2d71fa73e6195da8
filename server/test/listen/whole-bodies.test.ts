import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { NodeRequest } from '../../src/listen/node-request.ts';
import { RawSocket } from '../blackbox/raw-socket.ts';
import { isSkippedOnBun } from '../support/long-test.ts';
import { until } from '../support/until.ts';

const MAX_BYTES = 10;

interface Received {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly request: NodeRequest;
  readonly client: RawSocket;
}

/** A request with this body, all of which has arrived before it is read. */
async function received(t: TestContext, body: string): Promise<Received> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  t.after(() => server.close().closeAllConnections());
  await once(server, 'listening');
  const arrived = once(server, 'request');
  const client = await RawSocket.open((server.address() as AddressInfo).port);
  t.after(() => client.destroy());
  client.send(`POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  const [incoming, outgoing] = (await arrived) as [IncomingMessage, ServerResponse];
  await until(() => incoming.complete, 'the body');
  return { incoming, outgoing, request: new NodeRequest(incoming, outgoing, '/'), client };
}

test('a body that has arrived is read without events, and the connection goes on', async (t) => {
  if (isSkippedOnBun(t, 'the service uses its own server there')) return;
  const { incoming, outgoing, request, client } = await received(t, '{"a":1}');
  const reading = request.readBody(MAX_BYTES);
  assert.deepEqual([incoming.listenerCount('data'), incoming.listenerCount('end')], [0, 0]);
  assert.equal(Buffer.from((await reading) ?? []).toString(), '{"a":1}');
  await until(() => incoming.readableEnded, 'the end of the body');
  outgoing.end('read');
  assert.equal((await client.next())?.body.toString(), 'read');
});

test('a body that has arrived and is too large is not returned', async (t) => {
  if (isSkippedOnBun(t, 'the service uses its own server there')) return;
  const { request } = await received(t, 'x'.repeat(MAX_BYTES + 1));
  assert.equal(await request.readBody(MAX_BYTES), undefined);
});

test('a body that has arrived is read after its client has disconnected', async (t) => {
  if (isSkippedOnBun(t, 'the service uses its own server there')) return;
  const { incoming, request, client } = await received(t, '{"a":1}');
  client.destroy();
  await until(() => incoming.destroyed, 'the end of the connection');
  assert.equal(Buffer.from((await request.readBody(MAX_BYTES)) ?? []).toString(), '{"a":1}');
});
