import { createRequire, syncBuiltinESMExports } from 'node:module';
import { type MessagePort, parentPort } from 'node:worker_threads';
import type { ThreadRequest } from './reused-threads.ts';

/** Runs the modules of workers in this thread, each until it closes its port. */
const host = parentPort as MessagePort;
const threads = createRequire(import.meta.url)('node:worker_threads') as object;
let runs = 0;

host.on('message', ({ module, workerData, port }: ThreadRequest) => {
  Object.assign(threads, { workerData, parentPort: port });
  syncBuiltinESMExports();
  port.once('close', () => host.postMessage('idle'));
  runs += 1;
  // A module is evaluated once for each address. Its error ends the thread.
  void import(`${module}?run=${runs}`);
});
