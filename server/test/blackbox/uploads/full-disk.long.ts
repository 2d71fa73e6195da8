import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createKey } from '../../../src/cli/keys/new-key.ts';
import { until } from '../../support/until.ts';
import { errorOf, request, setQuantity } from '../api-request.ts';
import { RawSocket } from '../raw-socket.ts';
import { type Service, startService } from '../service.ts';

const DISK_MB = 24;
const PETS = Array.from({ length: 50 }, (_, i) => ({ petId: BigInt(i + 1), quantity: 5 }));
const PIECE = Buffer.alloc(500_000, '1,1\n');

function mountDisk(t: TestContext): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-disk-'));
  t.after(() => {
    // Lazily: it must go even while a service that hangs still has files open there.
    spawnSync('umount', ['--lazy', folder]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const { status, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m`, 'tmpfs', folder]);
  if (status === 0) return folder;
  t.skip(`No disk of ${DISK_MB} MB can be mounted here: ${String(stderr).trim()}`);
  return undefined;
}

async function staffKey(service: Service): Promise<string> {
  return service.withAdmin(async (admin, config) => {
    const fields = { role: 'staff', name: 'staff', scopes: null, expiresAtMs: null } as const;
    return (await createKey(config, admin, fields)).secret;
  });
}

/** Opens an upload. With a length it is declared, else it comes in chunks. */
async function beginUpload(
  t: TestContext,
  { port }: Service,
  key: string,
  length?: number,
): Promise<RawSocket> {
  const socket = await RawSocket.open(port);
  t.after(() => socket.destroy());
  const framing = length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
  socket.send(
    `POST /admin/v1/imports HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: text/csv\r\n${framing}\r\n\r\n`,
  );
  return socket;
}

async function refusalOf(socket: RawSocket): Promise<readonly [number, string]> {
  const answer = await socket.next({ deadlineMs: 20_000 });
  assert.ok(answer, 'there is an answer');
  return [answer.status, errorOf(answer).code];
}

function fill(file: string): void {
  for (const size of [1_048_576, 65_536, 4_096]) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(size));
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
    }
  }
}

async function ready(service: Service): Promise<number> {
  return (await request(service, { path: '/readyz' })).status;
}

async function imports(service: Service, key: string): Promise<{ id: string; state: string }[]> {
  const { status, body } = await request(service, { path: '/admin/v1/imports', key });
  assert.equal(status, 200, `${body} ${service.logs()}`);
  return JSON.parse(body.toString());
}

test(
  'an upload larger than the free disk is refused, and changes continue',
  {
    timeout: 120_000,
  },
  async (t) => {
    const databaseDir = mountDisk(t);
    if (databaseDir === undefined) return;
    const env = { PETSTORE_DISK_RESERVE: '4000000' };
    const service = await startService(t, { databaseDir, pets: PETS, env });
    const key = await staffKey(service);
    const declared = await beginUpload(t, service, key, 26_000_000);
    assert.deepEqual(await refusalOf(declared), [507, 'disk_full']);

    const chunked = await beginUpload(t, service, key);
    const chunk = Buffer.concat([
      Buffer.from(`${PIECE.length.toString(16)}\r\n`),
      PIECE,
      Buffer.from('\r\n'),
    ]);
    for (let sent = 0; sent < 52 && !chunked.isClosed; sent += 1) {
      chunked.send(chunk);
      await until(() => chunked.unsentBytes < PIECE.length || chunked.isClosed, 'the piece is sent');
    }
    assert.deepEqual(await refusalOf(chunked), [507, 'disk_full']);
    assert.equal((await setQuantity(service, 1, 99)).status, 200);
    assert.equal(await ready(service), 200);
    await until(async () => (await imports(service, key)).length === 0, 'nothing is left of it');
    assert.equal(await service.stop(), 0);
  },
);

test(
  'on a disk that others filled, imports are deleted, and that makes room for changes',
  {
    timeout: 120_000,
  },
  async (t) => {
    const databaseDir = mountDisk(t);
    if (databaseDir === undefined) return;
    const env = { PETSTORE_DISK_RESERVE: '1000000' };
    const service = await startService(t, { databaseDir, pets: PETS, env });
    const key = await staffKey(service);
    const rows = Array.from({ length: 10_000 }, (_, i) => `${i},1,${'x'.repeat(190)}\n`);
    const body = `petId,quantity,name\n${rows.join('')}`;
    const socket = await beginUpload(t, service, key, body.length);
    socket.send(body);
    assert.equal((await socket.next({ deadlineMs: 30_000 }))?.status, 202);
    await until(async () => (await imports(service, key))[0]?.state !== 'checking', 'the file is checked');
    assert.ok(existsSync(join(databaseDir, 'petstore.db-reserve')), 'room is kept for the clean-up');

    fill(join(databaseDir, 'filler'));
    let refused = await setQuantity(service, 2, 1_000);
    for (let change = 0; change < 3_000 && refused.status === 200; change += 1)
      refused = await setQuantity(service, 1 + (change % 50), 10_000 + change);
    assert.deepEqual([refused.status, errorOf(refused).code], [503, 'service_unavailable']);
    assert.match(errorOf(refused).message, /disk of the database is full/);
    const readiness = await request(service, { path: '/readyz' });
    assert.equal(readiness.status, 503);
    assert.match(readiness.body.toString(), /disk of the database is full/);
    const metrics = await request(service, { path: '/metrics' });
    assert.match(metrics.body.toString(), /^petstore_disk_full 1$/m);

    const [listed] = await imports(service, key);
    assert.ok(listed);
    const deleted = await request(service, { method: 'DELETE', path: `/admin/v1/imports/${listed.id}`, key });
    assert.equal(deleted.status, 204, deleted.body.toString());
    await until(
      async () => (await setQuantity(service, 3, 77)).status === 200,
      'there is room in the file again',
    );
    assert.equal(await ready(service), 200);
    const { bavail, bsize } = statfsSync(databaseDir);
    t.diagnostic(`${bavail * bsize} bytes of the disk are free`);
    assert.deepEqual((await service.cli('verify')).faults, []);
    assert.equal(await service.stop(), 0);
  },
);
