import type { ImportJobs, ImportTask } from '../../domain/import-jobs.ts';
import { ImportCheck } from './import-check.ts';

/** Bytes that are parsed between two looks at the lease. */
const SLICE_BYTES = 262_144;
/** Before another try of an import whose database failed. */
const RETRY_DELAY_MS = 5_000;

/** Checks and applies imports, one after the other. Any number of runners may work on one database. */
export class ImportRunner {
  readonly #jobs: ImportJobs;
  readonly #maxQuantity: number;
  readonly #isStopping: () => boolean;

  constructor(jobs: ImportJobs, maxQuantity: number, isStopping: () => boolean) {
    this.#jobs = jobs;
    this.#maxQuantity = maxQuantity;
    this.#isStopping = isStopping;
  }

  /**
   * Works on the oldest import that needs it. Returns whether there was one.
   * @throws Error of the database. The import is tried again after a delay.
   */
  async runNext(): Promise<boolean> {
    const task = await this.#jobs.claim();
    if (task === undefined) return false;
    try {
      await (task.state === 'checking' ? this.#check(task) : this.#jobs.apply(task));
    } catch (error) {
      // A lost connection cannot release it; then it waits for the end of the lease.
      await this.#jobs.release(task, RETRY_DELAY_MS).catch(() => undefined);
      throw error;
    }
    return true;
  }

  async #check(task: ImportTask): Promise<void> {
    if (!(await this.#jobs.clearRows(task))) return;
    const check = new ImportCheck(task, this.#maxQuantity);
    for (let number = 0; !check.isStopped; number += 1) {
      const part = await this.#jobs.readPart(task, number);
      if (part === undefined) break;
      for (let start = 0; start < part.length; start += SLICE_BYTES) {
        check.read(Buffer.from(part.subarray(start, start + SLICE_BYTES)));
        if (!(await this.#addRows(task, check, false))) return;
      }
    }
    check.end();
    if (await this.#addRows(task, check, true)) await this.#jobs.finishCheck(task, check.faults);
  }

  /** Returns whether to continue: the lease still holds, and the runner does not stop. */
  async #addRows(task: ImportTask, check: ImportCheck, isLast: boolean): Promise<boolean> {
    for (;;) {
      if (this.#isStopping()) {
        await this.#jobs.release(task, 0);
        return false;
      }
      const rows = check.take(isLast);
      if (rows.length === 0) return true;
      const refused = await this.#jobs.addRows(task, rows, {
        readBytes: check.readBytes,
        maxQuantity: this.#maxQuantity,
      });
      if (refused === undefined) return false;
      for (const row of refused) check.noteRefused(row);
    }
  }
}
