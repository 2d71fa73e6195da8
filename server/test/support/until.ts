import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';

const DEADLINE_MS = 90_000;

/** Waits until something is so. */
export async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while (!(await isSo())) {
    assert.ok(Date.now() < deadline, `in time: ${what}`);
    await delay(10);
  }
}
