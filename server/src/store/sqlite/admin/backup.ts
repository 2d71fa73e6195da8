import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { ReportProgress } from '@petstore-inventory/shared/report-progress';
import { OperatorError } from '../../../domain/errors.ts';
import { workerModule } from '../../../process/release-files.ts';
import { cleanedUp } from '../../cleaned-up.ts';
import { removePartial, writeComplete } from '../../complete-file.ts';
import { isDamaged } from '../file/busy.ts';
import type { CopyFailure, CopyFiles } from './copy-worker.ts';

const PROGRESS_INTERVAL_MS = 100;
const MEGABYTE = 1_000_000;

/**
 * Copies one moment of the database to a new file, while others write.
 * @throws OperatorError when the file exists, cannot be written, or the copy is damaged.
 */
export function writeBackup(
  { source, sourceBytes }: { readonly source: string; readonly sourceBytes: number },
  file: string,
  progress?: ReportProgress,
): Promise<void> {
  const copy = async (partial: string) => {
    const total = Math.ceil(sourceBytes / MEGABYTE);
    const timer = setInterval(() => {
      progress?.(
        'Copying megabytes',
        Math.floor((statSync(partial, { throwIfNoEntry: false })?.size ?? 0) / MEGABYTE),
        total,
      );
    }, PROGRESS_INTERVAL_MS);
    await copyInThread({ source, copy: partial }).finally(() => clearInterval(timer));
    progress?.('Checking megabytes', 0, total);
    requireIntegrity(partial);
  };
  return cleanedUp(
    () => writeComplete(file, copy),
    () => removePartial(file),
  );
}

/** In another thread, because SQLite blocks its own until the copy is complete. */
function copyInThread(files: CopyFiles): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerModule('copy-worker', import.meta.url), { workerData: files });
    worker.once('error', reject);
    worker.once('message', ({ message, errcode }: CopyFailure) => {
      const error = Object.assign(new Error(message), { errcode });
      reject(isDamaged(error) ? damagedSource(files.source, error) : error);
    });
    worker.once('exit', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`the copying thread ended with ${code}`));
    });
  });
}

function damagedSource(source: string, error: Error): OperatorError {
  return new OperatorError(
    `${source} is damaged (${error.message}) and was not copied; run petstore-server verify.`,
    { cause: error },
  );
}

function requireIntegrity(file: string): void {
  const copy = new DatabaseSync(file, { readOnly: true });
  try {
    const { integrity_check: verdict } = copy.prepare('PRAGMA integrity_check(1)').get() as {
      integrity_check: string;
    };
    if (verdict !== 'ok') {
      throw new OperatorError(
        `The copy is damaged (${verdict}) and was removed; run petstore-server verify on the database.`,
      );
    }
  } finally {
    copy.close();
  }
}
