import { parentPort, workerData } from 'node:worker_threads';
import { openAdmin } from '../../store/open-admin.ts';
import type { OpenedAdminStore } from '../../store/schema/database-metadata.ts';
import type { ManagementDatabase } from '../call-messages.ts';
import { ImportRunner } from './import-runner.ts';

/** The thread ends when it has had nothing to do for so long. */
const IDLE_MS = 10_000;
const FAILURE_BACKOFF_MS = 5_000;

/** The thread of the jobs: it works until nothing needs work. */
const { url, rules, pepper } = workerData as ManagementDatabase;
let isStopping = false;
let wake: (() => void) | undefined;
let store: OpenedAdminStore | undefined;

parentPort?.on('message', (message: 'work' | 'close') => {
  isStopping ||= message === 'close';
  wake?.();
});

/** Resolves after a time, or with the next message. Returns whether there was a message. */
function messageWithin(timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), timeoutMs);
    wake = () => {
      clearTimeout(timer);
      resolve(true);
    };
  });
}

/** Returns whether anything needed work. */
async function work(): Promise<boolean> {
  store ??= await openAdmin(url, rules, () => pepper);
  const runner = new ImportRunner(store.importJobs, rules.maxQuantity, () => isStopping);
  return (await runner.runNext()) || (await store.importJobs.purge());
}

async function closeStore(): Promise<void> {
  const closing = store;
  store = undefined;
  await closing?.close().catch(() => undefined);
}

for (let isIdle = false; !isStopping && !isIdle; ) {
  try {
    isIdle = !(await work()) && !(await messageWithin(IDLE_MS));
  } catch (error) {
    parentPort?.postMessage(error);
    await closeStore();
    await messageWithin(FAILURE_BACKOFF_MS);
  }
}
await closeStore();
parentPort?.close();
