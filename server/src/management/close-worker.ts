import type { Worker } from 'node:worker_threads';

/** Time for what a thread does at a stop. */
const STOP_TIMEOUT_MS = 5_000;

/** Lets a thread end after its running work, or ends it after a few seconds. */
export async function closeWorker(worker: Worker): Promise<void> {
  const exited = new Promise((resolve) => worker.once('exit', resolve));
  worker.postMessage('close');
  const timer = setTimeout(() => void worker.terminate(), STOP_TIMEOUT_MS);
  await exited;
  clearTimeout(timer);
}
