import { EventEmitter, once } from 'node:events';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import type { ManagementDatabase } from '../../src/management/call-messages.ts';
import { MessageChannel, type MessagePort, Worker, type WorkerOptions } from 'node:worker_threads';

/** Threads of which each service of a test has its own, and that need most of their time to start. */
const REUSED = /\/(?:jobs|management|writer)-worker\.ts$/;
/** A thread that has given way once does so for ever. */
type ThreadData = Pick<ManagementDatabase, 'givesWay'>;
const HOST = new URL('./thread-host.ts', import.meta.url);

/** What a thread is asked to run. */
export interface ThreadRequest {
  readonly module: string;
  readonly workerData: unknown;
  readonly port: MessagePort;
}

const idle: Worker[] = [];

/**
 * A worker that runs its module in a thread that ran the module of another worker before. An error that nothing catches
 * ends the thread, as always.
 */
class ReusedThread extends EventEmitter {
  readonly #thread: Worker;
  readonly #port: MessagePort;
  readonly #onError = (error: unknown) => this.emit('error', error);
  readonly #onExit = (code: number) => this.emit('exit', code);

  constructor(module: string, workerData: unknown) {
    super();
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    this.#thread = idle.pop() ?? new Worker(HOST);
    this.#thread.ref();
    this.#thread.once('error', this.#onError).once('exit', this.#onExit);
    // Its module has closed its port. The two ports have no order: an answer can come after the message of the thread.
    const closed = once(port1, 'close');
    this.#thread.once('message', () => void closed.then(() => this.#release()));
    port1.on('message', (message: unknown) => this.emit('message', message));
    const request: ThreadRequest = { module, workerData, port: port2 };
    this.#thread.postMessage(request, [port2]);
  }

  postMessage(message: unknown): void {
    this.#port.postMessage(message);
  }

  terminate(): Promise<number> {
    return this.#thread.terminate();
  }

  #release(): void {
    this.#thread.off('error', this.#onError).off('exit', this.#onExit).unref();
    idle.push(this.#thread);
    this.emit('exit', 0);
  }
}

const threads = createRequire(import.meta.url)('node:worker_threads') as { Worker: typeof Worker };
threads.Worker = new Proxy(Worker, {
  construct: (target, [module, options]: [URL, WorkerOptions | undefined], newTarget) =>
    REUSED.test(module.href) && !(options?.workerData as ThreadData | undefined)?.givesWay
      ? new ReusedThread(module.href, options?.workerData)
      : Reflect.construct(target, [module, options], newTarget),
});
syncBuiltinESMExports();
