import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createKey } from '../../src/cli/keys/new-key.ts';
import { MAX_OPEN_EXPORTS } from '../../src/http/admin/open-exports.ts';
import { type Target, testTargets } from '../blackbox/targets.ts';
import { petRow } from '../support/command-line.ts';
import { until } from '../support/until.ts';

/** A file of about 20 MB: more than the buffers of a connection take. */
const PETS = 80_000;
const NAME = 'x'.repeat(190);
const FILES = ['/admin/v1/pets/export?format=ndjson', '/admin/v1/pets/rows'];
/** All files that are open would have 200 MB. A service needs 20 to 50 MB, and more on a busy machine, where V8 collects later. */
const MAX_GROWTH_BYTES = 120_000_000;
/** A client that reads nothing is cut after twice the time of a request; on Bun after that of an idle connection. */
const TIMES = {
  PETSTORE_HEADERS_TIMEOUT: '1',
  PETSTORE_REQUEST_TIMEOUT: '4',
  PETSTORE_KEEP_ALIVE_TIMEOUT: '8',
};

async function startShop(t: TestContext, target: Target) {
  const service = await target.start(t, { env: TIMES });
  const newKey = () =>
    service.withAdmin(async (admin, config) => {
      const fields = { role: 'viewer', name: 'viewer', scopes: null, expiresAtMs: null } as const;
      return (await createKey(config, admin, fields)).secret;
    });
  await service.withAdmin((admin) =>
    admin.importPets(
      Array.from({ length: PETS }, (_, i) => petRow(i, { name: NAME })),
      'cli',
    ),
  );
  /** Requests a file. Returns the connection, from which only the first piece is read, and the status. */
  const open = async (path: string, key: string, method = 'GET') => {
    const socket = connect({ port: service.port, host: '127.0.0.1' });
    t.after(() => socket.destroy());
    socket.on('error', () => undefined);
    const lines = ['Host: localhost', `Authorization: Bearer ${key}`, 'Connection: close'];
    socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    const first = await new Promise<string>((resolve) => {
      socket.once('data', (piece: Buffer) => {
        socket.pause();
        resolve(piece.toString('latin1'));
      });
    });
    return { socket, first, status: Number(first.slice(9, 12)) };
  };
  return { service, newKey, open };
}

function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024;
}

function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Reads the rest of a response in small pieces. Returns its lines. */
async function readSlowly(socket: Socket, first: string): Promise<number> {
  let lines = first.split('\n').length - 1;
  let end = '';
  socket.on('data', (piece: Buffer) => {
    socket.pause();
    for (const byte of piece) if (byte === 10) lines += 1;
    end = (end + piece.toString('latin1')).slice(-10);
    setImmediate(() => socket.resume());
  });
  socket.resume();
  await once(socket, 'close');
  assert.ok(end.endsWith('\r\n0\r\n\r\n'), 'the file is whole');
  return lines;
}

for (const target of testTargets()) {
  test(`on ${target.name}, clients that do not read a file of all pets take neither memory nor places for long`, async (t) => {
    const { service, newKey, open } = await startShop(t, target);
    for (const path of FILES) {
      const [key, other] = [await newKey(), await newKey()];
      const statusOf = async (method?: string) => {
        const { socket, status } = await open(path, key, method);
        socket.destroy();
        return status;
      };
      const readWhole = async () => {
        const { socket, first } = await open(path, other);
        assert.ok((await readSlowly(socket, first)) > PETS, path);
      };
      // It starts the thread of the database, and takes the memory of one file.
      await readWhole();
      const before = { bytes: residentBytes(service.pid), sockets: openFiles(service.pid) };
      const unread = await Promise.all(Array.from({ length: MAX_OPEN_EXPORTS }, () => open(path, key)));
      assert.ok(
        unread.every(({ status }) => status === 200),
        path,
      );
      const refused = await open(path, key);
      assert.equal(refused.status, 503, path);
      assert.match(refused.first, /This key reads 5 such files here already, which is its limit/);
      assert.equal(await statusOf('HEAD'), 200, `${path}: HEAD opens none`);
      await readWhole();
      const growth = residentBytes(service.pid) - before.bytes;
      t.diagnostic(`${path}: ${Math.round(growth / 1e6)} MB more`);
      assert.ok(growth < MAX_GROWTH_BYTES, `${path}: ${growth} bytes`);
      unread[0]?.socket.destroy();
      await until(async () => (await statusOf()) === 200, 'the place of a client that disconnected is free');
      await until(() => openFiles(service.pid) <= before.sockets, 'clients that read nothing are cut');
      const again = await Promise.all(unread.map(() => open(path, key)));
      assert.ok(
        again.every(({ status }) => status === 200),
        `${path}: their places are free`,
      );
      for (const { socket } of again) socket.destroy();
    }
    assert.ok(service.isAlive(), service.logs());
  });
}
