import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { temporaryFolder } from './command-line.ts';
import './reused-threads.ts';

const MODULE = `import { parentPort, threadId, workerData } from 'node:worker_threads';
if (workerData === 'bad') throw new RangeError('planted');
const started = performance.now();
parentPort.on('message', (message) => {
  if (message === 'close') parentPort.close();
  else if (message === 'crash') throw new RangeError('planted');
  else parentPort.postMessage([threadId, workerData, started]);
});
`;

test('a thread runs the next module when one closes its port, and not after an error', async (t) => {
  const path = join(temporaryFolder(t), 'writer-worker.ts');
  writeFileSync(path, MODULE);
  const start = (workerData: string) => new Worker(pathToFileURL(path), { workerData });
  const answerOf = async (worker: Worker) => {
    worker.postMessage('state');
    return (await once(worker, 'message'))[0] as [number, string, number];
  };
  const close = async (worker: Worker) => {
    worker.postMessage('close');
    assert.deepEqual(await once(worker, 'exit'), [0]);
  };
  const first = start('first');
  const [threadId, data, started] = await answerOf(first);
  assert.equal(data, 'first');
  const second = start('second');
  const concurrent = await answerOf(second);
  assert.notEqual(concurrent[0], threadId);
  await close(first);
  const third = start('third');
  const again = await answerOf(third);
  assert.deepEqual(again.slice(0, 2), [threadId, 'third']);
  assert.notEqual(again[2], started, 'the module is evaluated again');
  for (const cause of ['crash', 'bad']) {
    const worker = cause === 'crash' ? third : start(cause);
    const exited = once(worker, 'exit');
    const failed = assert.rejects(exited, { name: 'RangeError', message: 'planted' });
    const exit = new Promise((resolve) => worker.once('exit', resolve));
    if (cause === 'crash') worker.postMessage(cause);
    await failed;
    assert.equal(await exit, 1);
  }
  const fourth = start('fourth');
  assert.notEqual((await answerOf(fourth))[0], threadId);
  await close(fourth);
  await close(second);
});
