import { Worker } from 'node:worker_threads';
import type { ManagementStore } from '../domain/admin-store.ts';
import { serviceUnavailable } from '../domain/errors.ts';
import { workerModule } from '../process/release-files.ts';
import {
  type ManagementCall,
  type CallReply,
  type ManagementDatabase,
  unpackError,
} from './call-messages.ts';
import { closeWorker } from './close-worker.ts';
import type { CallChecks } from './refused-calls.ts';

/** Calls that wait for their result. More are rejected. */
const MAX_PENDING_CALLS = 1_000;
/** An idle thread ends after so long, where it may. */
const IDLE_MS = 30_000;

interface PendingCall {
  readonly worker: Worker;
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Runs the operator's commands in a worker thread, because SQLite blocks its thread and waits for locks. The first call
 * starts the thread. After a crash, or where it ended because it was idle, the next call starts it again.
 */
export class ManagementThread {
  /** The commands. Each call is a message. */
  readonly store: ManagementStore;
  readonly #database: ManagementDatabase;
  readonly #checks: CallChecks | undefined;
  readonly #pending = new Map<number, PendingCall>();
  readonly #idleMs: number;
  #worker: Worker | undefined;
  /** The end of a thread that was idle. */
  #ending: Promise<void> | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #lastId = 0;
  #isClosing = false;

  /**
   * @param idleMs Another number for tests.
   */
  constructor(database: ManagementDatabase, checks?: CallChecks, idleMs = IDLE_MS) {
    this.#database = database;
    this.#checks = checks;
    this.#idleMs = idleMs;
    this.store = callProxy((path, values) => this.#call(path, values)) as ManagementStore;
  }

  /** Ends the thread with its connection. Running calls are rejected; the next one starts it again. */
  restart(): void {
    this.#worker?.terminate().catch(() => undefined);
  }

  /** Ends the thread after its calls, or after a few seconds. Later calls are rejected. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearTimeout(this.#idleTimer);
    if (this.#worker) await closeWorker(this.#worker);
    await this.#ending;
  }

  async #call(path: readonly string[], values: unknown[]): Promise<unknown> {
    if (this.#isClosing) throw serviceUnavailable('The service is stopping.');
    const refused = this.#checks?.refusal(path.join('.'));
    if (refused !== undefined) throw refused;
    if (this.#pending.size >= MAX_PENDING_CALLS) {
      throw serviceUnavailable('Too many management actions are waiting.', undefined, 1);
    }
    clearTimeout(this.#idleTimer);
    const worker = (this.#worker ??= this.#start());
    this.#lastId += 1;
    const call: ManagementCall = { id: this.#lastId, path, values };
    worker.postMessage(call);
    return new Promise((resolve, reject) => {
      this.#pending.set(call.id, { worker, resolve, reject });
    });
  }

  #start(): Worker {
    let crash: unknown;
    const worker = new Worker(workerModule('management-worker', import.meta.url), {
      workerData: this.#database,
    });
    worker.on('message', (reply: CallReply) => this.#settle(reply));
    worker.once('error', (error) => {
      crash = error;
    });
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
      for (const [id, call] of this.#pending) {
        if (call.worker !== worker) continue;
        this.#pending.delete(id);
        call.reject(interrupted(crash));
      }
    });
    return worker;
  }

  #settle(reply: CallReply): void {
    const call = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if ('failure' in reply) call?.reject(unpackError(reply.failure));
    else this.#resolve(call, reply.result);
    if (this.#pending.size > 0 || this.#isClosing || !this.#database.endsIdle) return;
    this.#idleTimer = setTimeout(() => this.#endIdle(), this.#idleMs);
    this.#idleTimer.unref();
  }

  #resolve(call: PendingCall | undefined, result: unknown): void {
    const doubt = this.#checks?.doubt();
    if (doubt === undefined) call?.resolve(result);
    else call?.reject(doubt);
  }

  #endIdle(): void {
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#worker = undefined;
    this.#ending = closeWorker(worker);
  }
}

function interrupted(cause: unknown): Error {
  return serviceUnavailable('The action was interrupted and may be done; read back what it changes.', cause);
}

/** An object whose methods, and those of its members, are calls with the path of the method. */
function callProxy(
  call: (path: readonly string[], values: unknown[]) => unknown,
  path: readonly string[] = [],
): unknown {
  const members = new Map<string, unknown>();
  return new Proxy(() => undefined, {
    get: (_target, name) => {
      // A thenable would be called by `await`.
      if (typeof name !== 'string' || name === 'then') return undefined;
      const member = members.get(name) ?? callProxy(call, [...path, name]);
      members.set(name, member);
      return member;
    },
    apply: (_target, _this, values: unknown[]) => call(path, values),
  });
}
