import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { errorOf, listedQuantities, request, setQuantity } from '../../blackbox/api-request.ts';
import { type Service, startService } from '../../blackbox/service.ts';
import { temporaryFolder } from '../../support/command-line.ts';
import { ordersOf, placeOrder } from './order-requests.ts';
import { isSkippedDaily } from '../../support/long-test.ts';

const DEADLINE_MS = 60_000;
const MAX_CHANGES = 2_000;
const MAX_FILE_BYTES = 1_048_576;
const PETS = Array.from({ length: 50 }, (_, i) => ({ petId: BigInt(i + 1), quantity: 5 }));

/** Makes changes until one is refused. Returns the last acknowledged quantity of each pet. */
async function fillWithChanges(service: Service, from: number): Promise<Map<string, string>> {
  const acknowledged = new Map<string, string>();
  for (let change = 0; change < MAX_CHANGES; change += 1) {
    const petId = 1 + (change % 10);
    const answer = await setQuantity(service, petId, from + change);
    if (answer.status !== 200) return acknowledged;
    acknowledged.set(String(petId), String(from + change));
  }
  throw new Error('The disk was never full.');
}

/** While nothing can be written: 503 with Retry-After, nothing changed, and lists as before. */
async function assertReadOnly(service: Service, isFull: boolean): Promise<void> {
  const before = await listedQuantities(service);
  for (let attempt = 0; attempt < 10; attempt += 1) {
    const refused = await setQuantity(service, 40 + attempt, 77);
    assert.equal(refused.status, 503, refused.body.toString());
    assert.equal(errorOf(refused).code, 'service_unavailable');
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    assert.equal(errorOf(refused).message.includes('disk of the database is full'), isFull);
  }
  const orders = await ordersOf(service);
  assert.equal((await placeOrder(service, 1, 1)).status, 503);
  assert.deepEqual(await ordersOf(service), orders);
  assert.deepEqual(await listedQuantities(service), before);
  const read = await request(service, { path: '/v1/pets/1', key: service.key });
  assert.equal(read.status, 200);
  if (isFull) {
    const readiness = await readinessOf(service);
    assert.deepEqual([readiness.status, errorOf(readiness).message.includes('disk')], [503, true]);
  }
  assert.ok(service.isAlive());
}

async function assertRecovers(service: Service, acknowledged: ReadonlyMap<string, string>): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  let answer = await setQuantity(service, 50, 123_456);
  while (answer.status === 503 && Date.now() < deadline) {
    await delay(50);
    answer = await setQuantity(service, 50, 123_456);
  }
  assert.equal(answer.status, 200);
  const orders = await ordersOf(service);
  assert.equal((await placeOrder(service, 50, 3)).status, 201);
  assert.equal((await ordersOf(service)).length, orders.length + 1);
  const quantities = await listedQuantities(service);
  assert.equal(quantities.get('50'), '123456');
  for (const [petId, quantity] of acknowledged) assert.equal(quantities.get(petId), quantity);
  assert.equal((await readinessOf(service)).status, 200);
  const { faults } = await service.cli('verify');
  assert.deepEqual(faults, []);
}

/** A folder that is a disk of 2 MB, if this user may mount one; it goes away with the test. */
function mountSmallDisk(t: TestContext): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-disk-'));
  t.after(() => {
    // Lazily: it must go even while a service that hangs still has files open there.
    spawnSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]);
  if (status === 0) return folder;
  t.diagnostic(
    `No disk of 2 MB can be mounted here (${String(stderr).trim()}); writes fail by RLIMIT_FSIZE.`,
  );
  return undefined;
}

/** Fills the rest of a disk. */
function fillDisk(file: string): void {
  const descriptor = openSync(file, 'w');
  try {
    for (const size of [65_536, 4_096, 1]) {
      try {
        for (;;) writeSync(descriptor, Buffer.alloc(size));
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
      }
    }
  } finally {
    closeSync(descriptor);
  }
}

test('a full disk refuses changes, serves lists, and accepts changes again as soon as it has room', async (t) => {
  const databaseDir = mountSmallDisk(t);
  if (databaseDir === undefined) return survivesFileLimit(t, temporaryFolder(t));
  const service = await startService(t, { databaseDir, pets: PETS });
  for (let round = 0; round < 2; round += 1) {
    const filler = join(databaseDir, 'filler');
    fillDisk(filler);
    const acknowledged = await fillWithChanges(service, 10_000 * (round + 1));
    await assertReadOnly(service, true);
    rmSync(filler);
    await assertRecovers(service, acknowledged);
  }
  assert.equal(await service.stop(), 0);
});

test('a service that starts on a full disk is not ready until it has room', async (t) => {
  const databaseDir = mountSmallDisk(t);
  if (databaseDir === undefined) return t.skip('no disk can be mounted here');
  const before = await startService(t, { databaseDir, pets: PETS });
  const filler = join(databaseDir, 'filler');
  fillDisk(filler);
  await fillWithChanges(before, 10_000);
  await before.kill9();
  const service = await startService(t, { databaseDir, key: before.key });
  assert.equal((await readinessOf(service)).status, 503);
  assert.equal((await listedQuantities(service)).size, PETS.length);
  rmSync(filler);
  while ((await readinessOf(service)).status !== 200) await delay(50);
  assert.equal((await setQuantity(service, 1, 5)).status, 200);
});

function readinessOf(service: Service): ReturnType<typeof request> {
  return request(service, { path: '/readyz' });
}

test('writes that fail for another reason are refused alike, and work again afterwards', (t) =>
  survivesFileLimit(t, temporaryFolder(t)));

test('a ban that could not be written down is written down as soon as it can be', async (t) => {
  if (isSkippedDaily(t)) return;
  const service = await startService(t, { databaseDir: temporaryFolder(t) });
  const strict = ['--plan', 'enterprise', '--per-minute', '1', '--per-day', '1000'];
  await service.cli('accounts', 'set-plan', service.account, ...strict);
  limitFileSize(service.pid, '4096:unlimited');
  const deadline = Date.now() + DEADLINE_MS;
  let code: string | undefined;
  while (code !== 'api_key_banned') {
    assert.ok(Date.now() < deadline, 'the key is banned');
    const answer = await request(service, { path: '/v1/inventory', key: service.key });
    code = answer.status === 200 ? undefined : errorOf(answer).code;
  }
  limitFileSize(service.pid, 'unlimited:unlimited');
  let bans: unknown;
  while (!Array.isArray(bans) || bans.length === 0) {
    assert.ok(Date.now() < deadline, 'the operator sees the ban');
    bans = await service.cli('bans', 'list');
  }
});

/**
 * Prevents files of the process from growing (setrlimit(2), RLIMIT_FSIZE), which makes its writes fail; then restores
 * the limit.
 */
async function survivesFileLimit(t: TestContext, databaseDir: string): Promise<void> {
  const service = await startService(t, { databaseDir, pets: PETS });
  limitFileSize(service.pid, `${MAX_FILE_BYTES}:unlimited`);
  const acknowledged = await fillWithChanges(service, 10_000);
  assert.ok(acknowledged.size > 0);
  await assertReadOnly(service, false);
  limitFileSize(service.pid, 'unlimited:unlimited');
  await assertRecovers(service, acknowledged);
  assert.equal(await service.stop(), 0);
}

function limitFileSize(pid: number, limit: string): void {
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(pid), `--fsize=${limit}`]);
  assert.equal(status, 0, String(stderr));
}
