import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { startService } from '../../src/cli/serve.ts';
import { readConfig, stockRules } from '../../src/config.ts';
import type { ManagementDatabase } from '../../src/management/call-messages.ts';
import { databaseFile } from '../../src/store/sqlite/open.ts';
import type { WriterData } from '../../src/store/sqlite/writer-thread.ts';
import type { SenderData } from '../../src/webhooks/sender-thread.ts';
import { TEST_PEPPER } from '../support/command-line.ts';
import { countFullCollections } from '../support/full-collections.ts';
import { newDatabase } from '../support/test-database.ts';
import { until } from '../support/until.ts';
import { isSkippedOnBun } from '../support/long-test.ts';

/** Whether a thread of this process has collected all garbage: for that, `fitMemoryToLoad` sets an option of all threads. */
const hasExposedCollector = () => runInNewContext('typeof gc') === 'function';

for (const [module, dataOf] of [
  ['management/management-worker.ts', (data): ManagementDatabase => data],
  ['store/sqlite/writer-worker.ts', ({ url, rules }): WriterData => ({ file: databaseFile(url), rules })],
  [
    'webhooks/sender-worker.ts',
    ({ url, pepper }): SenderData => ({ url, pepper, owner: 'test', networks: [], version: '1.0.0' }),
  ],
] as const satisfies readonly (readonly [string, (data: ManagementDatabase) => unknown])[]) {
  test(`the thread of ${module} gives memory back when it is quiet`, async (t) => {
    if (isSkippedOnBun(t, 'options of V8')) return;
    setFlagsFromString('--no-expose-gc');
    assert.equal(hasExposedCollector(), false);
    const { url } = await newDatabase(t);
    const config = readConfig({ PETSTORE_DATABASE: url });
    const workerData = dataOf({ url, rules: stockRules(config), pepper: TEST_PEPPER });
    const worker = new Worker(new URL(`../../src/${module}`, import.meta.url), { workerData });
    t.after(() => worker.terminate());
    await until(hasExposedCollector, 'the collection of the thread');
  });
}

test('the thread that serves gives memory back when it is quiet', async (t) => {
  if (isSkippedOnBun(t, 'options of V8')) return;
  // A larger heap than a service begins with is not collected, and this one has the garbage of the tests before.
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const fullCollections = countFullCollections(t);
  const { url } = await newDatabase(t);
  const service = await startService(
    readConfig({
      PORT: '0',
      PETSTORE_HOST: '127.0.0.1',
      PETSTORE_DATABASE: url,
      PETSTORE_PEPPER: TEST_PEPPER.toString(),
      PETSTORE_DASHBOARD: 'off',
      PETSTORE_LOG_LEVEL: 'silent',
    }),
  );
  await until(() => fullCollections() > 0, 'the collection of the thread that serves');
  process.kill(process.pid, 'SIGTERM');
  await service.stopped;
});
