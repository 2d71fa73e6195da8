/** The time of the client. Tests replace it, so that hours of waiting take no time. */
export interface Clock {
  /** Milliseconds of a clock that is never set. */
  now(): number;
  /** Calls back after a delay. Returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void;
  /** A random number from 0 up to 1, for the jitter of retries. */
  random(): number;
}

/** The longest delay that timers of JavaScript can have. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, MAX_TIMER_MS));
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};

/** Resolves after a delay. @throws the reason of the signal as soon as it aborts. */
export function pause(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      cancel();
      reject(signal?.reason);
    };
    const cancel = clock.after(ms, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    signal?.addEventListener('abort', abort, { once: true });
  });
}
