import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { errorOf, listedQuantities, request, setQuantity } from '../../blackbox/api-request.ts';
import type { RawResponse } from '../../blackbox/raw-socket.ts';
import { type Service, startService } from '../../blackbox/service.ts';
import { MAIN } from '../../support/bundle/service-program.ts';
import { environmentOf, run, temporaryFolder } from '../../support/command-line.ts';
import { failCalls, failing, mayTrace } from './failing-calls.ts';
import { ordersOf, placeOrder } from './order-requests.ts';

const DEADLINE_MS = 15_000;
const PETS = [1n, 2n].map((petId) => ({ petId, quantity: 5 }));

/** Asserts that a write whose fsync failed is refused, and leaves nothing after a crash. */
async function assertForgotten(
  t: TestContext,
  write: (service: Service) => Promise<RawResponse>,
): Promise<void> {
  if (!mayTrace(t)) return;
  const databaseDir = temporaryFolder(t);
  const service = await startService(t, { databaseDir, pets: PETS });
  assert.equal((await setQuantity(service, 1, 6)).status, 200);
  const repair = await failCalls(t, service, { when: ':when=1' });
  if (!repair) return t.diagnostic('strace may not attach to a process here.');
  const refused = await write(service);
  assert.equal(refused.status, 503);
  assert.match(errorOf(refused).message, /nothing was changed/);
  await service.kill9();
  await repair();
  const again = await startService(t, { databaseDir, key: service.key });
  assert.equal((await listedQuantities(again)).get('1'), '6');
  assert.deepEqual(await ordersOf(again), []);
  assert.match(
    (await request(again, { path: '/v1/inventory/1', key: again.key })).body.toString(),
    /"reserved":0/,
  );
  assert.deepEqual((await again.cli('verify')).faults, []);
}

test('a change whose fsync failed does not reappear after a crash, after its place in the log is reused', (t) =>
  assertForgotten(t, (service) => setQuantity(service, 1, 77)));

test('an order whose fsync failed does not reappear after a crash', (t) =>
  assertForgotten(t, (service) => placeOrder(service, 1, 2)));

test('while no fsync succeeds nothing is answered from the database, and a change is unconfirmed', async (t) => {
  if (!mayTrace(t)) return;
  const databaseDir = temporaryFolder(t);
  const service = await startService(t, { databaseDir, pets: PETS });
  assert.equal((await setQuantity(service, 1, 6)).status, 200);
  const repair = await failCalls(t, service);
  if (!repair) return t.diagnostic('strace may not attach to a process here.');
  const unconfirmed = await setQuantity(service, 1, 77);
  assert.equal(unconfirmed.status, 503);
  assert.match(errorOf(unconfirmed).message, /could not be confirmed; read it back/);
  // The value that is read now may differ after a crash.
  for (const path of ['/v1/inventory', '/v1/inventory/1', '/readyz']) {
    assert.equal((await request(service, { path, key: service.key })).status, 503, path);
  }
  assert.equal((await setQuantity(service, 2, 7)).status, 503);
  await repair();
  await until(async () => (await request(service, { path: '/readyz' })).status === 200);
  assert.equal((await listedQuantities(service)).get('1'), '6');
  await service.kill9();
  const again = await startService(t, { databaseDir, key: service.key });
  const quantities = await listedQuantities(again);
  assert.deepEqual([quantities.get('1'), quantities.get('2')], ['6', '5']);
  assert.deepEqual((await again.cli('verify')).faults, []);
});

test('a commit after which the files cannot be checked is unconfirmed, and is there as soon as they can be', async (t) => {
  if (!mayTrace(t)) return;
  const service = await startService(t, { pets: PETS });
  const repair = await failCalls(t, service, { calls: 'statx' });
  if (!repair) return t.diagnostic('strace may not attach to a process here.');
  const ready = () => request(service, { path: '/readyz' });
  await until(async () => (await ready()).status === 503);
  assert.match(errorOf(await ready()).message, /files of the database cannot be checked/);
  for (const path of ['/v1/inventory', '/v1/inventory/1']) {
    assert.equal((await request(service, { path, key: service.key })).status, 503, path);
  }
  assert.equal((await setQuantity(service, 1, 7)).status, 503);
  await repair();
  await until(async () => (await ready()).status === 200);
  assert.equal((await setQuantity(service, 1, 8)).status, 200);
  assert.equal((await listedQuantities(service)).get('1'), '8');
});

test('a command whose commit the disk does not confirm reports that the change may or may not be stored', async (t) => {
  if (!mayTrace(t)) return;
  const databaseDir = temporaryFolder(t);
  const service = await startService(t, { databaseDir });
  const words = ['accounts', 'create', 'second', '--plan', 'free'];
  const { code, stderr } = await run(
    'strace',
    [...failing([join(databaseDir, 'petstore.db-wal')]), process.execPath, MAIN, ...words],
    databaseDir,
    environmentOf(databaseDir),
  );
  assert.equal(code, 1);
  assert.match(stderr, /^error: The disk did not confirm the change \(.*\), so it may be there or not; /m);
  assert.ok(service.isAlive());
});

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!(await isTrue())) {
    assert.ok(Date.now() < deadline, 'in time');
    await delay(20);
  }
}
