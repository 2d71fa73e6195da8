import { Worker } from 'node:worker_threads';
import { inBackground } from '../../process/in-background.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import { workerModule } from '../../process/release-files.ts';
import type { ManagementDatabase } from '../call-messages.ts';
import { closeWorker } from '../close-worker.ts';

/** How often the thread looks for the unfinished work of an instance that died. */
const LOOK_INTERVAL_MS = 15_000;
/** The thread tries again every five seconds. */
const MAX_OPEN_FAILURES = 12;

/** What the thread reports. */
export type JobsMessage =
  | 'opened'
  | {
      readonly failure: unknown;
      /** Whether the database was open. */
      readonly isOpen: boolean;
    };

interface JobsOptions {
  /** Whether anything in the database needs work. */
  readonly hasWork: () => MaybePromise<boolean>;
  /** Whether no work may begin now, because the clock is wrong or the files must not be used. */
  readonly isPaused?: () => boolean;
  /** Called for each failure of the thread. Its work is tried again. */
  readonly onError: (message: string, cause: unknown) => void;
  /** Called when the thread could not open the database for a minute, and again after each further minute. */
  readonly onUnopened?: () => Promise<void>;
  /** For tests: how often the thread may fail to open the database. */
  readonly maxOpenFailures?: number;
}

/**
 * Runs imports in a worker thread, because SQLite blocks its thread and waits for locks. The thread starts when there is
 * work, and ends itself when there is none.
 */
export class JobsThread {
  readonly #database: ManagementDatabase;
  readonly #options: JobsOptions;
  #worker: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosing = false;
  #openFailures = 0;

  constructor(database: ManagementDatabase, options: JobsOptions) {
    this.#database = database;
    this.#options = options;
  }

  /** Continues what an earlier process left, and looks for such work from time to time. */
  start(): void {
    this.#timer = setInterval(() => this.#lookSoon(), LOOK_INTERVAL_MS);
    this.#timer.unref();
    this.#lookSoon();
  }

  /** Called when there is new work. */
  wake(): void {
    if (this.#isClosing || this.#options.isPaused?.()) return;
    try {
      this.#worker ??= this.#startWorker();
      this.#worker.postMessage('work');
    } catch (cause) {
      // The work is in the database: it is done after a restart.
      this.#options.onError('The thread of the imports cannot start.', cause);
    }
  }

  /** Ends the thread with its connection, and looks for work again. */
  restart(): void {
    this.#worker?.terminate().catch(() => undefined);
  }

  /** Ends the thread. What it works on continues in another process, or at the next start. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#timer);
    if (this.#worker) await closeWorker(this.#worker);
  }

  #lookSoon(): void {
    inBackground(
      () => this.#look(),
      (cause) => this.#options.onError('The thread of the imports cannot start yet.', cause),
    );
  }

  async #look(): Promise<void> {
    if (this.#isClosing || this.#worker) return;
    if (await this.#hasWork()) this.wake();
  }

  /** The store reports a database that cannot be read; the next look tries again. */
  async #hasWork(): Promise<boolean> {
    try {
      return await this.#options.hasWork();
    } catch {
      return false;
    }
  }

  #noteUnopened(): void {
    this.#openFailures += 1;
    const { onUnopened, maxOpenFailures = MAX_OPEN_FAILURES } = this.#options;
    if (this.#openFailures < maxOpenFailures || onUnopened === undefined) return;
    this.#openFailures = 0;
    inBackground(onUnopened, (cause) =>
      this.#options.onError('Imports that cannot start are not ended yet.', cause),
    );
  }

  #startWorker(): Worker {
    const worker = new Worker(workerModule('jobs-worker', import.meta.url), {
      workerData: this.#database,
    });
    let hasOpened = false;
    worker.on('message', (message: JobsMessage) => {
      hasOpened ||= message === 'opened';
      if (message === 'opened') this.#openFailures = 0;
      else {
        if (!message.isOpen) this.#noteUnopened();
        this.#options.onError('An import is tried again.', message.failure);
      }
    });
    worker.once('error', (cause) => {
      if (!hasOpened) this.#noteUnopened();
      this.#options.onError('The thread of the imports ended.', cause);
    });
    worker.once('exit', () => {
      this.#worker = undefined;
      // Work may have been posted while the thread exited.
      this.#lookSoon();
    });
    return worker;
  }
}
