import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';

/** Parameters of the copying thread. */
export interface CopyFiles {
  readonly source: string;
  /** An empty file. */
  readonly copy: string;
}

const { source, copy } = workerData as CopyFiles;
const database = new DatabaseSync(source, { readOnly: true });
try {
  database.prepare('VACUUM INTO ?').run(copy);
} finally {
  database.close();
}
