import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { RawSocket } from '../blackbox/raw-socket.ts';
import { startService } from '../blackbox/service.ts';
import { RUNTIMES } from '../blackbox/service-process.ts';
import { isSkippedDaily } from '../support/long-test.ts';

const PIECES = 400_000;
/** On a busy machine garbage would otherwise fill as much memory as what the test looks for. */
const SMALL_YOUNG_GENERATION = { NODE_OPTIONS: '--max-semi-space-size=2' };
/** So many pieces take a busy machine longer than the time limit of a request. */
const LONG_TIMEOUT = { PETSTORE_REQUEST_TIMEOUT: '300' };
/** Each piece that is kept takes 150 to 300 bytes: 60 to 120 MB for so many. */
const MAX_MIB = 55;

/** The peak memory of a process (Linux). */
function peakMib(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
}

for (const runtime of RUNTIMES) {
  test(`on ${runtime}, a body in pieces of one byte takes no memory for each piece`, async (t) => {
    if (runtime === 'bun' && isSkippedDaily(t)) return;
    const { port, pid, key } = await startService(t, {
      runtime,
      env: { ...SMALL_YOUNG_GENERATION, ...LONG_TIMEOUT },
    });
    const send = async (pieces: number) => {
      const socket = await RawSocket.open(port);
      const head = `POST /v1/inventory/batch HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
      socket.send(`${head}${'1\r\n \r\n'.repeat(pieces)}0\r\n\r\n`);
      assert.equal((await socket.next({ deadlineMs: 300_000 }))?.status, 400);
      socket.destroy();
    };
    await send(PIECES / 10);
    const before = peakMib(pid);
    await send(PIECES);
    assert.ok(peakMib(pid) - before < MAX_MIB, `from ${before} to ${peakMib(pid)} MiB`);
  });
}
