import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

/** Long, because the machine may be busy with much else: it only ends a test whose condition never comes. */
const DEADLINE_MS = 180_000;
/** Most conditions come sooner. */
const SOON_MS = 2_000;
const LOOK_SOON_MS = 10;
/** A condition that asks the service would use up the 1,200 requests of a management key per minute. */
const LOOK_MS = 100;

/**
 * Waits until something is so.
 * @param what Names it in the error; a function also says how it is at that time.
 */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string | (() => string),
): Promise<void> {
  const began = Date.now();
  while (!(await isSo())) {
    const waitedMs = Date.now() - began;
    if (waitedMs >= DEADLINE_MS) assert.fail(`in time: ${typeof what === 'string' ? what : what()}`);
    await delay(waitedMs < SOON_MS ? LOOK_SOON_MS : LOOK_MS);
  }
}
