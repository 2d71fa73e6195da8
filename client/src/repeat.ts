import { type Clock, pause } from './clock.ts';
import { PetstoreError } from './errors.ts';
import type { PreparedRequest } from './request.ts';
import { mayHaveChanged, retryAfter } from './retry.ts';
import type { EffectiveOptions } from './settings.ts';

/**
 * Repeats a request after failures, as long as its options allow.
 * @param once Sends it, after waiting for its place until a deadline at most.
 * @throws PetstoreError or the reason of the signal
 */
export async function repeat<T>(
  request: PreparedRequest,
  { maxWaitMs, maxRetries, signal }: EffectiveOptions,
  clock: Clock,
  once: (deadlineMs: number) => Promise<T>,
): Promise<T> {
  const deadlineMs = clock.now() + maxWaitMs;
  let isUncertain = false;
  for (let failures = 0; ; ) {
    let failure: PetstoreError;
    try {
      return await once(deadlineMs);
    } catch (error) {
      if (!(error instanceof PetstoreError)) throw error;
      failure = error;
    }
    isUncertain = request.method !== 'GET' && mayHaveChanged(failure, isUncertain);
    const retry = retryAfter(failure, request, failures, clock.random);
    failures += retry?.isCounted ? 1 : 0;
    const isLate = retry && clock.now() + retry.ms > deadlineMs;
    if (!retry || isLate || failures > maxRetries) {
      failure.idempotencyKey = request.idempotencyKey;
      failure.mayHaveChanged = isUncertain;
      throw failure;
    }
    // After a 429 the gate waits, for all calls together.
    if (failure.status !== 429) await pause(clock, retry.ms, signal);
  }
}
