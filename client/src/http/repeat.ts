import { type Clock, pause } from '../clock.ts';
import { PetstoreError } from '../errors.ts';
import type { EffectiveOptions } from '../settings.ts';
import type { PreparedRequest } from './request.ts';
import { mayHaveChanged, retryAfter } from './retry.ts';

/** Less than the 24 hours for which the service knows a key. */
const KEY_LIFE_MS = 23 * 3_600_000;

/** A write that would be a second change if it were sent now. It has no key, because the key no longer helps. */
class ForgottenKey extends PetstoreError {
  override mayHaveChanged = true;

  constructor() {
    const message =
      'The first attempt was long ago: another one might change the stock twice. Read the stock.';
    super(message, { code: 'timed_out' });
  }
}

/**
 * Repeats a request after failures, as long as its options allow.
 * @param once Sends it, after waiting for its place until a deadline at most. It calls `check` directly before it sends.
 * @throws PetstoreError or the reason of the signal
 */
export async function repeat<T>(
  request: PreparedRequest,
  { maxWaitMs, maxRetries, signal }: EffectiveOptions,
  clock: Clock,
  once: (deadlineMs: number, check: () => void) => Promise<T>,
): Promise<T> {
  const deadlineMs = clock.now() + maxWaitMs;
  let isUncertain = false;
  let ageMs: (() => number) | undefined;
  const check = () => {
    ageMs ??= ageFromNow(clock);
    if (isUncertain && ageMs() > KEY_LIFE_MS) throw new ForgottenKey();
  };
  for (let failures = 0; ;) {
    let failure: PetstoreError;
    try {
      return await once(deadlineMs, check);
    } catch (error) {
      if (!(error instanceof PetstoreError) || error instanceof ForgottenKey) throw error;
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

/** The age of something that happens now. The clock of a program may stop while the computer sleeps, that of the wall does not. */
function ageFromNow(clock: Clock): () => number {
  const [startMs, wallStartMs] = [clock.now(), Date.now()];
  return () => Math.max(clock.now() - startMs, Date.now() - wallStartMs);
}
