import type { TestContext } from 'node:test';
import type { ResourceLimits, Worker } from 'node:worker_threads';
import type { SenderNumbers } from '../../../src/webhooks/sender-stats.ts';
import { newWorker, SenderThread } from '../../../src/webhooks/sender-thread.ts';
import { TEST_PEPPER } from '../../support/command-line.ts';

/** A thread that sends webhooks of a test. */
export interface SendingThread {
  /** Unexpected ends so far, with their causes. */
  readonly failures: readonly unknown[];
  /** The newest numbers; `undefined` while no thread runs. */
  numbers(): SenderNumbers | undefined;
  /** Ends the thread, as a change of the server of the database does; another one follows. */
  restart(): void;
}

/**
 * Starts it on a database. It ends with the test.
 * @param starting May return another thread instead of a real one.
 * @param endpointBytes Memory of the endpoints.
 */
export function startSendingThread(
  t: Pick<TestContext, 'after'>,
  url: string,
  starting: (limits: ResourceLimits) => Worker | undefined = () => undefined,
  endpointBytes = () => 0,
): SendingThread {
  const failures: unknown[] = [];
  let newest: SenderNumbers | undefined;
  const data = { url, pepper: TEST_PEPPER, owner: 'sender', networks: ['127.0.0.0/8'], version: '1.0.0' };
  const thread = new SenderThread({
    data,
    startWorker: (limits) => starting(limits) ?? newWorker(data, limits),
    endpointBytes,
    onNumbers: (numbers) => {
      newest = numbers;
    },
    onPaused: () => undefined,
    onUnopened: () => undefined,
    onEndpointError: () => undefined,
    onError: (_message, cause) => failures.push(cause),
  });
  t.after(() => thread.close());
  thread.start();
  return { failures, numbers: () => newest, restart: () => thread.restart() };
}
