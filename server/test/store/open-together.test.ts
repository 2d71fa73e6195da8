import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { temporaryFolder } from '../support/command-line.ts';

const THREADS = 4;
/** One open in 35 failed. */
const FILES = 100;

test('threads that make a database at the same time all open it', async (t) => {
  const folder = temporaryFolder(t);
  const files = Array.from({ length: FILES }, (_, i) => join(folder, `${i}.db`));
  const arrived = new Int32Array(new SharedArrayBuffer(4 * FILES));
  const workers = Array.from({ length: THREADS }, () => {
    const url = new URL('open-together-worker.ts', import.meta.url);
    const worker = new Worker(url, { workerData: { files, arrived, threads: THREADS } });
    return new Promise<readonly string[]>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
    });
  });
  assert.deepEqual((await Promise.all(workers)).flat(), []);
});
