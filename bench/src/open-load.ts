import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * An open loop: requests are due at a fixed rate, whether or not earlier ones are answered, as of clients that know nothing
 * of each other. A due request without a free connection waits for one.
 */
export interface OpenLoadPlan {
  readonly host: string;
  readonly port: number;
  /** `Infinity` for a closed loop: a connection sends as soon as it has its answer. */
  readonly perSecond: number;
  readonly seconds: number;
  /** All are open before the load begins. */
  readonly maxConnections: number;
  /** Whole HTTP/1.1 requests, taken in turn. */
  readonly requests: readonly string[];
}

export interface OpenLoadResult {
  readonly due: number;
  /** Requests that no connection was free for, until the end. */
  readonly unsent: number;
  /** 2xx answers per second within the time of the load. */
  readonly goodput: number;
  /** From the sending of requests with a 2xx answer. */
  readonly accepted: Waits;
  /** From the sending of requests with a 503 answer. */
  readonly refused: Waits;
}

export interface Waits {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Runs an open loop in a thread of its own. */
export async function runOpenLoad(plan: OpenLoadPlan): Promise<OpenLoadResult> {
  const worker = new Worker(new URL('./open-load-worker.ts', import.meta.url), { workerData: plan });
  try {
    // Rejects with the error of the worker, such as an answer with another status.
    const [result] = (await once(worker, 'message')) as [OpenLoadResult];
    return result;
  } finally {
    await worker.terminate();
  }
}
