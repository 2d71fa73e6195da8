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
const BODY = '{"quantity":7}';

for (const runtime of RUNTIMES) {
  test(`requests that arrive while the process is stopped are answered on ${runtime}`, async (t) => {
    const service = await startService(t, {
      runtime,
      pets: [{ petId: 1n, quantity: 5 }],
      env: { PETSTORE_HEADERS_TIMEOUT: `${TIME_LIMIT_S}`, PETSTORE_REQUEST_TIMEOUT: `${TIME_LIMIT_S}` },
    });
    const bytes = patch(BODY).replace(KEY_PLACEHOLDER, service.key);
    const sent = [0, 20, bytes.length - BODY.length + 3];
    const clients = await stoppedInTime(t, service, bytes, sent);
    for (const [i, client] of clients.entries()) client.send(bytes.slice(sent[i]));
    await delay(STOPPED_MS);
    process.kill(service.pid, 'SIGCONT');
    const answers = await Promise.all(clients.map((client) => client.next()));
    assert.deepEqual(
      answers.map((answer) => answer?.status),
      [200, 200, 200],
    );
  });
}

type Service = Awaited<ReturnType<typeof startService>>;

/** Clients whose first bytes the process has got when it is stopped. On a busy machine that can take several attempts. */
async function stoppedInTime(t: TestContext, service: Service, bytes: string, sent: readonly number[]) {
  for (;;) {
    const startMs = performance.now();
    const clients = await Promise.all(sent.map(() => RawSocket.open(service.port)));
    t.after(() => clients.forEach((client) => client.destroy()));
    for (const [i, client] of clients.entries()) client.send(bytes.slice(0, sent[i]));
    // The parts have arrived when a request behind them is answered. A batch that runs when the process stops has the age
    // of the stop, and changes behind it are refused: none runs after this change, which is on disk.
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
