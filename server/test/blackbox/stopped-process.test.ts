import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { KEY_PLACEHOLDER, patch } from './edge-request.ts';
import { RawSocket } from './raw-socket.ts';
import { startService } from './service.ts';
import { RUNTIMES } from './service-process.ts';

const TIME_LIMIT_S = 1;
/** Longer than each time limit, and than twice that of a request, after which Node cuts a silent connection. */
const STOPPED_MS = 3_000;
/** Requests that took longer to arrive may have met their time limit before the process stopped. */
const MAX_ARRIVAL_MS = 500;
const MAX_ATTEMPTS = 5;
const BODY = '{"quantity":7}';

for (const runtime of RUNTIMES) {
  test(`requests that arrive while the process is stopped are answered on ${runtime}`, async (t) => {
    const service = await startService(t, {
      runtime,
      pets: [{ petId: 1n, quantity: 5 }],
      env: { PETSTORE_HEADERS_TIMEOUT: `${TIME_LIMIT_S}`, PETSTORE_REQUEST_TIMEOUT: `${TIME_LIMIT_S}` },
    });
    let statuses = await statusesAfterStop(t, service);
    // A batch of the service itself, such as of its counts, may run when the process stops. It has the age of the stop then,
    // and changes behind it are refused.
    for (let attempt = 2; attempt <= MAX_ATTEMPTS && statuses.includes(503); attempt += 1) {
      statuses = await statusesAfterStop(t, service);
    }
    assert.deepEqual(statuses, [200, 200, 200]);
  });
}

async function statusesAfterStop(t: TestContext, service: Service): Promise<(number | undefined)[]> {
  const bytes = patch(BODY).replace(KEY_PLACEHOLDER, service.key);
  const sent = [0, 20, bytes.length - BODY.length + 3];
  const clients = await stoppedInTime(t, service, bytes, sent);
  for (const [i, client] of clients.entries()) client.send(bytes.slice(sent[i]));
  await delay(STOPPED_MS);
  process.kill(service.pid, 'SIGCONT');
  const answers = await Promise.all(clients.map((client) => client.next()));
  return answers.map((answer) => answer?.status);
}

type Service = Awaited<ReturnType<typeof startService>>;

/** Clients whose first bytes the process has got when it is stopped. On a busy machine that can take several attempts. */
async function stoppedInTime(t: TestContext, service: Service, bytes: string, sent: readonly number[]) {
  for (;;) {
    const startMs = performance.now();
    const clients = await Promise.all(sent.map(() => RawSocket.open(service.port)));
    t.after(() => clients.forEach((client) => client.destroy()));
    for (const [i, client] of clients.entries()) client.send(bytes.slice(0, sent[i]));
    // The parts have arrived when a request behind them is answered, and no batch of clients runs after this change.
    const before = await RawSocket.open(service.port);
    before.send(bytes);
    assert.equal((await before.next())?.status, 200);
    before.destroy();
    process.kill(service.pid, 'SIGSTOP');
    if (performance.now() - startMs < MAX_ARRIVAL_MS) return clients;
    process.kill(service.pid, 'SIGCONT');
    for (const client of clients) client.destroy();
  }
}
