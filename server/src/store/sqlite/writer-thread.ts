import { Worker } from 'node:worker_threads';
import type { StockRules } from '../../domain/ledger/ledger-transaction.ts';
import { workerModule } from '../../domain/release-files.ts';
import { weightOf } from '../../domain/write-command.ts';
import { BatchQueue } from '../batch-queue.ts';
import { notWritten, unconfirmed } from '../errors.ts';
import type { CommitObserver } from '../store-options.ts';
import { type FileIdentities, ServedFiles } from './file/served-files.ts';
import { type BatchReply, packMessage, unpackReply } from './packed-messages.ts';
import type { FailureKind, WriterMessage, WriterReply } from './writer-messages.ts';

interface PendingBatch {
  readonly resolve: (results: WriterReply[]) => void;
  readonly reject: (reason: unknown) => void;
}

/** Parameters of the writing thread. */
export interface WriterData {
  readonly file: string;
  readonly rules: StockRules;
  /** The files that the first writing thread opened. */
  readonly identities?: FileIdentities;
  /** Whether an earlier writing thread ended unexpectedly. */
  readonly isAfterCrash?: boolean;
}

/** The message of the writing thread after it has opened its connection. */
interface Opened {
  readonly identities: FileIdentities;
}

/** The serving thread's side of the writing thread: a commit queue that sends one batch at a time. */
export class WriterThread {
  readonly #queue: BatchQueue<WriterMessage, WriterReply>;
  readonly #observe: CommitObserver;
  #options: WriterData;
  #worker: Worker | undefined;
  #pending: PendingBatch | undefined;
  #isClosing = false;
  #isCertain = true;
  #files: ServedFiles | undefined;
  #loss: string | undefined;
  /** Detects writes of other programs into the database file. Also runs after each batch, before its acknowledgement. */
  findOverwrite: () => string | undefined = () => undefined;

  private constructor(options: WriterData, observe: CommitObserver) {
    this.#options = options;
    this.#observe = observe;
    this.#queue = new BatchQueue(
      (writes) => this.#send(writes),
      undefined,
      (write) => (write.kind === 'changeStock' ? weightOf(write.request) : 1),
    );
  }

  /** Starts the thread. Resolves when it has opened its connection; rejects if it cannot. */
  static async start(options: WriterData, observe: CommitObserver): Promise<WriterThread> {
    // Structured cloning rejects the other options, which are functions.
    const { file, rules } = options;
    const thread = new WriterThread({ file, rules }, observe);
    await thread.#startWorker();
    return thread;
  }

  /** Whether there is no unconfirmed commit that could be there after a crash. */
  get isCertain(): boolean {
    return this.#isCertain;
  }

  /** A sentence for the operator when the next start would not find new commits; once set, it never changes. */
  get loss(): string | undefined {
    return this.#loss;
  }

  /** Checks that the paths still name the open files. */
  checkFiles(): void {
    this.noteLoss(this.#files?.findFault() ?? this.findOverwrite());
  }

  noteLoss(loss: string | undefined): void {
    this.#loss ??= loss;
  }

  submit(write: WriterMessage): Promise<WriterReply> {
    return this.#queue.submit(write);
  }

  /** Waits for all writes, then ends the thread. */
  async close(): Promise<void> {
    await this.#queue.drain();
    this.#isClosing = true;
    const worker = this.#worker;
    if (!worker) return;
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage('close');
    await exited;
  }

  #startWorker(): Promise<void> {
    return new Promise((resolve, reject) => {
      const worker = new Worker(workerModule('writer-worker', import.meta.url), {
        workerData: this.#options,
      });
      worker.on('message', (message: BatchReply | Opened) => {
        if ('identities' in message) {
          const { identities } = message;
          this.#options = { ...this.#options, identities, isAfterCrash: true };
          this.#files = new ServedFiles(this.#options.file, identities);
          this.#worker = worker;
          resolve();
        } else this.#settle(message);
      });
      worker.once('error', reject);
      worker.once('exit', () => {
        this.#worker = undefined;
        // The running batch may be on disk or not, so its callers get "unconfirmed".
        this.#pending?.reject(unconfirmed());
        this.#pending = undefined;
      });
    });
  }

  async #send(writes: WriterMessage[]): Promise<WriterReply[]> {
    if (!this.#worker && !this.#isClosing) {
      await this.#startWorker().catch((cause: unknown) => {
        throw notWritten(cause);
      });
    }
    const startedAtMs = performance.now();
    const results = await new Promise<WriterReply[]>((resolve, reject) => {
      this.#pending = { resolve, reject };
      this.#worker?.postMessage(writes.map(packMessage));
    });
    this.#observe(writes.length, performance.now() - startedAtMs);
    return results;
  }

  #settle(answer: BatchReply): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if ('results' in answer) {
      this.#isCertain = true;
      this.noteLoss(this.findOverwrite());
      if (this.#loss !== undefined) pending?.reject(unconfirmed(new Error(this.#loss)));
      else pending?.resolve(answer.results.map(unpackReply));
      return;
    }
    const { failure, kind } = answer;
    this.#isCertain = kind !== 'unconfirmed' && kind !== 'uncertain';
    if (kind === 'lost') this.noteLoss(failure);
    if (kind === 'damaged') this.noteLoss(damaged(failure));
    pending?.reject(refusal(kind, new Error(failure)));
  }
}

/** A sentence for the operator about an error of SQLite. */
export function damaged(message: string): string {
  return `The database file is damaged or was overwritten (${message}), so the service answers 503 to all requests until it is restarted; stop it, run petstore-server verify, and restore a backup if it finds faults.`;
}

function refusal(kind: FailureKind, cause: Error): Error {
  return kind === 'unconfirmed' || kind === 'lost' ? unconfirmed(cause) : notWritten(cause, kind === 'busy');
}
