import { parentPort, workerData } from 'node:worker_threads';
import { openAdmin } from '../../store/open-admin.ts';
import type { OpenedAdminStore } from '../../store/schema/database-metadata.ts';
import type { ManagementDatabase } from '../call-messages.ts';
import { ImportRunner } from './import-runner.ts';
import { WakeUp } from './wake-up.ts';

/** The thread ends when it has had nothing to do for so long. */
const IDLE_MS = 10_000;
const FAILURE_BACKOFF_MS = 5_000;

/** The thread of the jobs: it works until nothing needs work. */
const { url, rules, pepper, disk } = workerData as ManagementDatabase;
let isStopping = false;
const wakeUp = new WakeUp();
let store: OpenedAdminStore | undefined;

parentPort?.on('message', (message: 'work' | 'close') => {
  isStopping ||= message === 'close';
  wakeUp.call();
});

/** Returns whether anything needed work. */
async function work(): Promise<boolean> {
  wakeUp.reset();
  store ??= await openAdmin(url, rules, () => pepper);
  const runner = new ImportRunner(store.importJobs, rules.maxQuantity, () => isStopping, disk);
  const { importJobs, bulkJobs } = store;
  for (const next of [
    () => runner.runNext(),
    () => bulkJobs.runNext(() => isStopping),
    () => importJobs.purge(),
    () => bulkJobs.purge(),
  ]) {
    if (await next()) return true;
  }
  return false;
}

async function closeStore(): Promise<void> {
  const closing = store;
  store = undefined;
  await closing?.close().catch(() => undefined);
}

for (let isIdle = false; !isStopping && !isIdle;) {
  try {
    isIdle = !(await work()) && !(await wakeUp.within(IDLE_MS));
  } catch (error) {
    parentPort?.postMessage(error);
    await closeStore();
    await wakeUp.within(FAILURE_BACKOFF_MS);
  }
}
await closeStore();
parentPort?.close();
