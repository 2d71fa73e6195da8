import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

/** Long, because the machine may be busy with much else: it only ends a test whose condition never comes. */
const DEADLINE_MS = 180_000;

/**
 * Waits until something is so.
 * @param what Names it in the error; a function also says how it is at that time.
 */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string | (() => string),
): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!(await isSo())) {
    if (Date.now() >= deadline) assert.fail(`in time: ${typeof what === 'string' ? what : what()}`);
    await delay(10);
  }
}
