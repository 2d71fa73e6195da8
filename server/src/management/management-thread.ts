import { Worker } from 'node:worker_threads';
import type { ManagementStore } from '../domain/admin-store.ts';
import { serviceUnavailable } from '../domain/errors.ts';
import { workerModule } from '../domain/release-files.ts';
import { type Call, type CallReply, type ManagementDatabase, unpackError } from './call-messages.ts';
import { closeWorker } from './close-worker.ts';

/** Calls that wait for their result. More are rejected. */
const MAX_PENDING_CALLS = 1_000;

interface PendingCall {
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Runs the operator's commands in a worker thread, because SQLite blocks its thread and waits for locks. The first call
 * starts the thread. After a crash the running calls are rejected, and the next call starts it again.
 */
export class ManagementThread {
  /** The commands. Each call is a message. */
  readonly store: ManagementStore;
  readonly #database: ManagementDatabase;
  readonly #pending = new Map<number, PendingCall>();
  #worker: Worker | undefined;
  #lastId = 0;
  #isClosing = false;

  constructor(database: ManagementDatabase) {
    this.#database = database;
    this.store = callProxy((path, values) => this.#call(path, values)) as ManagementStore;
  }

  /** Ends the thread with its connection. Running calls are rejected; the next one starts it again. */
  restart(): void {
    this.#worker?.terminate().catch(() => undefined);
  }

  /** Ends the thread after its calls, or after a few seconds. Later calls are rejected. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#worker) await closeWorker(this.#worker);
  }

  async #call(path: readonly string[], values: unknown[]): Promise<unknown> {
    if (this.#isClosing) throw serviceUnavailable('The service is stopping.');
    if (this.#pending.size >= MAX_PENDING_CALLS) {
      throw serviceUnavailable('Too many management actions are waiting.', undefined, 1);
    }
    this.#worker ??= this.#start();
    this.#lastId += 1;
    const call: Call = { id: this.#lastId, path, values };
    this.#worker.postMessage(call);
    return new Promise((resolve, reject) => {
      this.#pending.set(call.id, { resolve, reject });
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
      this.#worker = undefined;
      const running = [...this.#pending.values()];
      this.#pending.clear();
      for (const { reject } of running) reject(interrupted(crash));
    });
    return worker;
  }

  #settle(reply: CallReply): void {
    const call = this.#pending.get(reply.id);
    this.#pending.delete(reply.id);
    if ('failure' in reply) call?.reject(unpackError(reply.failure));
    else call?.resolve(reply.result);
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
