import { Worker } from 'node:worker_threads';
import type { StockRules } from '../../domain/ledger-transaction.ts';
import { weightOf } from '../../domain/write-command.ts';
import { BatchQueue } from '../batch-queue.ts';
import { notWritten, unconfirmed } from '../errors.ts';
import type { CommitObserver } from '../store-options.ts';
import { type FileIdentities, ServedFiles } from './file/served-files.ts';
import { packMessage, unpackReply } from './packed-messages.ts';
import type { BatchAnswer, FailureKind, WriterMessage, WriterReply } from './writer-messages.ts';

interface PendingBatch {
  readonly resolve: (results: WriterReply[]) => void;
  readonly reject: (reason: unknown) => void;
}

/** What the writing thread is started with. */
export interface WriterData {
  readonly file: string;
  readonly rules: StockRules;
  /** The files that the first writing thread opened. */
  readonly identities?: FileIdentities;
  /** Whether a writing thread ended in the middle of something before this one. */
  readonly isAfterCrash?: boolean;
}

/** What the writing thread says when it holds its connection. */
interface Opened {
  readonly identities: FileIdentities;
}

/** The serving thread's side of the writing thread: a commit queue whose batches are sent there one at a time. */
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
  /** Looks whether another program has written into the database; also after each batch, before it is acknowledged. */
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

  /** Starts the thread; resolves when it holds its connection, rejects if it cannot open one. */
  static async start(options: WriterData, observe: CommitObserver): Promise<WriterThread> {
    // Only what a thread can be handed.
    const { file, rules } = options;
    const thread = new WriterThread({ file, rules }, observe);
    await thread.#startWorker();
    return thread;
  }

  /** Whether no commit is unconfirmed that a crash could bring back. */
  get isCertain(): boolean {
    return this.#isCertain;
  }

  /** Why the next start would not find what is committed now, in a sentence; until this one ends it stays so. */
  get loss(): string | undefined {
    return this.#loss;
  }

  /** Looks whether the files are still those that were opened. */
  checkFiles(): void {
    this.noteLoss(this.#files?.findFault() ?? this.findOverwrite());
  }

  noteLoss(loss: string | undefined): void {
    this.#loss ??= loss;
  }

  submit(write: WriterMessage): Promise<WriterReply> {
    return this.#queue.submit(write);
  }

  /** Waits for every write under way, then ends the thread. */
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
      const worker = new Worker(new URL('./writer-worker.ts', import.meta.url), {
        workerData: this.#options,
      });
      worker.on('message', (message: BatchAnswer | Opened) => {
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
        // What was under way may or may not be on disk; its callers hear that it was not confirmed.
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

  #settle(answer: BatchAnswer): void {
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
