import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';

/** Parameters of the copying thread. */
export interface CopyFiles {
  readonly source: string;
  /** An empty file. */
  readonly copy: string;
}

/** Why a copy failed. The `error` event of a thread has no `errcode` on Bun. */
export interface CopyFailure {
  readonly message: string;
  readonly errcode?: number;
}

const { source, copy } = workerData as CopyFiles;
const database = new DatabaseSync(source, { readOnly: true });
try {
  database.prepare('VACUUM INTO ?').run(copy);
} catch (error) {
  const { message, errcode } = error as CopyFailure;
  parentPort?.postMessage({ message, errcode } as CopyFailure);
} finally {
  database.close();
}
