import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertContract, request } from '../api-request.ts';
import { chunked, get, KEY_PLACEHOLDER, patch, rawPatch, TARGET_PET } from '../edge-request.ts';
import { type RawResponse, RawSocket } from '../raw-socket.ts';
import type { Service } from '../service.ts';
import type { Runtime } from '../service-process.ts';
import type { Target } from '../targets.ts';
import { mutate, seeded } from './mutation.ts';

const REQUESTS_PER_SEED = 500;
const SOCKETS_AT_ONCE = 20;
const SOCKETS_BETWEEN_CHECKS = 200;
const FOLLOWING_PET = 900n;
const PETS = [TARGET_PET, FOLLOWING_PET].map((petId) => ({ petId, quantity: 5 }));
/** Only this request names this pet, which identifies its answer among others. */
const FOLLOWING = get('', `/v1/pets/${FOLLOWING_PET}`);
/** Statuses that the parser of Bun may return on its own, without a body. */
const BARE_ON_BUN: readonly number[] = [400, 413, 431, 505];

const TEMPLATES = [
  get(),
  get('If-None-Match: "1"\r\nAccept-Encoding: gzip\r\n'),
  get('', '/v1/inventory?limit=2'),
  get('Accept: text/html\r\n', '/v1/pets/1'),
  get('', '/v1/rate-limit'),
  get('', '/healthz'),
  get('Expect: 100-continue\r\nConnection: keep-alive, Upgrade\r\nUpgrade: h2c\r\n'),
  patch(),
  patch('{"quantity":9007199254740991,"note":"\\ud83d\\ude00"}', 'X-Request-Id: abc\r\n'),
  rawPatch('Transfer-Encoding: chunked\r\n', chunked('{"quantity":7}')),
  'OPTIONS /v1/inventory HTTP/1.1\r\nHost: localhost\r\nOrigin: http://a\r\n\r\n',
  'POST /v1/inventory HTTP/1.0\r\nContent-Length: 5\r\n\r\nhello',
];

/** Sends the bytes and an intact request behind them, ends this side, and reads until the service ends its own. */
async function play(service: Service, bytes: Uint8Array): Promise<RawResponse[]> {
  const socket = await RawSocket.open(service.port);
  try {
    socket.send(bytes);
    socket.send(FOLLOWING.replace(KEY_PLACEHOLDER, service.key));
    socket.halfClose();
    return await socket.untilClosed();
  } finally {
    socket.destroy();
  }
}

function assertAnswers(answers: readonly RawResponse[], runtime: Runtime): void {
  for (const [index, answer] of answers.entries()) {
    if (answer.status === 100) continue;
    if (runtime === 'bun' && !answer.headers.has('x-request-id')) {
      assert.ok(BARE_ON_BUN.includes(answer.status), `bare status ${answer.status}`);
      continue;
    }
    assert.ok(answer.status < 500, `status ${answer.status}`);
    assertContract(answer);
    if (answer.body.toString().startsWith(`{"petId":${FOLLOWING_PET},`))
      assert.equal(index, answers.length - 1);
  }
}

async function playSeed(service: Service, target: Target, seed: number): Promise<void> {
  const random = seeded(seed);
  const templates = TEMPLATES.map((text) =>
    Buffer.from(text.replaceAll(KEY_PLACEHOLDER, service.key), 'latin1'),
  );
  let left = REQUESTS_PER_SEED * target.share;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      const bytes = mutate(templates[random(templates.length)] ?? Buffer.alloc(0), random);
      try {
        assertAnswers(await play(service, bytes), target.runtime);
      } catch (cause) {
        throw new Error(`seed ${seed}: ${JSON.stringify(bytes.toString('latin1'))}`, { cause });
      }
      if (left % SOCKETS_BETWEEN_CHECKS === 0) await assertHealthy(service);
    }
  };
  await Promise.all(Array.from({ length: SOCKETS_AT_ONCE }, worker));
}

async function assertHealthy(service: Service): Promise<void> {
  assert.ok(service.isAlive(), service.logs());
  assert.equal((await request(service, { path: '/healthz' })).status, 200);
}

/** Tests that mutated requests neither end the service nor make it fail. */
export function testMutatedRequests(target: Target, seeds: readonly number[]): void {
  const requests = REQUESTS_PER_SEED * target.share * seeds.length;
  test(`on ${target.name}, ${requests} mutated requests neither end the service nor make it fail`, async (t) => {
    const service = await target.start(t, { pets: PETS });
    for (const seed of seeds) {
      await t.test(`seed ${seed}`, async () => {
        await playSeed(service, target, seed);
        await assertHealthy(service);
      });
    }
  });
}
