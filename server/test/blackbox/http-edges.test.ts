import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { assertContract, listedQuantities } from './api-request.ts';
import { FRAMING_EDGES } from './edge-framing.ts';
import { HEAD_EDGES } from './edge-heads.ts';
import {
  type EdgeRequest,
  get,
  KEY_PLACEHOLDER,
  patch,
  rawPatch,
  SMUGGLED_PET,
  TARGET_PET,
} from './edge-request.ts';
import { HALF_CLOSES, PIPELINES } from './edge-sequences.ts';
import { ON_BUN, type OnBun } from './edges-on-bun.ts';
import { type RawResponse, RawSocket } from './raw-socket.ts';
import { type Service, startService } from './service.ts';
import type { Runtime } from './service-process.ts';
import { type Target, testTargets } from './targets.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const PROBED_PET = 900n;
const QUANTITY_BEFORE = 77;
const PETS = [TARGET_PET, SMUGGLED_PET, PROBED_PET].map((petId) => ({ petId, quantity: QUANTITY_BEFORE }));
const EDGES = [...FRAMING_EDGES, ...HEAD_EDGES, ...PIPELINES];

/** The parsed responses of one socket. */
interface Outcome {
  readonly answers: readonly RawResponse[];
  /** Whether the request after the judged bytes was answered as itself. */
  readonly isProbeAnswered: boolean;
}

let probes = 0;

/** An update that no other request makes: its answer can be mistaken for no other. */
function nextProbe(headers = 'Connection: close\r\n'): { bytes: string; answer: string } {
  probes += 1;
  const quantity = 1_000_000 + probes;
  return {
    bytes: patch(`{"quantity":${quantity}}`, headers, PROBED_PET),
    answer: `{"petId":${PROBED_PET},"quantity":${quantity},"status":"available"}`,
  };
}

function send(socket: RawSocket, service: Service, bytes: string): void {
  socket.send(bytes.replaceAll(KEY_PLACEHOLDER, service.key));
}

/** Sends the judged bytes and another request, in one packet or after the first answer, and reads to the end. */
async function play(service: Service, row: EdgeRequest, isPipelined: boolean): Promise<Outcome> {
  const socket = await RawSocket.open(service.port);
  try {
    const probe = nextProbe();
    const early: RawResponse[] = [];
    send(socket, service, isPipelined ? row.bytes + probe.bytes : row.bytes);
    if (!isPipelined || row.isHead) {
      const first = await socket.next({ isAnswerToHead: row.isHead });
      if (first) early.push(first);
    }
    if (!isPipelined) send(socket, service, probe.bytes);
    const answers = [...early, ...(await socket.untilClosed())].filter(({ status }) => status >= 200);
    const isProbeAnswered = answers.at(-1)?.body.toString() === probe.answer;
    return { answers: isProbeAnswered ? answers.slice(0, -1) : answers, isProbeAnswered };
  } finally {
    socket.destroy();
  }
}

async function playHalfClose(service: Service, row: EdgeRequest): Promise<Outcome> {
  const socket = await RawSocket.open(service.port);
  try {
    send(socket, service, row.bytes);
    socket.halfClose();
    return { answers: await socket.untilClosed(), isProbeAnswered: false };
  } finally {
    socket.destroy();
  }
}

function differenceOf(row: EdgeRequest, runtime: Runtime, isPipelined: boolean): OnBun | undefined {
  const onBun = runtime === 'bun' ? ON_BUN.get(row.title) : undefined;
  return onBun?.isOnlyPipelined && !isPipelined ? undefined : onBun;
}

function assertOutcome(row: EdgeRequest, outcome: Outcome, onBun: OnBun | undefined): void {
  const expected = { ...row, ...onBun };
  const statuses = outcome.answers.map(({ status }) => status);
  const what = `answers ${JSON.stringify(statuses)}, next answered: ${outcome.isProbeAnswered}`;
  assert.ok(statuses.length >= expected.atLeast && statuses.length <= expected.answers.length, what);
  for (const [index, status] of statuses.entries()) {
    assert.ok(expected.answers[index]?.includes(status), what);
  }
  if (expected.next !== 'either') assert.equal(outcome.isProbeAnswered, expected.next === 'answered', what);
  for (const answer of outcome.answers) {
    if (onBun?.isBare && answer.status >= 400 && !answer.headers.has('x-request-id')) continue;
    assertContract(answer);
  }
}

async function assertNothingSmuggled(service: Service): Promise<void> {
  assert.ok(service.isAlive(), service.logs());
  const quantities = await listedQuantities(service);
  assert.equal(
    quantities.get(String(SMUGGLED_PET)),
    String(QUANTITY_BEFORE),
    'a body was processed as a request',
  );
  assert.notEqual(quantities.get(String(TARGET_PET)), '666', 'an incomplete request was processed');
}

async function expectContinue(service: Service, waits: boolean): Promise<void> {
  const socket = await RawSocket.open(service.port);
  try {
    const body = '{"quantity":8}';
    const head = rawPatch(`Content-Length: ${body.length}\r\nExpect: 100-continue\r\n`, '');
    send(socket, service, waits ? head : head + body);
    assert.equal((await socket.next())?.status, 100);
    if (waits) send(socket, service, body);
    const answer = await socket.next();
    assert.equal(answer?.status, 200);
    assert.equal(answer.body.toString(), `{"petId":${TARGET_PET},"quantity":8,"status":"available"}`);
    const probe = nextProbe();
    send(socket, service, probe.bytes);
    assert.deepEqual(
      (await socket.untilClosed()).map(({ body }) => body.toString()),
      [probe.answer],
    );
  } finally {
    socket.destroy();
  }
}

/** A client with a long body learns before it sends it that it need not. */
async function refuseBeforeBody(service: Service, runtime: Runtime): Promise<void> {
  // Bun asks for each body.
  const before = runtime === 'bun' ? [100] : [];
  const length = 'Content-Length: 14\r\nExpect: 100-continue\r\n';
  const heads = [
    [rawPatch(length, '').replace(KEY_PLACEHOLDER, 'psk_live_none'), 401],
    [rawPatch(length, '').replace('application/json', 'text/csv'), 415],
    [rawPatch('Content-Length: 9000000\r\nExpect: 100-continue\r\n', ''), 413],
  ] as const;
  for (const [head, status] of heads) {
    const socket = await RawSocket.open(service.port);
    try {
      send(socket, service, head);
      const answers: (RawResponse | undefined)[] = [];
      for (const expected of [...before, status]) {
        answers.push(await socket.next());
        assert.equal(answers.at(-1)?.status, expected);
      }
      if (runtime === 'node') assert.equal(answers.at(-1)?.headers.get('connection'), 'close');
    } finally {
      socket.destroy();
    }
  }
}

/** A parser that releases its connection to an unused upgrade could lose the rest of the packet. */
async function upgradeThenTwo(service: Service): Promise<void> {
  const socket = await RawSocket.open(service.port);
  try {
    const probed = [nextProbe(''), nextProbe()];
    send(socket, service, get('Connection: Upgrade\r\nUpgrade: websocket\r\n') + probed[0]?.bytes);
    assert.equal((await socket.next())?.status, 200);
    send(socket, service, probed[1]?.bytes ?? '');
    const answers = (await socket.untilClosed()).map(({ body }) => body.toString());
    const expected = probed.map(({ answer }) => answer);
    assert.deepEqual(answers, expected.slice(0, answers.length), 'an answer took the place of another');
  } finally {
    socket.destroy();
  }
}

/** Ends connections with a reset at every byte of a request, the worst a client can do. */
async function resets(service: Service): Promise<void> {
  const bytes = patch();
  for (let length = 0; length <= bytes.length; length += 1) {
    const socket = await RawSocket.open(service.port);
    send(socket, service, bytes.slice(0, length));
    socket.reset();
  }
}

async function playAll(t: TestContext, target: Target): Promise<void> {
  const { runtime } = target;
  const service = await target.start(t, { pets: PETS, env: { PETSTORE_KEEP_ALIVE_TIMEOUT: '3' } });
  for (const row of EDGES) {
    await t.test(row.title, async () => {
      for (const isPipelined of [true, false]) {
        assertOutcome(row, await play(service, row, isPipelined), differenceOf(row, runtime, isPipelined));
        await assertNothingSmuggled(service);
      }
    });
  }
  for (const row of HALF_CLOSES) {
    await t.test(`${row.title}, then the client ends its side`, async () => {
      const outcome = await playHalfClose(service, row);
      assertOutcome({ ...row, next: 'closed' }, outcome, differenceOf(row, runtime, false));
      await assertNothingSmuggled(service);
    });
  }
  await t.test('a client that waits for 100 Continue gets it, and its answer', () =>
    expectContinue(service, true),
  );
  await t.test('the connection of a client that does not wait for 100 Continue stays open', () =>
    expectContinue(service, false),
  );
  await t.test('a client that waits for 100 Continue is refused before it sends its body', () =>
    refuseBeforeBody(service, runtime),
  );
  await t.test('no request is lost behind an upgrade that is not made', () => upgradeThenTwo(service));
  await t.test('a service of another shop gets none of its connections', async (t) => {
    if (isSkippedDaily(t)) return;
    const env = { PORT: String(service.port) };
    await assert.rejects(startService(t, { runtime, env, key: 'none' }), /Port \d+ is taken/);
  });
  await t.test('connections that are reset at any byte affect no other client', async () => {
    await resets(service);
    await assertNothingSmuggled(service);
  });
}

describe('edges of HTTP', { concurrency: true }, () => {
  for (const target of testTargets()) {
    test(`on ${target.name}, for any bytes, each request gets its own answer or the socket is closed`, (t) =>
      playAll(t, target));
  }
});

test('every known difference of Bun is the difference of a row', () => {
  const titles = new Set([...EDGES, ...HALF_CLOSES].map(({ title }) => title));
  assert.deepEqual(
    [...ON_BUN.keys()].filter((title) => !titles.has(title)),
    [],
  );
});
