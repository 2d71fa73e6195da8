import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from '../../src/store/sqlite/open.ts';

const { files, arrived, threads } = workerData as {
  readonly files: readonly string[];
  readonly arrived: Int32Array;
  readonly threads: number;
};
const errors: string[] = [];
for (const [i, file] of files.entries()) {
  Atomics.add(arrived, i, 1);
  // A thread that slept would come too late to disturb another.
  while (Atomics.load(arrived, i) < threads);
  try {
    openDatabase(file, { create: true }).close();
  } catch (error) {
    errors.push(String(error));
  }
}
parentPort?.postMessage(errors);
