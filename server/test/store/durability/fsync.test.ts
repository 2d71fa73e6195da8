import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { databaseFile, openDatabase, openReader } from '../../../src/store/sqlite/open.ts';
import { listedQuantities } from '../../blackbox/api-request.ts';
import { RawSocket } from '../../blackbox/raw-socket.ts';
import { startService } from '../../blackbox/service.ts';
import { MAIN } from '../../support/bundle/service-program.ts';
import { environmentOf, temporaryFolder } from '../../support/command-line.ts';
import { startApp } from '../../support/harness.ts';

const CHANGES = 200;
const FIRST_PET = 5_000_000;
const TRACED = 'trace=read,recvfrom,write,writev,sendto,sendmsg,pwrite64,fsync,fdatasync';
/** SQLite's number for FULL: a commit returns after its fsync. */
const FULL = 2;

test('every connection, also a reopened one, waits for the disk at each commit', async (t) => {
  const { config } = await startApp(t);
  const file = databaseFile(config.database);
  for (let opened = 0; opened < 3; opened += 1) {
    for (const database of [openDatabase(file), openReader(file)]) {
      assert.equal(database.prepare('PRAGMA synchronous').get()?.synchronous, FULL);
      assert.equal(database.prepare('PRAGMA journal_mode').get()?.journal_mode, 'wal');
      database.close();
    }
  }
});

test('a change is answered only after an fsync of the log has ended', async (t) => {
  if (!canTrace()) {
    t.diagnostic('strace is not there or may not trace: only the settings of the connections were checked.');
    return;
  }
  const databaseDir = temporaryFolder(t);
  const pets = Array.from({ length: CHANGES }, (_, i) => ({ petId: BigInt(FIRST_PET + i), quantity: 0 }));
  const prepared = await startService(t, { databaseDir, pets });
  assert.equal((await listedQuantities(prepared)).size, CHANGES);
  assert.equal(await prepared.stop(), 0);
  const trace = join(databaseDir, 'trace');
  const { port, stop } = await startTraced(t, databaseDir, trace);
  const socket = await RawSocket.open(port);
  for (const { petId } of pets) {
    socket.send(patch(petId, prepared.key));
    assert.equal((await socket.next())?.status, 200);
  }
  socket.destroy();
  await stop();
  assertDurableBeforeAnswer(readFileSync(trace, 'latin1').split('\n'));
});

function canTrace(): boolean {
  return spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0;
}

function patch(petId: bigint, key: string): string {
  const head = `PATCH /v1/inventory/${petId} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n`;
  return `${head}Content-Type: application/json\r\nContent-Length: 14\r\n\r\n{"quantity":7}`;
}

async function startTraced(t: TestContext, folder: string, trace: string) {
  const env = environmentOf(folder);
  const words = ['-f', '-y', '-s', '64', '-e', TRACED, '-o', trace, process.execPath, MAIN, 'serve'];
  const strace = spawn('strace', words, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(strace, 'exit');
  let servicePid: number | undefined;
  t.after(() => {
    if (strace.exitCode !== null || strace.signalCode !== null) return;
    if (servicePid !== undefined) process.kill(servicePid, 'SIGKILL');
    strace.kill('SIGKILL');
  });
  for await (const line of createInterface({ input: strace.stdout })) {
    const { msg, url, pid } = JSON.parse(line) as { msg: string; url: string; pid: number };
    if (msg !== 'listening') continue;
    servicePid = pid;
    const stop = async () => {
      process.kill(pid, 'SIGTERM');
      const [code] = await exited;
      assert.equal(code, 0);
    };
    return { port: Number(new URL(url).port), stop };
  }
  throw new Error('The traced service did not start.');
}

/**
 * Walks along the system calls of all threads: from the read of a PATCH to the write of its answer, the log
 * must have been written to, and after that flushed with success.
 */
function assertDurableBeforeAnswer(lines: readonly string[]): void {
  let petId: string | undefined;
  let isWritten = false;
  let isFlushed = false;
  let durable = 0;
  /** The file that each thread flushes, for calls that strace splits over two lines. */
  const flushing = new Map<string, string>();
  for (const line of lines) {
    const [, thread = '', call = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    petId = /"PATCH \/v1\/inventory\/(\d+) /.exec(call)?.[1] ?? petId;
    if (/"PATCH /.test(call)) {
      isWritten = false;
      isFlushed = false;
    } else if (/^pwrite64\([^"]*-wal>/.test(call)) {
      isWritten = true;
      isFlushed = false;
    } else if (/^(?:fsync|fdatasync)\(.*<unfinished/.test(call)) {
      flushing.set(thread, call);
    } else if (/^(?:fsync|fdatasync)\(|^<\.\.\. (?:fsync|fdatasync) resumed/.test(call)) {
      const whole = `${flushing.get(thread) ?? ''}${call}`;
      flushing.delete(thread);
      if (isWritten && whole.includes('-wal>') && / = 0(?: |$)/.test(call)) isFlushed = true;
    } else if (/"HTTP\/1\.1 200/.test(call)) {
      assert.ok(isWritten, `the log was written to before the answer about pet ${petId}`);
      assert.ok(isFlushed, `the log was flushed before the answer about pet ${petId}`);
      durable += 1;
    }
  }
  assert.equal(durable, CHANGES);
}
