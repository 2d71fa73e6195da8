import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { assertContract, errorOf, request } from './api-request.ts';
import { AUTHORIZATION, get, KEY_PLACEHOLDER, patch } from './edge-request.ts';
import { type RawResponse, RawSocket } from './raw-socket.ts';
import type { Service } from './service.ts';
import type { Runtime } from './service-process.ts';
import { testTargets } from './targets.ts';

const SOCKETS = 80;
/** Seconds in which a busy machine still reads what was sent. */
const TIMEOUTS = {
  PETSTORE_HEADERS_TIMEOUT: '5',
  PETSTORE_REQUEST_TIMEOUT: '6',
  PETSTORE_KEEP_ALIVE_TIMEOUT: '6',
};
const ENDED_TIMEOUT_MS = 60_000;
/** On Bun every byte of the headers restarts its only time-out, so a slow client there stops sending at some point. */
const BUN_HEADER_BYTES = 20;

interface SlowClient {
  readonly title: string;
  /** Sent immediately. */
  readonly start: string;
  /** Sent one byte at a time. */
  readonly slowly: string;
  /** The single answer that it gets (from Node). */
  readonly status: number;
}

const HEAD = get();
const UPDATE = patch(`{"quantity":5,"x":"${'a'.repeat(500)}"}`);
const BODY_AT = UPDATE.indexOf('\r\n\r\n') + 4;

const SLOW_BODY: SlowClient = {
  title: 'a body byte by byte',
  start: UPDATE.slice(0, BODY_AT),
  slowly: UPDATE.slice(BODY_AT),
  status: 408,
};

const SLOW_CLIENTS: readonly SlowClient[] = [
  {
    title: 'headers byte by byte',
    start: '',
    slowly: `${HEAD.slice(0, -2)}X: ${'a'.repeat(500)}`,
    status: 408,
  },
  SLOW_BODY,
  { title: 'nothing at all', start: '', slowly: '', status: 408 },
  { title: 'half the headers and no more', start: HEAD.slice(0, -2), slowly: '', status: 408 },
  { title: 'the headers and no body', start: UPDATE.slice(0, BODY_AT), slowly: '', status: 408 },
  // Answered before its body arrives: a second answer would be matched to the next request.
  { title: 'no body where none was needed', start: get('Content-Length: 100\r\n'), slowly: '', status: 200 },
  {
    title: 'no body without a key',
    start: UPDATE.slice(0, BODY_AT).replace(AUTHORIZATION, ''),
    slowly: '',
    status: 401,
  },
  { title: 'silence after an answer', start: HEAD, slowly: '', status: 200 },
];

interface Ending {
  readonly client: SlowClient;
  readonly answers: readonly RawResponse[];
}

/** Sends slowly until the service closes the connection. */
async function play(service: Service, runtime: Runtime, client: SlowClient): Promise<Ending> {
  const socket = await RawSocket.open(service.port);
  try {
    socket.send(client.start.replaceAll(KEY_PLACEHOLDER, service.key));
    const isEndless = runtime === 'node' || client === SLOW_BODY;
    const slowly = client.slowly
      .replaceAll(KEY_PLACEHOLDER, service.key)
      .slice(0, isEndless ? undefined : BUN_HEADER_BYTES);
    const [answers] = await Promise.all([socket.untilClosed(ENDED_TIMEOUT_MS), trickle(socket, slowly)]);
    return { client, answers };
  } finally {
    socket.destroy();
  }
}

async function trickle(socket: RawSocket, bytes: string): Promise<void> {
  for (const byte of bytes) {
    if (socket.isClosed) return;
    socket.send(byte);
    await delay(100);
  }
}

/** Lists the inventory over and over; returns how often it was answered. */
async function serveMeanwhile(service: Service, slow: { areDone: boolean }): Promise<number> {
  let served = 0;
  while (!slow.areDone) {
    const response = await request(service, { path: '/v1/inventory', key: service.key });
    assert.equal(response.status, 200);
    served += 1;
    await delay(20);
  }
  return served;
}

describe('slow clients', { concurrency: true }, () => {
  for (const target of testTargets()) {
    test(`on ${target.name}, ${SOCKETS} slow clients are shown out while others are served`, async (t) => {
      const service = await target.start(t, { env: TIMEOUTS, pets: [{ petId: 1n, quantity: 77 }] });
      const slow = { areDone: false };
      const clients = Array.from({ length: SOCKETS / SLOW_CLIENTS.length }, () => SLOW_CLIENTS).flat();
      const endings = Promise.all(clients.map((client) => play(service, target.runtime, client))).finally(
        () => {
          slow.areDone = true;
        },
      );
      const [ended, served] = await Promise.all([endings, serveMeanwhile(service, slow)]);

      assert.equal(ended.length, SOCKETS);
      // A busy machine answers fewer than it could; a service that waits for its slow clients answers none or one.
      assert.ok(served >= 5, `only ${served} requests were answered during the test`);
      for (const { client, answers } of ended) {
        if (target.runtime === 'bun' && client !== SLOW_BODY) continue;
        const statuses = answers.map(({ status }) => status);
        assert.deepEqual(statuses, [client.status], client.title);
        for (const answer of answers) {
          assertContract(answer);
          if (answer.status === 408) assert.equal(errorOf(answer).code, 'request_timeout');
        }
      }
    });
  }
});
