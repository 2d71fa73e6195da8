import type { Worker } from 'node:worker_threads';

/** Time for what a thread does at a stop. */
const STOP_TIMEOUT_MS = 5_000;

/**
 * Lets a thread end after its running work, or ends it after a few seconds.
 * @param command Reaches the thread.
 * @param extraMs For work that may take longer.
 */
export async function closeWorker(worker: Worker, command: unknown = 'close', extraMs = 0): Promise<void> {
  const exited = new Promise((resolve) => worker.once('exit', resolve));
  worker.postMessage(command);
  const timer = setTimeout(() => void worker.terminate(), STOP_TIMEOUT_MS + extraMs);
  await exited;
  clearTimeout(timer);
}
