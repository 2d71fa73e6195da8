import { setTimeout as delay } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { openAdmin } from '../../store/open-admin.ts';
import type { OpenedAdminStore } from '../../store/schema/database-metadata.ts';
import { ClockGuard } from '../../store/ledger/clock-guard.ts';
import type { ManagementDatabase } from '../call-messages.ts';
import { ImportRunner } from './import-runner.ts';
import type { JobsMessage } from './jobs-thread.ts';
import { WakeUp } from './wake-up.ts';

/** The thread ends when it has had nothing to do for so long. */
const IDLE_MS = 10_000;
const FAILURE_BACKOFF_MS = 5_000;
/** A server that never responds must not hold the imports for ever. */
const MAX_OPENING_MS = 60_000;

/** The thread of the jobs: it works until nothing needs work. */
const { url, rules, pepper, disk } = workerData as ManagementDatabase;
let isStopping = false;
const wakeUp = new WakeUp();
let store: OpenedAdminStore | undefined;
/** Has the time at which the thread began, when the clock was right. */
let clockGuard: ClockGuard | undefined;

parentPort?.on('message', (message: 'work' | 'close') => {
  isStopping ||= message === 'close';
  wakeUp.call();
});

/** Returns whether anything needed work. */
async function work(): Promise<boolean> {
  wakeUp.reset();
  if (store?.isLost) await closeStore();
  store ??= await openStore();
  const nowMs = await store.now();
  clockGuard ??= new ClockGuard(nowMs);
  // What waits continues in a new thread, after the clock is right.
  if (clockGuard.findFault(nowMs) !== undefined) return false;
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

/** @throws Error also if the database does not open in time; it is closed as soon as it does. */
async function openStore(): Promise<OpenedAdminStore> {
  const opening = openAdmin(url, { rules, pepper: () => pepper });
  const tooLate = new AbortController();
  const deadline = delay(MAX_OPENING_MS, undefined, { signal: tooLate.signal });
  try {
    const opened = await Promise.race([opening, deadline]);
    if (opened === undefined) throw new Error('The database does not open in time.');
    parentPort?.postMessage('opened' satisfies JobsMessage);
    return opened;
  } catch (error) {
    opening.then((late) => late.close()).catch(() => undefined);
    throw error;
  } finally {
    deadline.catch(() => undefined);
    tooLate.abort();
  }
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
    parentPort?.postMessage({ failure: error, isOpen: store !== undefined } satisfies JobsMessage);
    await closeStore();
    await wakeUp.within(FAILURE_BACKOFF_MS);
  }
}
await closeStore();
parentPort?.close();
