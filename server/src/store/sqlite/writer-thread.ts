import { Worker } from 'node:worker_threads';
import { diskFull } from '../../domain/disk.ts';
import { NotReady } from '../../domain/errors.ts';
import type { LedgerHead } from '../../domain/ledger/ledger.ts';
import type { StockRules } from '../../domain/ledger/ledger-transaction.ts';
import { workerModule } from '../../process/release-files.ts';
import { weightOf } from '../../domain/write-command.ts';
import { BatchQueue, type Turn, USUAL_LIMITS } from '../batch-queue.ts';
import { notWritten, unconfirmed } from '../errors.ts';
import type { CommitObserver } from '../store-options.ts';
import { type FileIdentities, ServedFiles } from './file/served-files.ts';
import { type BatchReply, type PackedMessage, packMessage, unpackReply } from './packed-messages.ts';
import type { FailureKind, WriterMessage, WriterReply } from './writer-messages.ts';

/** Between two checks of a file that seemed damaged: the first time, and the most. */
const FIRST_CHECK_DELAY_MS = 250;
const MAX_CHECK_DELAY_MS = 60_000;

interface PendingBatch {
  /** Whether the batch reads the whole file. */
  readonly isCheck: boolean;
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
  /** Whether the disk has no room for a commit. */
  readonly isFull?: boolean;
}

/** A writing thread, as far as the serving thread uses it. */
export interface StartedWriter {
  postMessage(message: readonly PackedMessage[] | 'close'): void;
  on(event: 'message', listener: (message: BatchReply | Opened) => void): unknown;
  once(event: 'error', listener: (error: unknown) => void): unknown;
  once(event: 'exit', listener: () => void): unknown;
}

/** What runs the writing: a thread and the event loop, or a simulation of both. */
interface WriterMachine {
  readonly startWorker: (workerData: WriterData) => StartedWriter;
  readonly turn?: Turn;
  /** By default `performance.now`. */
  readonly clock?: () => number;
}

const THREADS: WriterMachine = {
  startWorker: (workerData) => new Worker(workerModule('writer-worker', import.meta.url), { workerData }),
};

/** The serving thread's side of the writing thread: a commit queue that sends one batch at a time. */
export class WriterThread {
  readonly #queue: BatchQueue<WriterMessage, WriterReply>;
  readonly #observe: CommitObserver;
  readonly #startThread: WriterMachine['startWorker'];
  #options: WriterData;
  #worker: StartedWriter | undefined;
  #pending: PendingBatch | undefined;
  #isClosing = false;
  #isCertain = true;
  #isFull = false;
  #files: ServedFiles | undefined;
  #loss: NotReady | undefined;
  #doubt: NotReady | undefined;
  /** An error of a read says that the file is damaged, until a check of the whole file says that it is not. */
  #damage: NotReady | undefined;
  #isChecking = false;
  #checkDelayMs = FIRST_CHECK_DELAY_MS;
  #checkAtMs = 0;
  /** Detects writes of other programs into the database file. Also runs after each batch, before its acknowledgement. */
  findOverwrite: () => string | undefined = () => undefined;
  /** Called with the newest movement of a commit that changed nothing but the ledger. */
  onHead: (head: LedgerHead) => void = () => undefined;
  /** The newest movement that this process has seen. */
  newestSequence: () => number = () => 0;

  private constructor(
    options: WriterData,
    observe: CommitObserver,
    { startWorker, turn, clock }: WriterMachine,
  ) {
    this.#options = options;
    this.#observe = observe;
    this.#startThread = startWorker;
    this.#queue = new BatchQueue(
      (writes) => this.#send(writes),
      { ...USUAL_LIMITS, clock },
      (write) => (write.kind === 'changeStock' ? weightOf(write.request) : 1),
      turn,
    );
  }

  /** Starts the thread. Resolves when it has opened its connection; rejects if it cannot. */
  static async start(
    options: WriterData,
    observe: CommitObserver,
    machine: WriterMachine = THREADS,
  ): Promise<WriterThread> {
    // Structured cloning rejects the other options, which are functions.
    const { file, rules } = options;
    const thread = new WriterThread({ file, rules }, observe, machine);
    await thread.#startWorker();
    return thread;
  }

  /** Whether there is no unconfirmed commit that could be there after a crash. */
  get isCertain(): boolean {
    return this.#isCertain;
  }

  /** Whether the last batch was refused because the disk is full. The counts of requests try again each second. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Why the next start would not find new commits; once set, it never changes. */
  get loss(): NotReady | undefined {
    return this.#loss;
  }

  /** Why a restart may find another state: a loss, or what ends by itself. */
  get fault(): NotReady | undefined {
    return this.#loss ?? this.#damage ?? this.#doubt ?? (this.#isCertain ? undefined : uncertain());
  }

  /** Checks that the paths still name the open files. An error of the file system counts until the next call. */
  checkFiles(): void {
    this.#check(() => this.#files?.findFault() ?? this.#unlessGone(this.findOverwrite()));
    if (this.#damage !== undefined && performance.now() >= this.#checkAtMs) this.#checkDamage();
  }

  /** Refuses the use of the database until a check of the whole file finds no damage: the disk may have failed to read. */
  noteDamage(message: string): void {
    if (this.#damage !== undefined) return;
    this.#damage = new NotReady('The database file is damaged, or cannot be read.', damaged(message));
    this.#checkDelayMs = FIRST_CHECK_DELAY_MS;
    this.#checkAtMs = performance.now() + FIRST_CHECK_DELAY_MS;
  }

  #checkDamage(): void {
    if (this.#isChecking || this.#loss !== undefined) return;
    this.#isChecking = true;
    this.submit({ kind: 'checkFile', newestSequence: this.newestSequence() })
      // A failed check is repeated after a longer pause, because it reads the whole file.
      .catch(() => undefined)
      .finally(() => {
        this.#isChecking = false;
        this.#checkDelayMs = Math.min(this.#checkDelayMs * 2, MAX_CHECK_DELAY_MS);
        this.#checkAtMs = performance.now() + this.#checkDelayMs;
      });
  }

  #noteLoss(message: string): void {
    this.#loss ??= new NotReady(REPLACED, message);
  }

  /** A file that was deleted or replaced since the batch looks like one that another program has written to. */
  #unlessGone(overwrite: string | undefined): string | undefined {
    return overwrite && (this.#files?.findFault() ?? overwrite);
  }

  #check(findFault: () => string | undefined): void {
    try {
      const fault = findFault();
      this.#doubt = undefined;
      if (fault !== undefined) this.#noteLoss(fault);
    } catch (error) {
      this.#doubt = unchecked((error as Error).message);
    }
  }

  submit(write: WriterMessage): Promise<WriterReply> {
    return write.kind === 'changeStock' ? this.#queue.submit(write) : this.#queue.submitAlways(write);
  }

  /** Waits for all writes, then ends the thread. */
  async close(): Promise<void> {
    await this.#queue.drain();
    this.#isClosing = true;
    const worker = this.#worker;
    if (!worker) return;
    const exited = new Promise<void>((resolve) => worker.once('exit', resolve));
    worker.postMessage('close');
    await exited;
  }

  #startWorker(): Promise<void> {
    return new Promise((resolve, reject) => {
      const worker = this.#startThread(this.#options);
      worker.on('message', (message: BatchReply | Opened) => {
        if ('identities' in message) {
          const { identities, isFull = false } = message;
          this.#isFull = isFull;
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
        if (this.#pending) this.#isCertain = false;
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
      this.#pending = { resolve, reject, isCheck: writes.some(({ kind }) => kind === 'checkFile') };
      this.#worker?.postMessage(writes.map(packMessage));
    });
    this.#observe(writes.length, performance.now() - startedAtMs, () =>
      writes.flatMap((write) => (write.kind === 'changeStock' ? write.request : [])),
    );
    return results;
  }

  #settle(answer: BatchReply): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if ('results' in answer) {
      this.#isCertain = true;
      this.#isFull = false;
      if (pending?.isCheck) this.#damage = undefined;
      this.#check(() => this.#unlessGone(this.findOverwrite()));
      if (answer.head) this.onHead(answer.head);
      if (this.fault !== undefined) pending?.reject(unconfirmed(this.fault));
      else pending?.resolve(answer.results.map(unpackReply));
      return;
    }
    const { failure, kind } = answer;
    this.#isCertain = kind !== 'unconfirmed' && kind !== 'uncertain';
    this.#isFull = kind === 'full';
    if (kind === 'lost') this.#noteLoss(failure);
    if (kind === 'unchecked') this.#doubt = unchecked(failure);
    if (kind === 'damaged') this.noteDamage(failure);
    pending?.reject(refusal(kind, new Error(failure)));
  }
}

const REPLACED = 'The files of the database were deleted, moved, replaced or overwritten.';

/** The disk did not confirm a commit, so it may be there after a crash or not. */
function uncertain(): NotReady {
  const reason = 'The disk refuses to confirm commits (fsync).';
  return new NotReady(
    reason,
    `${reason} The service answers 503 until the disk confirms one; check the disk.`,
  );
}

function unchecked(message: string): NotReady {
  const reason = 'The files of the database cannot be checked.';
  const remedy = `(${message}), so the service answers 503 until they can be; check the disk and the permissions of the folder.`;
  return new NotReady(reason, `The files of the database cannot be checked ${remedy}`);
}

function damaged(message: string): string {
  return `The database file is damaged or was overwritten (${message}), so the service answers 503 to all requests, and checks the file again and again; if this lasts, check the disk, restart the service and run petstore-server verify, and restore a backup only if verify finds faults.`;
}

/** The kinds after which the changes may be durable. */
const UNCONFIRMED: readonly FailureKind[] = ['unconfirmed', 'lost', 'unchecked'];

function refusal(kind: FailureKind, cause: Error): Error {
  if (kind === 'full') return diskFull(cause);
  return UNCONFIRMED.includes(kind) ? unconfirmed(cause) : notWritten(cause, kind === 'busy');
}
