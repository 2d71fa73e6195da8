import type { MaybePromise } from '../domain/maybe-promise.ts';

/**
 * Starts work for which no caller waits, such as that of a timer. Its error is reported, whether it is thrown or a
 * rejection: without a caller it would end the process.
 */
export function inBackground(work: () => MaybePromise<void>, onError: (cause: unknown) => void): void {
  try {
    const working = work();
    if (working instanceof Promise) working.catch(onError);
  } catch (cause) {
    onError(cause);
  }
}
