import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** A closed loop: each connection sends its next request when the last one is answered (and `pauseMs` went by). */
export interface LoadPlan {
  readonly host: string;
  /** The servers; connections are spread over them evenly. */
  readonly ports: readonly number[];
  readonly connections: number;
  readonly seconds: number;
  /** Whole HTTP/1.1 requests, taken in turn by whichever connection is free. */
  readonly requests: readonly string[];
  /** Any other status ends the load with an error. */
  readonly expectedStatus: number;
  readonly pauseMs: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly elapsedSeconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface PreparedLoad extends AsyncDisposable {
  run(): Promise<LoadResult>;
}

/** Opens all connections in a separate thread, so that connecting is not part of the measurement. */
export async function prepareLoad(plan: LoadPlan): Promise<PreparedLoad> {
  const worker = new Worker(new URL('./load-worker.ts', import.meta.url), { workerData: plan });
  const stop = async () => void (await worker.terminate());
  try {
    await once(worker, 'message', { signal: AbortSignal.timeout(10_000) });
  } catch (error) {
    await stop();
    throw new Error(`no ${plan.connections} connections to port ${plan.ports.join(', ')}`, { cause: error });
  }
  const run = async () => {
    const answer = once(worker, 'message');
    worker.postMessage('go');
    const [result] = (await answer) as [LoadResult];
    return result;
  };
  return { run, [Symbol.asyncDispose]: stop };
}

/** Prepares and runs in one. */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  await using load = await prepareLoad(plan);
  return await load.run();
}
